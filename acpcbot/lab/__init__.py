"""Experiments that reproduce tables and figures of papers, for ``acpcbot lab``.

``experiment.py`` has their contract, ``catalogue.py`` names them; each is a module of its own.
``runner.py`` does their units of work in processes, ``results.py`` keeps rows, ``charts.py`` makes
the table and the plot, ``published.py`` reads the papers' figures.
"""
