"""The page that holds labels against what a model makes of the papers."""
