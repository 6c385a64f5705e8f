"""The window: what a person sees, on top of the core's services."""
