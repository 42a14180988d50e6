"""Other programs' sessions: found, named, listed, searched. Nothing here writes to what an agent owns."""
