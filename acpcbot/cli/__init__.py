"""The command line: ``dispatch.py`` finds the command, ``commands/`` has a module for each.

Beside them lies what several commands share: arguments, progress on stderr, hints for errors.
stdout is data, stderr is talk.
"""
