"""Labels that a person trusts, held against what a model makes of the papers."""
