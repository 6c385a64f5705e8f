"""The right column: one paper read and edited, or many at once."""
