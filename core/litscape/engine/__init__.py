"""Child processes that compute: query encoding, bulk embedding, export."""
