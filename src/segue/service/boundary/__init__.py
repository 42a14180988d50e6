"""Where a session ends or is compacted: what is kept, brought up to date, given once, asked for once, and recorded."""
