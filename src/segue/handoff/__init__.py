"""Facts to texts and back: what a handoff says, how it is written, read, judged and checked again."""
