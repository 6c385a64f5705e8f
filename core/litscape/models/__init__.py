"""Immutable model versions and their cards."""
