"""Change records: their shape, their life, their history, and what makes them worth reading."""
