"""What drawing examples needs: vectors of the citation graph, ranks, rejection, in NumPy."""
