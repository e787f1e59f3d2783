"""The records of a betting tree for two: nodes, their actions, and the ends of hands.

Nodes, int32 [node, 6]:

FIRST_ACTION, NUM_ACTIONS  the node's rows among the actions
SEAT, STREET               who acts, and when
SLOT                       the node's first slot in the row of a bucket or hand of its street
BLOCK_END                  of a node with which a street begins: where that street's nodes end

Actions, int32 [action, 3]:

CHILD                      the number of the node that follows, or ``~end`` where the hand is over
KIND, RAISE_TO             what is done, as in ``poker/actions.py``

Ends, int32 [end, 4]:

SPENT + seat               the chips that a seat put in
FOLDED                     the seat that folded, NOBODY at a showdown
END_STREET                 the street of the last action: a showdown may have board cards to come
"""

from __future__ import annotations

FIRST_ACTION, NUM_ACTIONS, SEAT, STREET, SLOT, BLOCK_END = 0, 1, 2, 3, 4, 5
NODE_LENGTH = 6
CHILD, KIND, RAISE_TO = 0, 1, 2
ACTION_LENGTH = 3
SPENT, FOLDED, END_STREET = 0, 2, 3
END_LENGTH = 4

NOBODY = -1
