"""The list of papers in the middle: model, drawing, view and the bar above it."""
