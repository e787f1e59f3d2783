"""An ACPC-protocol poker bot server."""
