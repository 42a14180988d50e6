"""`segue serve`: every operation over HTTP, from the operations table."""
