"""The page that says what the library knows of citations, what is missing, and what fills it."""
