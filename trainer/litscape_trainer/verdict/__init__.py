"""Whether a model got better: held-out papers are asked, and one word says what came out."""
