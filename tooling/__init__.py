"""Parts of ``./dev`` that are read only when they are needed: setting up, the audit, the
distributions.

They run under a bare Python, before anything is installed.
"""
