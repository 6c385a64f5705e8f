"""The composition root: one open library and its services."""
