"""Papers like others: what is asked for, what speaks for a paper, and how that is weighed."""
