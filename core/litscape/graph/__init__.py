"""The citation graph: who cites whom, what is cited together, and the library as of any year."""
