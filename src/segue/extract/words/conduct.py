"""Rules that no marker word gives away: `No emojis in the UI.`, `PRs go against develop, not main.`

A sentence rules the work, rather than asking for a piece of it, when it says what there shall be none of, which of
two it is, whom to ask first, what is out of bounds, what is done each time, where things of one kind go, or
in which style they are written. A request for one thing and a report of what was seen do none of this.
"""

from __future__ import annotations

from itertools import pairwise

from segue.extract.text.prose import phrases, word_set

_LONGEST = 220
"""Characters up to which a sentence may be a rule by its form alone."""
LEADS = word_set(
    "please also and but ok okay oh btw so well just yes yeah alright then note: rule: reminder: important:"
)
_REPORTS = word_set(
    """
    i it its it's this that that's these those there there's he she they you we a an when while after if because
    since maybe looks seems still now why how what where who which
    """
)
"""How a sentence begins that tells what is or was, not what shall be."""
_SEEN = word_set(
    """
    is are was were has have had been got looks look shows showed says said see saw fails failed fail crashes crashed crash
    returns returned prints printed works worked found there there's happened happens passes passed
    exists detected left changed appears yet since pass passing failing done
    """
)
"""Verbs and words of a report."""
_NOTHING = word_set(
    """
    idea ideas problem problems worries worry rush clue luck thanks thank matter one longer such reason doubt way
    question questions offense hurry wonder need difference error errors output effect response result results warning
    warnings failure failures progress issue issues comment comments complaints biggie
    sé hay es está tienes tengo puedo veo entiendo encuentro funciona sirve me lo la le se olvides
    """
)
"""What `no` stands before when nothing is refused."""
_STRICT = word_set("please ever anywhere allowed permitted whatsoever")
TASKS = word_set(
    """
    add apply adjust address analyze append build bump can change check clean commit compare continue convert could create
    debug delete describe do does document download draft explain extend extract find finish fix generate get give go
    help implement improve install integrate investigate list look make merge migrate modify move open patch
    plan port prepare print propose publish push read rebase refactor release remove rename replace
    research revert review rewrite run search see set setup show simplify split squash start summarize take tell
    test try turn update upgrade verify will work would let's reformat
    """
)
"""How a request for a piece of work begins."""
_TO_ME = (
    "ask me", "ask first", "ask before", "check with me", "confirm with me", "run it by me", "run that by me",
    "tell me before", "let me know before", "talk to me before", "get my ok", "get my approval", "wait for my", "let me review", "let me approve", "nobody but me", "no one but me",
)  # fmt: skip
_BARRED = (
    "off limits", "off-limits", "out of bounds", "hands off", "stay away from", "stay out of", "steer clear of",
    "no-go", "is banned", "are banned", "is taboo", "are taboo", "not negotiable", "set in stone", "untouchable",
)  # fmt: skip
_ASIDE = ("off the table", "out of scope", "not an option", "isn't an option", "aren't an option")
_EACH_TIME = (
    "after every ", "after each ", "before every ", "before each ", "with every ", "with each ", "every time", "each time",
    "whenever ", "as you go", "going forward", "from here on", "at all times", "as a rule", "until i say",
    "until i tell", "after any ", "before any ", "with any ", "by default",
)  # fmt: skip
_RISKY = word_set(
    """
    installing committing pushing merging deleting deploying releasing publishing upgrading migrating editing
    refactoring touching changing adding removing renaming overwriting dropping opening
    """
)
_GOING_ON = word_set("continuing proceeding starting going moving doing answering beginning working")
_ACROSS = phrases(
    " in all | for all | on all | across all | in every | in each | for every | for each | on every |"
    " on each "
)
_ALL = word_set("all every each")
_TIES = word_set(
    "in with under through via as need needs require requires go goes get gets carry carries on to by"
)
_HOLDS = word_set("stay indent treat")
"""What is asked to stay so, not to be done once."""
_COUNTS = word_set("one two three zero nothing")
_JOINS = word_set("as in per for on with under everywhere at from inside")
_TALKED_OF = word_set(
    """
    more thing things question detail of remaining last works looks seems needs builds runs fails passes gives makes
    takes goes gets shows says means thanks changes results notes thoughts lines files steps logs details findings
    observations reviews updates commits objects lets its this yes tests options let the my your
    """
)
"""How a report, a heading or talk begins that has no verb either."""
_HABITS = word_set("go live belong start end begin stay sit land come")
_WHERE = word_set(
    "in into under against to on with at next beside through via behind outside inside from onto below above"
)
_STYLES = word_set(
    """
    style styles convention conventions format spelling casing indentation mood tense naming notation case
    snake_case camelcase pascalcase kebab-case snake-case camel-case
    """
)
_LANGUAGES = word_set(
    """
    english german french spanish portuguese italian russian chinese japanese korean dutch polish british american
    """
)
_NOUNS_TOO = word_set("commit test log release review build change patch")
"""Requests that are also what something is called: `commit messages`."""
_WRITES = word_set(
    "write name format indent spell comment answer reply respond log speak talk style title call"
)
_WE_DO = word_set(
    "deploy ship release support target follow host maintain own build squash rebase pin vendor"
)
_SYSTEMS = word_set("windows mac macos linux ubuntu debian fedora arch wsl nixos alpine freebsd arm")
_FORMS = word_set(
    "return store log send save write show render encode serialize pass display report print run"
)
_AS = word_set("as to in with via")
"""`Return errors as plain text`: how things of one kind are done, whenever they are."""
_NONE, _MAY = word_set("nothing nobody none"), word_set("may can must shall should gets goes leaves")
"""`Nothing may be written to the prod bucket.`"""
_THROUGHOUT = word_set("everything everywhere manually")
_CALLS, _CALLED = word_set("call name nenne"), word_set("it this that the es ihn den die das")
_CHOICES = ("go with ", "opt for ", "settle on ", "i'd go for ")
_LITTLE_COMMITS = word_set("meaningful small atomic individual separate signed frequent logical granular")
_PROCESS = word_set("review approve merge deploy release publish")
_FIRST = word_set("show write test tests ask check plan explain propose discuss confirm verify design")


def rules(sentence: str) -> int:
    """How firmly a sentence without a marker word, in lower case and not a question, rules: 3, 2, 1, or 0 for not."""
    if len(sentence) > _LONGEST:
        return 0
    words = [word.strip(",;()\"'") for word in sentence.rstrip(" .!").split()]
    while len(words) > 1 and words[0] in LEADS:
        del words[0]
    if not words or (words[0].endswith(":") and ", not " not in sentence):
        return 0
    body = " ".join(words)
    tells = words[0] in _REPORTS
    if any(phrase in body for phrase in _BARRED):
        return 3
    if words[0] in _NONE and words[1:2] and words[1] in _MAY:
        return 3
    if words[1:2] == ["nothing"] and words[0] not in _REPORTS and len(words) > 3 and _SEEN.isdisjoint(words):
        return 2
    if _refuses(sentence) or _puts_first(words) or any(phrase in body for phrase in _ASIDE):
        return 2
    if any(phrase in body for phrase in _TO_ME) and not tells:
        return 2
    if _own_task(words) or (not tells and (_goes_somewhere(words) or _written(words))):
        return 2
    if words[0] in _HOLDS and len(words) > 2:
        return 2
    if "stays" in words[1:]:
        return 1 if tells or words[0] == "the" else 2
    return max(
        _either(sentence, tells),
        0 if tells else max(_each_time(body, words), _named(words)),
        _chosen(body, words),
    )


def _refuses(sentence: str) -> bool:
    """`No emojis in the UI`, `… so no bash scripts`; not `no idea` and not `it stopped, no output`."""
    before, found, rest = f". {sentence}".replace(", ", " , ").partition(" no ")
    if not found:
        return False
    start = before.rstrip(" ,;:—-").split()
    if not (
        before.endswith((".", ",", ";", ":", "—", " -", " so", " and", " but"))
        or not LEADS.isdisjoint(start[-1:])
    ):
        return False
    refused = rest.rstrip(" .!").split(" , ")[0].partition(" - ")[0].partition(" and no ")[0].split()
    if not refused or len(refused) > 12:
        return False
    if not _STRICT.isdisjoint(refused):
        return True
    told = _SEEN.isdisjoint(refused) and _NOTHING.isdisjoint(refused[:2])
    return told and (before.endswith(" so") or _SEEN.isdisjoint(start))


def _either(sentence: str, tells: bool) -> int:
    """`develop, not main`: 2, or 1 where it may only tell what something is."""
    chosen, found, other = sentence.rstrip(" .!").rpartition(", not ")
    if not found and any(sign in sentence for sign in _NOT_ELSEWHERE):
        return _either_elsewhere(sentence)
    words = other.split()
    if (
        not found
        or not chosen
        or not 1 <= len(words) <= 6
        or "," in other
        or words[0] in _UNSURE
        or words[0].endswith("ing")
    ):
        return 0
    return 1 if tells or not _SEEN.isdisjoint(chosen.split()) else 2


def _either_elsewhere(sentence: str) -> int:
    """`mets la clé vers orders, pas vers orders_archive`; `ça marche, pas de souci` and `c'est un bug, pas un choix` do not."""
    for sign in _NOT_ELSEWHERE:
        chosen, found, other = sentence.rstrip(" .!").rpartition(sign)
        words = other.split()
        if found and 1 < len(words) <= _FEW and words[0] in _TO_WHAT and "," not in other:
            return 0 if chosen.startswith(_TELLS_ELSEWHERE) else 2
    return 0


_NOT_ELSEWHERE = (", pas ", ", nicht ", ", et non ", ", y no ", ", e não ", ", e non ", ", а не ")
_TO_WHAT = word_set(
    """
    vers à en dans le la les un une avec sur par au aux du nach in auf der die das den dem mit als im am zu ins an a el los las
    con del al o os no na com em il lo gli di da в на к из с
    """
)
_TELLS_ELSEWHERE = (
    "c'est ",
    "ce n'",
    "ça ",
    "il y ",
    "das ist ",
    "es ist ",
    "es gibt ",
    "es un",
    "é um",
    "è un",
    "это ",
)
_FEW = 6
_UNSURE = word_set(
    "sure yet only just that too really quite very necessarily always even because when if working clear"
)


def _puts_first(words: list[str]) -> bool:
    return words[-1] == "first" and 1 < len(words) <= 8 and (words[0] in _FIRST or words[-2] == "tests")


def _own_task(words: list[str]) -> bool:
    """`I'll do the deployment myself`: the agent leaves it."""
    if words[0] == "i" and words[1:2] and words[1] in _PROCESS:
        return True
    return "myself" in words and (words[0] == "i'll" or words[:2] in (["i", "will"], ["let", "me"]))


def _goes_somewhere(words: list[str]) -> bool:
    """`PRs go against develop`: many things, and where they go."""
    for place, word in enumerate(words[1:6], 1):
        if word in _HABITS:
            many = words[place - 1]
            plural = many.endswith("s") and not many.endswith(("ss", "us", "is"))
            return plural and place + 1 < len(words) and words[place + 1] in _WHERE
    return False


def _written(words: list[str]) -> bool:
    """`Commit messages in Conventional Commits style`, `answer in English`."""
    styled = not _STYLES.isdisjoint(words) or any(
        word in _LANGUAGES and ("in" in words[max(0, i - 2) : i] or words[i + 1 : i + 2] == ["spelling"])
        for i, word in enumerate(words)
    )
    if not styled or len(words) > 16:
        return False
    named = words[0] in _NOUNS_TOO and len(words) > 1 and words[1].endswith("s")
    return words[0] in _WRITES or ((named or words[0] not in TASKS) and _SEEN.isdisjoint(words))


def _named(words: list[str]) -> int:
    """A short sentence without a verb: `dates as ISO strings`, `one PR per ticket`."""
    if not 2 <= len(words) <= 8 or not _SEEN.isdisjoint(words):
        return 0
    if words[0] in _COUNTS:
        return int(words[1] not in _TALKED_OF and not _JOINS.isdisjoint(words[1:]))
    if not _NOTHING.isdisjoint(words[:3]):
        return 0
    for place, word in enumerate(words[:3]):
        if word in TASKS or word in _TALKED_OF or not word.isalpha():
            return 0
        if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
            return int(words[place + 1 : place + 2] != [] and words[place + 1] in _JOINS)
    return 0


def _each_time(body: str, words: list[str]) -> int:
    """What is done before or after each of many things, or holds for all of a kind."""
    if not _SEEN.isdisjoint(words):
        return 0
    if any(phrase in f"{body} " for phrase in _EACH_TIME):
        return 2
    for word, following in pairwise(words):
        if word == "before" and following.endswith("ing") and following not in _GOING_ON:
            return 2 if following in _RISKY else 1
        if word == "to" and following in ("every", "each"):
            return 1
        if word in _LITTLE_COMMITS and following in ("commits", "prs", "patches"):
            return 1
    if words[0] in _ALL and len(words) > 2 and not words[1][:1].isdigit() and not _TIES.isdisjoint(words):
        return 2
    if any(phrase in body for phrase in _ACROSS):
        return 1 if words[0] in TASKS else 2
    return 0


def _chosen(body: str, words: list[str]) -> int:
    if words[0] == "target" and 2 <= len(words) <= 4 and ":" not in body:
        return 1
    if words[0] in _CALLS and words[1:2] and words[1] in _CALLED:
        return 1
    if words[0] == "we" and words[1:2] and words[1] in _WE_DO:
        return 1
    if words[0] in ("i'm", "we're") and words[1:2] in (["on"], ["a"]) and not _SYSTEMS.isdisjoint(words):
        return 1
    if words[0] in _FORMS and any(word in _AS and many.endswith("s") for many, word in pairwise(words[1:5])):
        return 1
    if _at_level(words) or _paced(words) or _answers(words) or _holds_for_many(words):
        return 1
    throughout = words[0] not in TASKS and not _THROUGHOUT.isdisjoint(words)
    if words[0] == "support" or throughout or words[-2:] == ["by", "hand"]:
        return int(words[0] not in _REPORTS and _SEEN.isdisjoint(words))
    return int(body.startswith(_CHOICES) or any(f" {phrase}" in body for phrase in _CHOICES))


def _holds_for_many(words: list[str]) -> bool:
    """`Put tests in tests/unit`, `run everything with -W error`; `put the test there` and `run everything` are done once."""
    if len(words) <= 3:
        return False
    verb, many, where = words[:3]
    if verb == "put":
        return many.endswith("s") and many not in _SINGLE and where in _INSIDE
    return verb in _RUNS and many == "everything" and where in _MEANS


_RUNS, _MEANS = word_set("run build compile"), word_set("with under via through")
_INSIDE, _SINGLE = word_set("in under into"), word_set("this its yours ours theirs")


_LOGS = word_set("log sample render record encode stream cap throttle logge loguea registra journalise")
_AT, _LEVEL_WORDS = (
    word_set("at auf en"),
    word_set("level debug info warn warning error trace verbose critical fatal notice"),
)


def _at_level(words: list[str]) -> bool:
    """`Log at INFO level`, `Render the previews at 2x`: how much of it, whenever it is done."""
    if words[0] not in _LOGS or len(words) > 8:
        return False
    return any(
        word in _AT and (level in _LEVEL_WORDS or level[:1].isdigit())
        for word, level in pairwise(words)
    )  # fmt: skip


PACES = word_set("nightly hourly daily weekly monthly quarterly yearly")


def _paced(words: list[str]) -> bool:
    """`Run the backfill nightly`; `add a nightly job` asks for one."""
    return words[-1] in PACES and len(words) > 2 and words[0] not in _REPORTS and _SEEN.isdisjoint(words)


_ANSWERS, _CASES = word_set("return respond reply exit serve"), word_set("for when if on unless")


def _answers(words: list[str]) -> bool:
    """`Return 404 for missing users`: which code, and in which case."""
    code = words[2:3] if words[1:2] == ["with"] else words[1:2]
    return words[0] in _ANSWERS and code != [] and code[0].isdigit() and not _CASES.isdisjoint(words[2:5])
