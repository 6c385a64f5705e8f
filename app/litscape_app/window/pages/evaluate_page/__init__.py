"""The page that measures how well search finds what belongs together."""
