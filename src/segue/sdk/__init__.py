"""segue for programs: one client, local or remote."""
