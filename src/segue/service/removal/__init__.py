"""Content removed: for good where a person says so (`forget`), by age where settings say so (`gc`)."""
