# %% [markdown]
# # Solve a river
#
# An equilibrium of what is left of a hand, with every hand of both players.

# %%
import acpcbot

spot = acpcbot.solve(
    "KsTd9h4s2c",
    pot=100,
    stack=100,
    ranges=("QcJc,6h5h", "AcAd"),
    bets="all-in",
    target_percent=0.01,
)
spot

# %% [markdown]
# The first player holds a straight or nothing, the other aces. A pot-sized bet makes the caller
# indifferent where one bluff comes with two value bets, and the bluffer where half is called.

# %%
nuts, bluff = spot["QcJc"], spot["6h5h"]
call = spot.after("all-in")["AcAd"]["call"]
print(f"bets: the straight {nuts['all-in']:.2f}, nothing {bluff['all-in']:.2f}")
print(f"aces call {call:.2f}")
print(f"the first player's value: {spot.values_chips[0]:+.1f} chips")

# %% [markdown]
# Solve with ranges as wide as you like, and look at a whole decision as a 13 x 13 chart.

# %%
whole = acpcbot.solve("KsTd9h4s2c", pot=100, stack=400, iterations=50)
print(f"all hands: within {whole.exploitability_percent:.1f} % of the pot of an equilibrium")
whole.first
