"""Other programs' sessions, one file per program. Read-only: what an agent owns is never modified."""
