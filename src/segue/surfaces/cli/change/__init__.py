"""Change records: work that is tracked across sessions, in files under docs/TC that git reviews and merges."""
