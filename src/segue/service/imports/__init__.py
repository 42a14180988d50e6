"""Sessions brought into the log: which thread each record belongs in, and which frames tell it."""
