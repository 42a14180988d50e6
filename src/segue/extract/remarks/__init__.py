"""The agent's remarks: decisions, dead ends, findings, questions, and what else it said on the way."""
