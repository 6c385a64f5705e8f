"""Loading and running encoders: pooling, prefixes and lengths of every model."""
