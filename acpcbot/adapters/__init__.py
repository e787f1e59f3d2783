"""Adapters to other libraries, each a module that needs a library and an extra of its own.

``openspiel.py``   strategies as OpenSpiel's policies and bots, and these as agents
``pettingzoo.py``  any game definition as an environment of PettingZoo

The package exports no names: a module without its library raises UsageError when it is imported,
with a hint at the extra.
"""
