"""evaluation/aivat."""
