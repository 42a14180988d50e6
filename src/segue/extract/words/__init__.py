"""The person's words: what was asked for, which rules stand, and which a later word replaced."""
