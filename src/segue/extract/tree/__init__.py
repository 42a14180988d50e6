"""The working tree: files that were read and changed, and what git made of them."""
