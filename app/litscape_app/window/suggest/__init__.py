"""What the search line offers: past searches, fields, and the values that the library has."""
