"""From entries to facts: what happened in a session, and what of it the next one must not lose."""
