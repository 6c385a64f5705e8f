"""One service a file; :mod:`registry` lists them.

The window describes them too: what reads their answers is imported once there are some.
"""
