"""A handoff checked again: against the world where it is received, and against the session it tells of."""
