"""Papers cited in the styles of journals: what goes into a text and what stands in its list."""
