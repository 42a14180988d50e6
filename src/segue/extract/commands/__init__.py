"""Command lines and their runs: what was run, what it printed, what of it failed and what made it good."""
