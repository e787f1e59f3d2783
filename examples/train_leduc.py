# %% [markdown]
# # Train in Leduc hold'em, and measure exactly
#
# Discounted CFR, its learning curve, and the same strategy in OpenSpiel.

# %%
from tempfile import TemporaryDirectory

import acpcbot

recipe = acpcbot.parse_recipe("""
game = "leduc.limit.2p"
snapshot = "strategies/leduc.limit.2p/mine"
learner = { name = "dcfr" }
budget = { count = 1000 }
curve = { points_per_decade = 1 }
""")
with TemporaryDirectory() as folder:
    result = acpcbot.train(recipe, folder=folder)
result.curve

# %%
for count, value in zip(result.curve.counts, result.curve.values["exploitability"], strict=True):
    print(f"{count:5} iterations: exploitability {1000 * value:8.1f} mbb/hand")

# %% [markdown]
# Look at one decision with every hand: after a raise and a call, on the board Qs.

# %%
print(result.strategy.decision("rc/", "Qs"))

# %% [markdown]
# OpenSpiel measures the same policy.

# %%
try:
    import pyspiel
except ImportError:
    print("OpenSpiel is not installed")
else:
    policy = pyspiel.TabularPolicy(result.strategy.openspiel_policy())
    nash_conv = pyspiel.nash_conv(pyspiel.load_game("leduc_poker"), policy)
    print(f"OpenSpiel: NashConv {nash_conv:.6f} antes")
