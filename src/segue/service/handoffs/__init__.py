"""From a session to the packet that the next agent starts with, and the judgement on it."""
