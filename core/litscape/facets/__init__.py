"""Facets: how many papers of a result have which year, venue, author, tag and so on."""
