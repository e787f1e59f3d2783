# %% [markdown]
# # Score a match with AIVAT
#
# A short duplicate match, and the winner's result with as much luck removed as known strategies
# allow.

# %%
from tempfile import TemporaryDirectory

import acpcbot

NAMES = ["leduc.limit.2p/dcfr", "random"]

with TemporaryDirectory() as folder:
    match = acpcbot.play_match(NAMES, hands=500, duplicate=True, seed=1, folder=f"{folder}/match")
    scores = acpcbot.aivat(match.folder)
    num_entries = sum(1 for log in match.logs for _ in acpcbot.read_match_log(log))
match

# %%
print(f"{num_entries} lines of logs")
for name in ("dcfr", "random"):
    print(scores[name])

# %% [markdown]
# The interval of AIVAT is narrower than that of the chips: it takes fewer hands to be sure.

# %%
for estimator in ("chips", "AIVAT"):
    found = scores["dcfr"][estimator]
    print(f"{estimator:5} {found.mean_mbb:+.0f} +- {found.half_width_mbb:.0f} mbb/hand")
