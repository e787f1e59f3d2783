"""The ACPC protocol without sockets or clocks: bytes in, events out, for both ends and for match logs."""
