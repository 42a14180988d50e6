"""Statements against the session they speak of: what each one names has to stand where it points.

`Session.of(entries)` is the evidence, `judge` the verdict on one statement, `ground` that on a whole text with what it lost,
`repaired` the text with its pointers corrected and the lost put back. Pure: no disk, no network, no model.
"""

from segue.handoff.ground.grounding import Grounding, Missing, ground, repaired
from segue.handoff.ground.judgement import Judgement, Statement, judge
from segue.handoff.ground.session import Session

__all__ = ["Grounding", "Judgement", "Missing", "Session", "Statement", "ground", "judge", "repaired"]
