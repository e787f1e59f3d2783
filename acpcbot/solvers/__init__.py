"""Learners over the public tree: each a kernel, its arrays, and its settings."""
