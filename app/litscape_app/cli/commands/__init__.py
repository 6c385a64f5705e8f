"""One file a command or a small group of commands."""
