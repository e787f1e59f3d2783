"""Finished strategies on disk: what a folder of them holds, how it is checked, and how it is played."""
