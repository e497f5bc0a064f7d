"""Kettering, looking ahead: on the torpedo's tail now, and so as to stay there for three turns.

It is the rule set's own pilot. Of the flights that end in a shot it takes the one whose odds, and
those of the shots that may follow if it misses, are best, over all that wind and torpedo may do;
where there is no shot, the place from which the odds of next turn's are best.
"""

from __future__ import annotations

from guncamera.rulesets.kettering.pilot import stock as choose

__all__ = ["choose"]
