"""The nouns. Pure values; this room imports nothing of ours."""
