"""What a run measured: `time 13.1 s; memory 1.9 GB`, the end of a run that was made to learn just that.

Only of lines whose own words say that they measure, so that no other output is looked at.
"""

from __future__ import annotations

from segue.extract.text.prose import phrases, word_set

_MEASURES = phrases(
    "bench|topic hz|hyperfine|measure|latency|throughput|perf|profil|loadtest|load-test|load_test|lighthouse|wrk |k6 run|ab -n|du -s|coverage|/time | time "
)
_UNITS = word_set(
    "s ms us µs ns sec secs seconds min minutes h b kb mb gb tb kib mib gib bytes % hz khz mhz ghz fps rps qps tps req/s ops/s mb/s gb/s kb/s it/s iter/s x"
)
_LABELS = word_set(
    "rate time memory mem latency throughput size mean median avg average total duration score accuracy loss coverage speed"
    " fps rps qps tps p50 p90 p95 p99 max min peak rss heap elapsed real requests/sec"
)
_ROWS, _TOLD, _LONG = 24, 4, 72
"""Rows of a short output, rows that are told, and characters of one."""


def measures(line: str) -> bool:
    """The command line says that something is measured."""
    lower = f" {line.lower()}"
    return any(sign in lower for sign in _MEASURES)


def measured(text: str) -> str:
    """The rows of a short output that give a measure; empty for none, or where others say more."""
    rows = [" ".join(row.split()) for row in text.split("\n") if row.strip()]
    if len(rows) > _ROWS:
        return ""
    return "; ".join([row for row in rows if len(row) <= _LONG and _gives_a_measure(row)][-_TOLD:])


def readings(outcome: str) -> dict[str, float]:
    """The numbers that such an outcome gives, by the words of their labels."""
    found: dict[str, float] = {}
    for row in outcome.split("; "):
        label, number, _ = _taken_apart(row)
        if number:
            found |= {word: float(number) for word in label if word in _LABELS}
    return found


def _gives_a_measure(row: str) -> bool:
    label, number, rest = _taken_apart(row)
    return bool(number) and ((_UNITS.issuperset(rest) and bool(rest)) or not _LABELS.isdisjoint(label))


def _taken_apart(row: str) -> tuple[list[str], str, list[str]]:
    """The words before the first number of a row, the number, and its unit with what follows."""
    words = row.lower().replace(":", " ").replace("=", " ").replace("|", " ").replace(",", "").split()
    for place, word in enumerate(words):
        if not word[:1].isdigit():
            continue
        number = word.rstrip("abcdefghijklmnopqrstuvwxyzµ%/;")
        rest = [part for part in (word[len(number) :], *words[place + 1 :]) if part]
        return (
            (words[:place], number, rest) if place and number.replace(".", "", 1).isdigit() else ([], "", [])
        )
    return [], "", []
