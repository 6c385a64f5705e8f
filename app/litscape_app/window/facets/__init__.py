"""Facets beside the table: years, venues, authors … of what is listed, to narrow it by."""
