"""Change records: work that is tracked across sessions, in files under docs/TC that git reviews and merges.

An ID is a record's name or the beginning of it, as TC-012 or 12. Items of lists are named by number or text.
"""
