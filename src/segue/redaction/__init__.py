"""Secrets out, evidence in: what must vanish from a session before anything is stored or shown.

Pure: text and values in, the same without secrets out. `redact.py` is the way in, `rules.py` the table
of what is known, `files.py` the list of files never to be quoted.
"""
