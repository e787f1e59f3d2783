"""Parts of ``./dev`` that are read only when needed: set-up, checks, audit, locks, wheels.

They run under a bare Python, before anything is installed.
"""
