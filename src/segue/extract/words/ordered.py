"""What is ordered plainly: `drop windows, nobody uses it`, `sign the checksums with cosign`, `assume UTC for those`.

Most imperatives ask for a piece of work and are fulfilled with it. Three kinds hold on: what is given up, what is to be taken
for granted, and, where the verb is something that the program does and no agent, how or with what it does it.
"""

from __future__ import annotations

from segue.extract.text.prose import word_set
from segue.extract.words.conduct import LEADS, TASKS
from segue.extract.words.supersede_drop import dropped

_LONGEST, _FEWEST = 160, 4
_LEADS = LEADS | word_set("ok: now next finally lastly bitte und auch et aussi y también")
_GIVES_UP = word_set(
    "drop scrap ditch abandon axe nix streiche streich verwirf quita descarta abandonne abbandona"
)
_NOTHING_GIVEN_UP = word_set(
    """
    a an me us it this that them these those in into by out off here there everything anything something another
    your my down
    """
)
"""What follows `drop` where something is put somewhere, or was at hand a moment ago."""
_SOMEWHERE = word_set("into onto")
_ASSUMES = word_set("assume presume")
_NO_ASSUMPTION = word_set("i you we that's it this that")
_OBJECTS = word_set("the our all every each any both")
_MEANS = word_set(
    "with via as by using through under in into to at for from per on against behind after within every"
)
_DOES = word_set(
    """
    encrypt compress hash sign cache sort round escape validate gzip minify paginate index queue batch throttle debounce expire
    rotate archive lock sanitize normalize truncate serve mirror replicate
    """
)
"""Verbs of a program that are told from nouns without an article: `tool execution uses in …` orders nothing."""
_DONE_ONCE = TASKS | word_set(
    """
    rerun restart reload retry reset redo undo kill stop launch deploy ship save copy paste upload download post reply answer
    respond ask wait watch monitor inspect examine study consider think discuss benchmark profile measure reproduce bisect
    trace diagnose recheck reopen close resolve approve comment click scroll ping clone fetch pull checkout restore clear
    grep query count solve tackle finalize complete proceed walk bring figure dig evaluate assess audit outline sketch suggest
    note imagine ignore like love hate know need want feel hope guess mean say call drop edit correct expand reduce increase
    redesign rework reorganize restructure reimplement port translate scan crawl parse explore understand learn notice hide
    attach mark pass hit feed tweak polish tidy cover switch submit view mention include align scaffold put message email
    mail tag boot time back stage cut finish leave hand point shoot type press enter select browse visit wire hook touch redeploy
    roll spin set reapply refresh regenerate rebuild retest reinstall reread recreate repeat reuse
    """
)
"""What an agent does, and is done with."""
_NO_VERBS = word_set(
    """
    in on at to of for from by with without within about above below under over after before since until till during per
    via as than like into onto upon across along around behind beside besides between beyond despite except inside near off
    out outside past through throughout toward towards against among but and or nor so yet if when while where because though
    although unless whether that which who whom whose what why how this these those it its is are was were be been am do does did
    has have had can could will would shall should may might must not no yes only also even just still then there here now
    maybe perhaps probably both all half same such very too more most less least another other regarding concerning given
    considering thanks nice great good looks seems sounds once every each any some none one two three lots most instead
    the a an my our your their his her i you he she we they me us them everything everyone everybody something someone anything
    nothing nobody i'm i've it's that's there's we're you're they're i'd i'll let's lets what's
    currently basically actually again always never otherwise whereas plus minus versus re
    """
)


def orders(sentence: str) -> int:
    """How firmly a plain imperative, in small letters and not a question, rules: 2, 1, or 0 for not."""
    if len(sentence) > _LONGEST or not sentence.isascii():
        return 0
    words = [word for part in sentence.rstrip(" .!").split() if (word := part.strip(",;()\"'`"))]
    while len(words) > 1 and words[0] in _LEADS:
        del words[0]
    if len(words) < 2:
        return 0
    verb, what = words[:2]
    if verb in _GIVES_UP:
        given_up = what not in _NOTHING_GIVEN_UP and _SOMEWHERE.isdisjoint(words)
        if not given_up or not dropped(" ".join(words)):
            return 0
        return 1 if what == "the" else 2
    if verb in _ASSUMES:
        return int(what not in _NO_ASSUMPTION)
    return int(len(words) >= _FEWEST and _is_how(words))


def _is_how(words: list[str]) -> bool:
    """`Sign the checksums with cosign`, `round totals to cents`."""
    verb, what = words[:2]
    if not verb.isalpha() or verb in _NO_VERBS or verb in _DONE_ONCE or verb.endswith(("ing", "ed", "ly")):
        return False
    if verb.endswith("s") and not verb.endswith("ss"):
        return False
    if what not in _OBJECTS and verb not in _DOES:
        return False
    begin = 2 if what in _OBJECTS else 1
    end = next((n for n, word in enumerate(words) if n > begin and word in _MEANS), 0)
    many = words[end - 1]
    return 0 < end <= begin + 2 and many.endswith("s") and not many.endswith(("ss", "us", "is"))
