"""The program's own encoders with gradients: what learns, what stays, what is kept on disk."""
