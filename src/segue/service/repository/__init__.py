"""The repository and its files as they are now: only looked at, within a time limit, without locks or questions."""
