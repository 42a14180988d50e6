"""Why a file was changed, in the words of whoever said so.

A sentence is the reason where it names the file or something that was put into it, or where the agent announced a
change with it just before. The nearest sentence is no reason: better none than one of something else.
"""

from __future__ import annotations

from collections.abc import Sequence

from segue.extract.text.all_well import says_all_is_well
from segue.extract.text.named import as_path
from segue.extract.text.prose import clipped, flat, plainly, sentences, word_set
from segue.extract.text.relevance import terms
from segue.extract.tree.touched import Touched
from segue.model.patterns import compiled

_LEAD_IN = compiled(
    r"^(?:(?:ok(?:ay)?|good|great|perfect|now|next|first|then|so|alright|right|finally|also)[,.!:]?\s+)*"
    r"((?:let me|let's|i'?ll|i will|i'?m going to|i am going to|i'?m|i need to|i should|we need to|i can)\s+)?(?:now\s+|also\s+|first\s+)?"
)
_EMPTY = compiled(
    r"(?:check|look|see|read|view|verify|run|start|explore|examine|understand|continue|help|done|same|one more|catch|point)(?:ing)?\b"
    r"|(?:that|this|it|there|here|you)(?:'s|'re| is| are| was)\b|found (?:it|the)\b"
    r"|i (?:now )?(?:have|see|understand|found|got|tried|thought)\b"
    r"|(?:all |both )?(?:the )?(?:\d+ )?(?:\w+ )?(?:tests?|checks?|build|lint)\b.{0,20}\bfail"
)
"""What reports or only leads on, and says nothing of why a file was changed."""
_LOOKING = word_set(
    """
    checking looking reading viewing verifying running exploring examining investigating searching testing trying
    waiting inspecting reviewing comparing confirming finding nothing something everything anything
    """
)
_CHANGES = word_set(
    """
    add adjust apply bump change convert create delete drop extend extract fix handle implement inline introduce merge
    move pass patch port put refactor remove rename replace restore revert rewrite set simplify split switch tighten turn
    update use wire wrap write
    """
)
_HANDS_IN = word_set("commit push stage branch pr prs")
"""What is announced with these is no change of a file."""
_FORBIDS = ("do not", "don't", "never ", "nicht", "kein")
_ANYWHERE = word_set("main mod index lib init test tests util utils app readme")
"""Names of files that say nothing of what is in them."""
_IN_ANY_CODE = word_set(
    "test tests type string return import function code name value data line error file class list true false none"
)
_LIMIT = 110
_SHORTEST = 12
_CODE = "`'\"()[]{},;:.!?<>*"


def reason(file: Touched, prompts: Sequence[tuple[int, str]], *, alone: bool) -> str:
    """The agent's own sentence before the edit, else one of the prompt that led to it; `alone` says that for that
    prompt nothing else was edited."""
    announced = ""
    for sentence in sentences(file.why):
        said = flat(sentence)
        lead = _LEAD_IN.match(plainly(said))
        intends = bool(lead and lead[1])
        said = said[lead.end() if lead else 0 :].rstrip(".:… ")
        if _says_nothing(said) or says_all_is_well(sentence) or _is_of_another(said, file.path):
            continue
        if _is_about(said, file):
            return clipped(said, _LIMIT)
        if _announces(said, intends=intends):
            announced = said
    if announced:
        return clipped(announced, _LIMIT)
    asked = next((prompt for line, prompt in reversed(prompts) if line <= file.edit_line), "")
    told = sentences(asked)
    fitting = [s for s in told if _asks_for_a_change(s, file.path)]
    sole = fitting[0] if alone and len(told) == len(fitting) == 1 and _is_work(told[0]) else ""
    wanted = next((s for s in fitting if _is_about(s, file)), sole)
    return f'for: "{clipped(flat(wanted), _LIMIT)}"' if wanted else ""


def _is_work(sentence: str) -> bool:
    """It says more than yes, and not that something is to be handed in."""
    spoken = terms(sentence)
    return len(spoken) > 1 and _HANDS_IN.isdisjoint(spoken)


def _says_nothing(said: str) -> bool:
    words = [word for word in said.split() if not as_path(word.strip(_CODE))]
    return len(said) <= _SHORTEST or len(words) < 2 or _EMPTY.match(plainly(said)) is not None


def _asks_for_a_change(sentence: str, path: str) -> bool:
    """No question, no ban, no lead-in and of no other file."""
    if len(sentence.split()) <= 2 or sentence.endswith((":", "?")) or _is_of_another(sentence, path):
        return False
    return not any(word in plainly(sentence) for word in _FORBIDS)


def _announces(said: str, *, intends: bool) -> bool:
    """It says what is to be done or is being done, and not that something is handed in."""
    words = said.lower().split()
    if not _HANDS_IN.isdisjoint(words):
        return False
    first = words[1] if words[0] == "i" and len(words) > 1 else words[0]
    return (
        intends
        or first == "decided"
        or first in _CHANGES
        or (first.endswith("ing") and len(first) > 5 and first not in _LOOKING)
    )


def _is_of_another(said: str, path: str) -> bool:
    """It names a file, and not this one."""
    name = path.rpartition("/")[2]
    if "." not in said or name in said:
        return False
    return any(as_path(word.strip(_CODE)) for word in said.split())


def _is_about(said: str, file: Touched) -> bool:
    """It names the file, or something that was put into it: as code is written, or in two words."""
    name = file.path.rpartition("/")[2]
    if name in said:
        return True
    spoken = set(terms(said))
    stem = set(terms(name.lstrip(".").partition(".")[0])) - _ANYWHERE
    if stem and len(spoken & stem) >= min(2, len(stem)):
        return True
    marked = (part.strip(_CODE) for word in said.split() if not word.isalpha() for part in word.split("="))
    if any(len(part) > 3 and not part.isalpha() and part in file.body for part in marked):
        return True
    return not spoken.isdisjoint(s.lower() for s in file.symbols) or _shares_two(spoken, file.body)


def _shares_two(spoken: set[str], body: str) -> bool:
    held = body.lower()
    telling = (term for term in spoken if len(term) > 3 and "/" not in term and term not in _IN_ANY_CODE)
    return sum(term in held for term in telling) > 1
