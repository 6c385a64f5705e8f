"""English words that say nothing about a subject."""

from __future__ import annotations

_WORDS = """
    a about above after again against al all also although am among an and another any are aren as
    at be because been before being below between both but by can cannot could couldn d did didn do
    does doesn doing don done down due during each either et etc even ever few for from further had
    hadn has hasn have haven having he her here hers herself him himself his how however i ie if in
    into is isn it its itself just ll many may me might more most much must my myself neither no nor
    not now of off often on once one only onto or other others our ours ourselves out over own per
    rather re s same shan she should shouldn since so some such t than that the their theirs them
    themselves then there thereby therefore these they this those though through thus to together
    too toward towards under until up upon us use used using ve very via was wasn we well were weren
    what when where whether which while who whom whose why will with within without won would
    wouldn yet you your yours yourself yourselves
"""
STOP_WORDS: frozenset[str] = frozenset(_WORDS.split())
