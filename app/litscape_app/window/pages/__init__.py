"""Pages that take the middle of the window for a while."""
