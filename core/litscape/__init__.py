"""Litscape: a local literature explorer. The public Python API."""
