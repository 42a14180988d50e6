"""Trouble in what a run printed, asked where its exit says nothing: the line that tells against it.

It need not have failed: what is found is shown beside the command, which is then not said to have worked.
"""

from __future__ import annotations

from segue.extract.text.prose import clipped, flat, phrases, word_set

_TAIL = 2000
_ROWS = 40
_SIGNS = phrases(
    "error|fail|not |denied|refused|http/|leak|differ|mismatch|cannot|could not|unable|fatal|panic|abort|timed out|"
    "halted|sanitizer|warning|issue|problem|offen|violation|vulnerab|opportunit|suggestion|missing|invalid|corrupt|broken|"
    "unreachable|unauthorized|forbidden|exception|✗|✘|✖|❌"
)
"""One of these stands in every row that tells of trouble, in small letters."""
_BEGINS = phrases(
    "error|errors|err!|fatal|failed|failure|fail|panic|leak|leaks|traceback|uncaught|unhandled|cannot|could not|"
    "unable to|aborted|exception|permission denied|access denied|segmentation fault|✗|✘|✖|❌"
)
_ENDS = (
    *("not found", "no such file or directory", "permission denied", "connection refused", "(core dumped)"),
    *("timed out", "access denied", "unauthorized", "forbidden", "unreachable", "execution halted"),
)
_HOLDS = (
    ": error:",
    ": fatal:",
    ": error ",
    "sanitizer:",
    "runtime error:",
    "failed with ",
    "failed to ",
    " failed: ",
)
_SHOUTED = word_set(
    """
    DIFFERS DIFFER DIFFERENT MISMATCH MISMATCHED MISMATCHES LEAK LEAKS LEAKED FAIL FAILS FAILED FAILURE ERROR ERRORS
    BROKEN MISSING CORRUPT CORRUPTED INVALID REJECTED DENIED REFUSED ABORTED TIMEOUT UNREACHABLE CRITICAL CONFLICT
    DEGRADED UNHEALTHY DOWN
    """
)
_DENIES = word_set("will is does do did was were are could can has have cannot")
"""What stands before a shouted NOT."""
_COUNTED = word_set(
    """
    error errors issue issues problem problems offense offenses offence offences violation violations failure failures
    failed failing fail warning warnings mismatch mismatches difference differences opportunity opportunities
    suggestion suggestions vulnerability vulnerabilities
    """
)
_DENIALS = word_set("false no nil null none undefined nan error failed fail")
_SHORT = 12
_REACH = 3
"""Words between a number and what it counts."""
_WELL = word_set(
    """
    match matches matched matching ok okay passed pass passing succeed succeeded success successful healthy ready up
    valid verified converged identical equal green clean synced migrated applied correct done complete completed
    available reachable running
    """
)
_ENDED_WELL = word_set(
    "complete completed success successful successfully succeeded done finished deployed passed ok"
)
_PASSED = word_set("success successful successfully succeeded passed validated valid verified")
_FEW = 3
_BULLETS = " \t•·*-✓✔√"
_DOUBTS = word_set("not no without skipped skipping until unless if")
_APART = str.maketrans(";|()", ",,,,")
_ENDS_WORD = ("", " ", ":", "[", "!", "(")
_MARKS = ".,:;!?()[]{}<>'\"`*|=-"


def trouble(text: str) -> str:
    """The last row that tells of trouble; empty where none does."""
    tail = text[-_TAIL:]
    low = tail.lower()
    if any(sign in low for sign in _SIGNS):
        for row in reversed(tail.split("\n")[-_ROWS:]):
            if _tells(row.strip()):
                return clipped(flat(row), 160)
    return falls_short(tail)


def falls_short(text: str) -> str:
    """The last row, where it counts how many are well and not all are: `35/36 match`, `3 of 4 hosts healthy`; or all that
    was printed, where that is a plain no."""
    row = text[-_TAIL:].rstrip().rpartition("\n")[2]
    if len(row) <= _SHORT and row.strip(_MARKS).lower() in _DENIALS and text.strip() == row.strip():
        return row.strip()
    if "/" not in row and " of " not in row:
        return ""
    words = [word.strip(_MARKS) for word in row.split()]
    for place, word in enumerate(words):
        few, slash, all_of_them = word.partition("/")
        if not slash and words[place + 1 : place + 2] == ["of"] and len(words) > place + 2:
            all_of_them = words[place + 2]
        if few.isdecimal() and all_of_them.isdecimal() and int(few) < int(all_of_them):
            said = {other.lower() for other in words}
            return "" if said.isdisjoint(_WELL) or "skipped" in said else clipped(flat(row), 160)
    return ""


def shows_status(words: tuple[str, ...]) -> bool:
    """It was told to print the status with which a server answers."""
    return any(
        "http_code" in word
        or "response_code" in word
        or word in ("--head", "--include")
        or (word[:1] == "-" and word[1:2] != "-" and not {"I", "i"}.isdisjoint(word))
        for word in words
    )


def refused_by_server(text: str) -> str:
    """The last status line of an answer, or the bare status, where it tells that the server would or could not."""
    rows = [row.strip() for row in text[-_TAIL:].split("\n")]
    heads = [row for row in rows if row.startswith("HTTP/")]
    said = heads[-1] if heads else next((row for row in reversed(rows) if row), "")
    codes = [word.strip(_MARKS).rpartition("=")[2].rpartition(":")[2] for word in said.split()]
    told = codes[1:2] if heads else codes[-1:] + codes[:1]
    return clipped(said, 160) if any(_is_refusal(code) for code in told) else ""


def _is_refusal(code: str) -> bool:
    return len(code) == 3 and code.isdecimal() and (code[0] in "45" or code == "000")


def ends_well(text: str) -> bool:
    """The last row says that something was brought to its end."""
    said = {word.strip(_MARKS).lower() for word in text.rstrip().rpartition("\n")[2].split()}
    return not said.isdisjoint(_ENDED_WELL) and said.isdisjoint(_DOUBTS)


def own_trouble(text: str, program: str) -> str:
    """The last row that tells of trouble, of a program that shows what others wrote: what it says in its own name, else
    what stands in a few rows, which may be its own."""
    rows = text.strip().split("\n")
    named = [row for row in rows if row.startswith(f"{program}: ")]
    if named:
        return clipped(flat(named[-1]), 160)
    return trouble("\n".join(rows if len(rows) <= _FEW else [r for r in rows if r.startswith("HTTP/")]))


def says_passed(text: str) -> str:
    """The row in which a check says at its end that all went well, where no word of trouble stands near it: the last
    one, or one that counts what passed."""
    tail = text[-_TAIL:]
    low = tail.lower()
    if any(sign in low for sign in _SIGNS):
        return ""
    rows = [row.strip(_BULLETS) for row in tail.rstrip().split("\n")[-_FEW:]]
    for row in reversed(rows):
        words = [word.strip(_MARKS).lower() for word in row.split()]
        counts = len(words) > 1 and words[0].isdecimal() and int(words[0]) > 0 and words[-1] in _PASSED
        told = counts or (row is rows[-1] and not _PASSED.isdisjoint(words))
        if told and "0" not in words and _DOUBTS.isdisjoint(words):
            return clipped(flat(row), 120)
    return ""


def _tells(row: str) -> bool:
    low = row.lower()
    if row.startswith("HTTP/"):
        return bool(refused_by_server(row))
    if not any(sign in low for sign in _SIGNS):
        return False
    words = [word.strip(_MARKS) for word in row.split()]
    if "0" in words or any(
        word.lower() == "no" and _COUNTED.intersection(words[at : at + 3]) for at, word in enumerate(words)
    ):
        return _counts(row)
    return (
        _begins(low)
        or low.rstrip(_MARKS).endswith(_ENDS)
        or any(words_of in low for words_of in _HOLDS)
        or any(word in _SHOUTED for word in words)
        or any(word == "NOT" and words[at - 1].lower() in _DENIES for at, word in enumerate(words) if at)
        or _counts(row)
    )


def _begins(low: str) -> bool:
    """It begins with a word of trouble, and not with a name that does."""
    return any(low.startswith(begin) and low[len(begin) :][:1] in _ENDS_WORD for begin in _BEGINS)


def _counts(row: str) -> bool:
    """It counts more than none of what is wrong: `found 2 refactoring opportunities`, `errors: 2`, `failed=1`."""
    for part in row.translate(_APART).split(","):
        words = part.lower().split()
        for at, word in enumerate(words):
            before, named, number = word.rpartition("=")
            if named:
                near = [before]
            elif at and words[at - 1][-1] == ":":
                near = [words[at - 1]]
            else:
                near = words[at + 1 : at + 1 + _REACH]
            if (
                number.strip(_MARKS).isdecimal()
                and int(number.strip(_MARKS))
                and any(word.strip(_MARKS) in _COUNTED for word in near)
            ):
                return True
    return False
