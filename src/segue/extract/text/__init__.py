"""Prose, names and terms: what any text is made of, whoever wrote it."""
