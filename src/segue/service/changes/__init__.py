"""Change records: files of the project, read, judged and amended under one lock."""
