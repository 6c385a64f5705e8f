"""The citation view: who cites whom around the chosen papers, by year."""
