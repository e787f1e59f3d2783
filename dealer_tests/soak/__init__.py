"""A long match in bad weather: the installed commands as processes, faults that are injected
and seen, and judges.
"""
