"""What is done for callers elsewhere, who name no files and review for themselves, and what is sent to a server."""
