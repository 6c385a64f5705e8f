"""The command line: what a script or a person without a screen uses. No Qt."""
