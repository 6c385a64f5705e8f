"""One service a file; :mod:`registry` lists them."""
