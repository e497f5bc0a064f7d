"""Flying Circus, looking ahead: what the enemy may fly, and what both may do in the turn after.

It is the rule set's own pilot. It lets the enemy answer the plots it has in mind, and itself answer
his, twice; weighs its own plots against all of his by the firing clock and the mean of the combat
tables; and counts for the best of them the shots that either may come to from there.
"""

from __future__ import annotations

from guncamera.rulesets.circus.pilot import stock as choose

__all__ = ["choose"]
