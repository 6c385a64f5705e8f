"""Measures, intervals, splits and the one protocol by which rankings are compared."""
