"""Is everything still what it was? The log, the workspace, the boundary and what is installed, looked at and mended."""
