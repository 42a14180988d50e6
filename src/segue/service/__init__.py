"""One function per operation. The only room that introduces rooms to each other; it never prints."""
