"""The commands of ``acpcbot``, a module each: ``add_arguments`` and ``run``.

A module is imported when its command is typed; whatever is heavy is imported in ``run``.
"""
