"""The table in the browser: people play strategies, watch matches as they are played, and replay logs."""
