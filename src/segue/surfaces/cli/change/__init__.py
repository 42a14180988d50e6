"""Change records: work that is tracked across sessions."""
