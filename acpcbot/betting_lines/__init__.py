"""All betting lines of a game for two side by side: their layout, kernels, and learners over them.

``lines.py`` lays the lines of each street out as lanes; ``street_kernels.py`` carries reaches and
values through the betting of a street, in the arrays of ``street_arrays.py`` and with the folds and
showdowns of ``end_kernels.py``, and ``street_walks.py`` through the streets of a board. Two
learners draw boards and let all hands learn at once: ``public_sampling.py`` against each other,
``cfr_br.py`` against best responses, by ``response_iterations.py``. Both keep their sums in
``lane_sums.py``; what an iteration needs of a board is in ``street_rooms.py``.
"""
