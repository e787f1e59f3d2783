"""Adapters to other libraries, each a module that needs a library and an extra of its own.

``data_frames.py``  match logs as tables of polars or pandas, and back
``openspiel.py``    strategies as OpenSpiel's policies and bots, and these as agents
``pettingzoo.py``   any game definition as an environment of PettingZoo
``rlcard.py``       agents of RLCard at our table, strategies as such, and environments
``pokerkit.py``     hands of hold'em as states of PokerKit, and back

The package exports no names: a module without its library raises UsageError when it is imported,
with a hint at the extra. ``rlcard.py`` needs none, and ``data_frames.py`` asks for one when it makes
a frame.
"""
