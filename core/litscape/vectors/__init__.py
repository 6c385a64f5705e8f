"""Vector files, one per model version, memory-mapped, with an id column."""
