"""When to act: thresholds on how full the context is, fired once, armed again when it empties.

A warning must come below the harness's own trigger, or the handoff is never written in time: for one that compacts
early, all of them move down.
"""

from __future__ import annotations

from segue.model.value import NamedTuple

NOTHING, WARN, REQUIRE, REARM = "nothing", "warn", "require", "rearm"


class Thresholds(NamedTuple):
    warning_percent: int = 85
    target_percent: int = 92
    rearm_percent: int = 80
    keep_recent_tokens: int = 20_000


SETTINGS = ("checkpoint_warning_percent", "compact_target_percent", "rearm_percent", "keep_recent_tokens")
"""What each of the thresholds is called among the settings of a boundary."""


class Verdict(NamedTuple):
    action: str
    fired: int
    percent: int


_WARNED, _DUE, _REARMED = 7, 2, 5
"""Points before an early trigger at which is warned and a compaction called due, and below the warning to arm again."""


def ahead_of(thresholds: Thresholds, trigger: int | None) -> Thresholds:
    """The thresholds, lowered where the harness compacts by itself before they would be reached."""
    if trigger is None or trigger > thresholds.target_percent:
        return thresholds
    warning = max(min(thresholds.warning_percent, trigger - _WARNED), 1)
    return thresholds._replace(
        warning_percent=warning,
        target_percent=max(min(thresholds.target_percent, trigger - _DUE), warning),
        rearm_percent=min(thresholds.rearm_percent, warning - _REARMED),
    )


def judge(tokens: int, window: int, fired: int, thresholds: Thresholds) -> Verdict:
    """What a sample of the context's occupancy calls for. Each level fires once; falling below the lower
    mark arms both again. Without a window nothing can be said."""
    if window <= 0 or tokens <= 0:
        return Verdict(NOTHING, fired, 0)
    percent = min(tokens * 100 // window, 999)
    if percent < thresholds.rearm_percent:
        return Verdict(REARM if fired else NOTHING, 0, percent)
    if percent >= thresholds.target_percent and fired < 2:
        return Verdict(REQUIRE, 2, percent)
    if percent >= thresholds.warning_percent and fired < 1:
        return Verdict(WARN, 1, percent)
    return Verdict(NOTHING, fired, percent)


def reserve_tokens(window: int, target_percent: int) -> int:
    """Tokens that stay free when compaction starts at the target."""
    return -(-window * (100 - target_percent) // 100)


def problems(thresholds: Thresholds, harness_percent: int | None) -> list[str]:
    """What is wrong with these numbers, as sentences."""
    found = late(thresholds, harness_percent)
    if not thresholds.rearm_percent < thresholds.warning_percent <= thresholds.target_percent:
        found.append("The thresholds must rise: re-arm below warning, warning not above target.")
    return found


def late(thresholds: Thresholds, harness_percent: int | None) -> list[str]:
    """What is wrong with these numbers for a harness that compacts at this percentage, as sentences."""
    if harness_percent is None or thresholds.warning_percent < harness_percent:
        return []
    return [
        f"The warning at {thresholds.warning_percent} % comes too late: this agent compacts at {harness_percent} %."
    ]
