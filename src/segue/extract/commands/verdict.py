"""What the output of a run says: did it fail, in which lines, and how did it conclude.

The record's own word (error flag, exit code) comes first. A check whose exit was swallowed by a
pipe failed if it printed so, and passed only if it printed that; of two such lines the last counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from segue.extract.commands.summed import beneath, only_counts, only_judges, sums_up
from segue.extract.text.particulars import kind, with_particulars
from segue.extract.text.prose import clipped, flat
from segue.model.patterns import compiled

_PRINTED_FAILURE = compiled(
    r"^(?:--- FAIL|FAIL\b|FAILED\b|panic:|Traceback \(most recent|error(?:\[E\d+\])?: |npm (?:ERR!|error)|fatal: |make(?:\[\d+\])?: \*\*\*"
    r"|\[ +FAIL(?:ED  \]| [1-9])|not ok \d|[1-9]\d* issues?:$|thread '.*' panicked|\s*(?:[Bb]uild [Ff]ailed|Build FAILED|BUILD FAILED)\b|FAILURE: |\[ERROR\] "
    r"|[^\s:()]+\(\d+,\d+\): error\b|[^\s:]+:\d+(?::\d+)?: (?:fatal error|error|undefined|undeclared|cannot|syntax error)\b"
    r"|(?:\w+\.)*[A-Z]\w*(?:Error|Exception): |\*\*\* Error |error (?:TS|CS|MSB|FS)\d+)",
    re.M,
)
_COUNTED_FAILURES = compiled(
    r"\b[1-9]\d* (?:(?:tests? )?failed|fail|errors?|failing|failures?|Error\(s\))(?!\w)"
    r"|\b(?:Failures|Errors|Failed): +[1-9]|^(?:#|ℹ) fail [1-9]",
    re.M,
)
"""Asked apart, where a word of it stands at all: a number may begin anywhere in a row."""
_GAVE_UP = compiled(
    r"^\s*(?:Failed to \w|Failed!|ERROR: |.*\b(?:failed|exited|ended|terminated) with (?:an? )?(?:non-?zero )?(?:exit )?(?:code|status):? *[1-9]"
    r"|.*\b(?:exit|return) (?:code|status):? [1-9])",
    re.M,
)
"""What any program says when a part of it did not work. Some go on and succeed all the same."""
_GIVING_UP = ("Failed", "ERROR: ", " code", " status")
"""One of these stands wherever that is said."""
# Patterns that ignore case take five times as long to compile, so these are lower case, as what they meet.
_ERROR = compiled(
    r"\b(?:error|fail(?:ed|ure|ing)?|fatal|panic(?:ked)?|exception|cannot|can't|could not|couldn't|undefined|not found|no such|denied|refused"
    r"|unexpected|expected|invalid|unknown|missing|timed? ?out|mismatch|unresolved|must|assert\w*|rejected|conflict|abort(?:ed)?)\b|\w+error\b|\w+exception\b|✗|✘|✖|×",
)
_EMPTY = compiled(
    r"(?:exit code \d+|.{0,30}(?:command|task|process|script) (?:failed|exited|completed)(?: with (?:exit )?code \d+)?\.?|exit status \d+|fail|elifecycle.*"
    r"|for more information about .*|error: recipe .*|make(?:\[\d+\])?: \*\*\*(?! no rule).*|=+ .* =+|(?:\[[^\]]*\] )?(?:(?:finished|done|completed) in [\d.]+ ?m?s\b.*|\$ .*)|-{3,}|output:|stderr:|stdout:|\[… \d+ characters left out …\]|[\[\]{}(),]+)$",
)
_PASSING = compiled(
    r"[+-]\s|.*\.\.\. ok$|ok\s+\S+\s|(?:PASS|✓|√|✔)|.*\b0 (?:failed|errors?|failures)\b(?!.*\b[1-9]\d* (?:failed|errors?))"
)
_DECISIVE = compiled(
    r"--- fail|^failed |^e\s{2,}|\bassert|\w+error\b|\w+exception\b|panic|error\[|error ts\d+|^error:|^fatal:|: error|:\d+(?::\d+)?[: ]|expected|undefined|cannot|not found|rejected|✗|✘|✖|●",
)
_NO_OUTPUT = compiled(r"(?:\(.{0,40}no output\)|.{0,40}without output.{0,20}|exit code \d+)?", re.I)
_COMPLAINT = compiled(
    r"(?:\./)?[\w@/+-][\w.@/+-]*\.\w+:\d+(?::\d+)?(?::|\s)|.*(?<![\w-])(?:error|Error|ERROR)(?![\w-])"
)
_WARNING = compiled(r"\b(?:warn(?:ing)?|note|info)\b")
_NOT_FOUND = compiled(
    r"(?:^|[:\s])([\w./+-]+): (?:command )?not found$|[Cc]ommand not found: ([\w./+-]+)|Failed to spawn: `([\w./+-]+)`|'([\w./+-]+)' is not recognized as"
)
_TESTED = (
    (
        " in ",
        r"^=*\s*((?:\d+ (?:passed|failed|skipped|error|errors|xfailed|warnings?|deselected)(?:, )?)+ in [\d.:ms ()]+)",
    ),
    ("test result: ", r"^test result: (.*)$"),
    ("Tests", r"^\s*(Tests:?\s+.*(?:passed|failed).*)$"),
    ("Test Suites:", r"^\s*(Test Suites:.*)$"),
    (" passing", r"^\s*(\d+ passing\b.*)$"),
    ("Ran ", r"^(Ran \d+ tests? in .*)$"),
    (
        " test| spec| example| assertion| scenario",
        r"^\s*((?:\d+ \w+, )*\d+ (?:tests?|specs?|examples?|assertions?|scenarios?),? .*(?:pass|fail|failure).*)$",
    ),
    ("Tests run:", r"^(?:\[\w+\]\s+)?(Tests run: \d+, Failures: .*)$"),
    (" pass\n", r"^\s*(\d+ pass)$"),
    (
        "% tests passed|Passed!|All tests passed",
        r"^(?:.*: )?((?:\d+% tests passed|Passed!|All tests passed).*)$",
    ),
    ("OK (|Executed ", r"^\s*(OK \(\d+ test.*|Executed \d+ tests?, with .*)$"),
    ("[  PASSED  ]|[ FAIL ", r"^(\[  PASSED  \] .*|\[ FAIL \d+ .*\])$"),
    ("# pass |ℹ pass ", r"^(?:#|ℹ) (pass \d+)$"),
    ("PASS", r"^(PASS)$"),
    ("ok", r"^(ok\s+\S+.*)$"),
)
"""How tests sum themselves up: what one of stands in every such line, and the line. A pattern is compiled where its
words are met: all of them take 4 ms, and most sessions need a few."""
_CHECKED = (
    ("All checks passed", r"^(All checks passed!?)$"),
    ("no issues found", r"^(Success: no issues found.*)$"),
    ("Found ", r"^(Found \d+ errors?.*)$"),
    ("Finished ", r"^\s*(Finished (?!`test`).*)$"),
    ("BUILD ", r"^(?:\[INFO\] )?(BUILD (?:SUCCESS\w*|FAILED).*)$"),
    (
        "built in|Build succeeded|ompiled successfully",
        r"^\s*(?:✓ |✔ )?((?:built in|Build succeeded|Compiled successfully|webpack \S+ compiled successfully).*)$",
    ),
    (" problem", r"^(\d+ problems? .*)$"),
    ("0 ", r"^(0 (?:issues|errors|warnings)\b.*)$"),
)
_COUNTED = frozenset(("passed", "failed", "errors", "error", "passing", "tests"))
_HEADING = frozenset(
    ("the", "following", "tests", "failed", "failures", "error", "errors", "message", "examples", "[error]")
)
"""Words of a line that announces complaints and is none."""
_HELPS = ("help:", "hint:", "= help:", "= note:", "tip:", "suggestion:")
_BESIDE = 4
"""How many names, places and values are told with the complaints."""
_TAIL = 4000
_NOT_OVER = (8, 124, 130, 143)
"""Exit codes of a look at checks that were pending, ran out of time or was interrupted."""
_FAILING = compiled(r"\b[1-9]\d* failing")
_MARGIN = compiled(r"^(?:E|\||>)\s+(?=\S)")
"""What runners draw beside a line."""
_TERMINAL = compiled(
    r"\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][A-Z0-9])|[\x00-\x08\x0b-\x1f]"
)


def _as_shown(text: str) -> str:
    """Text without what only steers a terminal."""
    return _TERMINAL.sub("", text) if _is_drawn(text) else text


def _is_drawn(text: str) -> bool:
    return "\x1b" in text or "\r" in text or "\x08" in text


def silent(text: str) -> bool:
    """Nothing was printed, or only the harness's word that nothing was."""
    return _NO_OUTPUT.fullmatch(text.strip()) is not None


def untroubled(text: str) -> bool:
    """Nothing that was printed speaks of something going wrong."""
    return _ERROR.search(text.lower()) is None


def printed_failure(text: str) -> bool:
    tail = _as_shown(text[-_TAIL:])
    head = _as_shown(text[:_TAIL]) if len(text) > _TAIL else ""
    return any(_PRINTED_FAILURE.search(part) or counts_failures(part) for part in (tail, head))


def counts_failures(text: str) -> bool:
    return ("ail" in text or "rror" in text) and _COUNTED_FAILURES.search(text) is not None


def gave_up(text: str) -> bool:
    """It says that something did not work, and nothing after that says that it did."""
    tail = _as_shown(text[-_TAIL:])
    if not any(sign in tail for sign in _GIVING_UP):
        return False
    last = max((found.start() for found in _GAVE_UP.finditer(tail)), default=-1)
    return last >= 0 and next(_summaries(tail[last:], (*_TESTED, *_CHECKED)), None) is None


def complains(text: str) -> bool:
    """What a search let through of a checker's output holds a complaint that is more than a warning."""
    rows = [
        row.lstrip("┃│ ") if row[:1] in ("┃", "│") else row for row in _as_shown(text[-_TAIL:]).split("\n")
    ]
    return any(
        _COMPLAINT.match(row) and not _PASSING.match(row) and not _WARNING.search(row.lower()) for row in rows
    )


def not_over(exit_code: int | None, text: str) -> bool:
    """Checks that run elsewhere, and that somebody only looked at, have not come to an end."""
    if exit_code in _NOT_OVER:
        return True
    cells = [row.split("\t") for row in text.split("\n")]
    failing = any(len(cell) > 1 and cell[1].strip() == "fail" for cell in cells) or _FAILING.search(text)
    return not failing and ("pending" in text or "still in progress" in text)


def still_open(text: str) -> str:
    """That checks elsewhere are not over, with the last one that is not."""
    waiting = [flat(row) for row in text.split("\n") if "pending" in row or "in progress" in row]
    return clipped(": ".join(["not over yet", *waiting[-1:]]), 200)


def missing_tool(lines: tuple[str, ...]) -> str:
    """The program that a shell did not find; empty where it complains of something else."""
    found = next((found for line in lines if (found := _NOT_FOUND.search(line))), None)
    return next(name for name in found.groups() if name) if found else ""


_NONE_RAN = (
    *("no test", "no spec", "collected 0 items", "0 tests", "0 specs", "0 examples", "0 passed", "0 passing"),
    *("skip", "ignored", "pending", "collected", "deselected", "todo", "total: "),
)
"""What one of stands in the output of every run of tests in which none ran."""
_RAN = frozenset(
    ("passed", "passing", "pass", "failed", "failing", "failures", "succeeded", "ok", "assertions", "of")
)
_TESTS = ("test", "spec", "example")
_SPACED = str.maketrans(";=:().", ",     ")
_IDLE = frozenset(("skipped", "pending", "ignored", "todo", "disabled", "deselected"))


def ran_none(text: str) -> bool:
    """A run of tests says that not one ran: none was found, all were skipped or they were only listed."""
    said = text[-_TAIL:].lower()
    if not any(sign in said for sign in _NONE_RAN):
        return False
    there = idle = 0
    told = False
    for row in map(str.strip, said.split("\n")):
        if row.startswith(("ok ", "ok\t")) and row[3:4] not in ("(", "|"):
            if "[no test" not in row and "--- skip" not in said:
                return False
            told = True
        if row.startswith("--- pass") or (row.startswith("test ") and row.endswith("... ok")):
            return False
        for number, word in _numbers(row):
            if number and word in _RAN:
                return False
            told = told or word in _RAN or word in _IDLE or word.startswith(_TESTS)
            if word in _IDLE:
                idle += number
            elif word == "run" or (word.startswith(_TESTS) and "collected" not in row):
                there = max(there, number)
    return ("no test" in said or "no spec" in said or told) and there <= idle


def _numbers(row: str) -> Iterator[tuple[int, str]]:
    """The numbers in a row with the words before and behind them."""
    if any(letter.isdigit() for letter in row):
        for part in row.translate(_SPACED).split(","):
            for first, second in pairwise(part.split()):
                if first.isdecimal() != second.isdecimal():
                    yield (int(first), second) if first.isdecimal() else (int(second), first)


def complaints(text: str) -> list[str]:
    """All lines that speak of something going wrong, in their order, with the names, places and values beside
    them and what is told beneath one that only sums up. Where none does, those of the task that failed, if several ran side by side, else those that begin with
    a place in a file, else the last ones."""
    shown = (_TERMINAL.sub(" ", text) if _is_drawn(text) else text).split("\n")
    rows = [row for row in shown if not _echoes(row)]
    if _TRACED in text:
        rows = list(_without_traced_code(rows))
    said = [_MARGIN.sub("", flat(row)) for row in rows]
    told = [r for r in said if 8 <= len(r) <= 600 and not _EMPTY.match(r.lower()) and not _PASSING.match(r)]
    hits = {r for r in told if _ERROR.search(r.lower()) or _names_rule(r)}
    hits = {r for r in hits if not _is_heading(r) and not r.lower().startswith(_HELPS)} or hits
    hits.update(r for r in beneath(rows, said, hits) if r in told)
    located = [r for r in told if _COMPLAINT.match(r)] if not hits else []
    return with_particulars(said, hits) or _of_failed_task(told, said) or located or told[-2:]


def _is_heading(row: str) -> bool:
    """It only announces the complaints under it."""
    return row[-1:] == ":" and _HEADING.issuperset(row[:-1].lower().split())


def _names_rule(row: str) -> bool:
    """A linter's mark and the rule that something breaks."""
    return row[:2] in ("x ", "! ", "⚠ ") and row[2:].partition(" ")[0].endswith("):")


def _echoes(row: str) -> bool:
    """A line of code that a runner repeats and marks with an arrow."""
    row = row.lstrip()
    return row[:1] == ">" and (row[1:4] == "   " or " | " in row[:12])


_TRACED = '  File "'


def _without_traced_code(rows: list[str]) -> Iterator[str]:
    """The rows without the code that a trace shows under each place: what it raises is told at the end. What was asserted
    may be told nowhere else."""
    below = False
    for row in rows:
        code = row.lstrip()
        if not below or code.startswith("assert"):
            yield row
        below = (row.startswith(_TRACED) and ", line " in row) or (below and code[:1] in ("^", "~"))


def _of_failed_task(told: list[str], said: list[str]) -> list[str]:
    """The first lines of the task whose label stands before the word that one failed."""
    labels = {row.partition("] ")[0] for row in said if row[:1] == "[" and "failed" in row}
    return [row for row in told if row[:1] == "[" and row.partition("] ")[0] in labels][:3]


def error_lines(text: str, most: int = 6) -> tuple[str, ...]:
    """The lines that say what went wrong, in their order, the first complaint always among them."""
    return decisive(complaints(text), most)


def decisive(hits: list[str], most: int = 6) -> tuple[str, ...]:
    """Of all complaints those to tell, and a few of the names, places and values beside them; first what failed,
    then how many did. That something failed stands before its particulars where several did."""
    beside = [r for r in hits if kind(r) and not _ERROR.search(r.lower())]
    own = [r for r in hits if r not in beside]
    plain = [r for r in own if _DECISIVE.search(r.lower())]
    chosen = dict.fromkeys([*own[:1], *plain[: most - 1]])
    for row in own:
        if len(chosen) >= most:
            break
        chosen.setdefault(row)
    chosen.update(dict.fromkeys(beside[:_BESIDE]))
    told = [r for r in hits if r in chosen]
    heads = [r for r in told if only_judges(r)]
    if beside or len(heads) > 1:
        return tuple(clipped(r, 240) for r in sorted(told, key=only_counts))
    return tuple(clipped(r, 240) for r in sorted(told, key=sums_up))


def conclusion(text: str, *, of_tests: bool = False) -> str:
    """The line in which a check sums itself up; empty when there is none. Where it is one of tests that counts,
    what other checks of the same line said is none."""
    tail = _as_shown(text[-_TAIL:])
    found = next(_summaries(tail, _TESTED if of_tests else (*_TESTED, *_CHECKED)), None)
    if not found:
        return ""
    last = flat(found[-1])
    more = f" (and {len(found) - 1} more)" if len(found) > 1 and last.startswith("ok ") else ""
    return clipped(f"{last}{more}", 120)


def counted(outcome: str) -> tuple[int, str]:
    """How many tests a line in which they sum themselves up tells of, and by which words it does; none where it
    counts none."""
    words = outcome.replace(",", " ").replace(";", " ").replace("|", " ").replace(":", ": ").split()
    whole = sum(int(n) for n, told in pairwise(words) if n.isdigit() and told in _COUNTED)
    if not whole:
        whole = next((int(n) for told, n in pairwise(words) if told == "run:" and n.isdigit()), 0)
    if not whole and words[:1] == ["Ran"] and words[1].isdigit():
        whole = int(words[1])
    kind = "in" if " in " in outcome else words[0] if words and words[0][:1].isalpha() else ""
    kind = "result" if kind in ("ok.", "FAILED.") else kind
    return (whole, kind) if whole else (0, "")


def _summaries(text: str, kinds: tuple[tuple[str, str], ...]) -> Iterator[list[str]]:
    """The lines of each kind in which a check sums itself up, for the kinds that there are."""
    for words, pattern in kinds:
        if any(word in text for word in words.split("|")) and (found := _summary(pattern).findall(text)):
            yield found


@cache
def _summary(pattern: str) -> re.Pattern[str]:
    return compiled(pattern, re.M)
