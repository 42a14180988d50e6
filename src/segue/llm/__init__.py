"""Optional text models. Nothing needs one; what one writes is checked against the evidence."""
