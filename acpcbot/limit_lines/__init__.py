"""All betting lines of a limit game side by side: their layout, kernels, and a learner over them.

``lines.py`` lays the lines of each street out as lanes; ``street_kernels.py`` carries reaches and
values through the betting of a street; ``public_sampling.py`` learns from boards that are drawn,
with all hands at once.
"""
