"""What can be told of a sentence without understanding it: is it concrete, is it English, is it empty talk?

Handoffs of every form and the notes of change records are judged by these alone, so that no two checks
can disagree about a sentence. Every judgement is made on positive signs, most of them English words, so text
in another language is never faulted for not being English. Only the beginning of a long text is looked at.
"""

from __future__ import annotations

import re

_FITS_ANYWHERE = re.compile(
    r"an?|the|this|that(?:'s)?|these|those|its?|it's|i(?:'m|'ll)?|we(?:'ll|'re)?|you|he|she|they|me|us|them|my|our|your|his|her|their"
    r"|some\w*|any\w*|every\w*|all|each|both|few|lots?|bunch|bit|more|less|much|other|another|same|such|one|next|first|various|misc|etc"
    r"|about|above|again|also|as|at|back|before|below|by|down|for|from|here|in|into|like|now|of|off|on|only|or|out|over|so|soon|still|then|there"
    r"|to|today|tomorrow|too|up|very|with|yet|and|but|just|later|maybe|please|no|not|yes|ok|okay|when|what|whatever|which"
    r"|am|are|is|was|were|be|been|being|can|could|may|might|must|shall|should|will|would|do|does|did|doing|done|ha[sd]|have|got|going|gonna|go"
    r"|let|lets|let's|look|see|say|try|want|needs?|plan|makes?|made|making|work(?:s|ed|ing)?|writ(?:e|ing)|wrote|cod(?:e|ing)|fix(?:e[sd]|ing)?"
    r"|finish|continue|changes?|changed|good|better|fine|nice|usual|kind|sort|stuff|things?|nothing|parts?|progress|steps?|tasks?|chat"
    r"|bla|blah|foo|bar|baz|dunno|idk|hello|hi"
)
_MASHED = re.compile(r"([a-z])\1*|[b-df-hj-np-tv-xz]{6,}")
_ROWS = "qwertyuiop asdfghjkl zxcvbnm qwertz"
_RUN = 4


def says_nothing(word: str) -> bool:
    """For a word in lower case."""
    return _FITS_ANYWHERE.fullmatch(word) is not None or mashed(word)


def mashed(word: str) -> bool:
    """Neighbouring keys, one letter over and over, or more consonants than any word has."""
    runs = (word[:_RUN], word[-_RUN:])
    return (len(word) >= _RUN and any(run in _ROWS for run in runs)) or _MASHED.fullmatch(word) is not None


LOOKED_AT = 600
_FEW_WORDS = 10
"""What is longer says something; a bound, too, on how long a pattern may try."""

_CONCRETE = re.compile(
    r"`[^`]+`|\"[^\"]{2,}\"|https?://|[\w-]+/[\w./-]*\w|\b[\w-]+\.[A-Za-z]\w{0,5}\b|\b\w+_\w+|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*"
    r"|\b[A-Z][A-Z0-9]{1,}\b|\d|--?[a-z]{2,}|#\w|\w\(\)"
)
_FOREIGN = re.compile(r"[^\x00-\x7f‘’“”–—…·×→]")
_ENGLISH = re.compile(
    r"\b(?:the|and|of|to|is|was|were|are|with|for|that|this|we|it|on|from|but|not|use|used|instead|will|has|have)\b",
    re.I,
)
_CODE = re.compile(r"`[^`]*`|\"[^\"]*\"")


def concrete(text: str) -> bool:
    """It names something: a path, a symbol, a command, a number, a quotation, an acronym."""
    return bool(_CONCRETE.search(text[:LOOKED_AT]))


def foreign(text: str) -> bool:
    """Written with letters that English does not have; judged by nobody here."""
    return bool(_FOREIGN.search(_CODE.sub("", text[:LOOKED_AT])))


def english(text: str) -> bool:
    text = text[:LOOKED_AT]
    return not _FOREIGN.search(_CODE.sub("", text)) and bool(_ENGLISH.search(text))


def bare(text: str) -> str:
    """Lower case, without what punctuation and spacing add."""
    return " ".join(re.sub(r"[^\w\s'/-]", " ", text[:LOOKED_AT].lower()).split())


def hollow(text: str) -> bool:
    """No word of it names a thing or an action."""
    words = bare(text).split()
    return bool(words) and not concrete(text) and not foreign(text) and all(map(says_nothing, words))


_THING = (
    r"(?:it|this|that|them|things?|everything|stuff|all(?: of it)?|more|further|"
    r"(?:the |my |our |this )?(?:\w+ )?(?:work|task|tasks|feature|features|implementation|rest|code|project|job|thing|things|changes?"
    r"|bugs?|issues?|problems?|tests?|refactor(?:ing)?|stuff|remaining work|remaining items?|remaining tasks?|remaining))"
)
_VAGUE_STEP = re.compile(
    rf"(?:(?:just |please |then )?(?:continue|proceed|carry on|keep going|keep working|go on|go ahead|resume|finish|finish up|complete|wrap up|"
    rf"finali[sz]e|polish|clean ?up|tidy up|improve|enhance|fix|test|debug|refactor|optimi[sz]e|review|check|investigate|iterate|look into|work on"
    rf"|address|handle|deal with|take care of|do|implement|start|try|verify|update|make progress|think about)"
    rf"(?: (?:up|on|with|working|to|from here|where (?:we|i) left off|as (?:before|planned|discussed|needed)|more|again|soon|later|properly|{_THING}))*"
    rf"|make {_THING} (?:better|work|good|nice|nicer|faster|cleaner|great|perfect|robust|right|pretty|happen)"
    rf"|get {_THING} (?:working|done|right|to work|finished)|(?:make sure|ensure)(?: that)? {_THING} (?:works?|is (?:ok|fine|good|done))"
    rf"|{_THING} (?:might|may|could|should|would|must|needs?)(?: \w+){{1,4}}"
    rf"|next steps?|more work|other stuff|misc\w*|various(?: \w+)?|etc|and so on|whatever is left|see above|as above"
    rf"|weiter(?:machen|arbeiten)?|fertig(?:stellen|machen)|continuer|continue[rz]|terminer|continuar|seguir|terminar|продолж(?:ить|ай)|доделать)"
)
_VAGUE_UNSPACED = re.compile(
    r"(?:请?继续(?:工作|开发|完成)?|完成(?:功能|任务|工作)?|続け(?:る|て)?|続き|完成させる|계속(?:하기|해)?|마무리)[。.!！]?"
)


def vague_step(text: str) -> bool:
    """An action that nobody could check off."""
    text = text.strip()
    words = bare(text)
    if _VAGUE_UNSPACED.fullmatch(text[:40]) or hollow(text):
        return True
    return len(words.split()) <= _FEW_WORDS and not concrete(text) and bool(_VAGUE_STEP.fullmatch(words))


_NO_ORDER = re.compile(
    r"(?:i|we|you|he|she|they|it|there|this|that|these|those|the|a|an|my|our|some|someone|somebody|let's|maybe|perhaps|possibly|probably|hopefully"
    r"|should|would|could|might"
    r"|needs?|must|has to|have to|want(?:s|ed)?|still|not|was|were|is|are|will)\b(?!:)"
    r"|\w+ (?-i:might|may|could|should|would|must|needs)\b"
    r"|(?:working|continuing|adding|fixing|implementing|writing|testing|updating|refactoring|running|making|finishing|debugging"
    r"|investigating|looking|checking|trying|cleaning|moving|removing|creating|building|going|thinking|planning|waiting)\b"
    r"|(?:added|fixed|implemented|wrote|tested|updated|refactored|ran|made|finished|debugged|investigated|looked|checked|tried"
    r"|cleaned|moved|removed|created|built|planned)\b",
    re.I,
)


def _word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_EARLY = 6
"""Words among which a statement has its verb."""
_FINITE = _word_set(
    "is are was were has have had isn't aren't wasn't weren't hasn't haven't works worked passes pass passed fails fail"
    " failed succeeds succeeded compiles"
)
_OF_MANY = _word_set("are were have pass fail aren't weren't haven't")
_CLAUSE = _word_set(
    "that which what who why whether if when until till where how so because after before once as to while unless than and or"
)
_DETERMINERS = _word_set("the a an this these those its it our my their any each every some no what which")
_ORDERS = _word_set(
    "accept add address adjust align allow answer apply ask assert avoid await begin bisect bump cancel capture clarify"
    " clean clear close collect compare complete configure confirm connect convert create decide define delete deploy"
    " describe disable discuss do don't download enable ensure evaluate examine expect explain explore expose extend"
    " extract fetch fill find finish follow generate get give go grep have hide identify ignore implement improve inline"
    " inspect install integrate investigate isolate keep leave let make measure merge migrate mind open optimise optimize"
    " parse pass pin prepare prevent prove publish put raise read rebase rebuild redo reduce refactor regenerate register"
    " reject remove rename render reopen repeat replace reproduce rerun re-run resolve restore reuse rework rewrite see"
    " select send simplify submit take tell tidy treat trim try undo unify use validate verify wait weigh write"
)
"""Verbs that are nothing else, and so begin an order."""
_ASKS_THAT = _word_set("check double-check test note show report document look record watch cover mark")
"""Those that may be nouns, and are orders where what follows is a clause: "Check tests are green"."""


def not_an_order(text: str) -> bool:
    """It begins like a statement, a wish or a report."""
    text = text.lstrip(" *_")[:LOOKED_AT]
    return not foreign(text) and (bool(_NO_ORDER.match(text)) or _states(text))


def _states(text: str) -> bool:
    """A subject and what is said of it: "Tests all pass now". What begins with an order, or has its verb in a
    clause of its own ("Grep which call is slow"), states nothing."""
    words = re.findall(r"[\w'/.-]+", _CODE.sub(" _ ", text).partition(":")[0].lower())[:_EARLY]
    verb = next((place for place, word in enumerate(words) if place and word in _FINITE), 0)
    before = words[:verb]
    if not before or not _CLAUSE.isdisjoint(before) or (verb > 1 and before[1] in _DETERMINERS):
        return False
    if before[0] in _ORDERS or (verb > 1 and before[0] in _ASKS_THAT):
        return False
    return words[verb] not in _OF_MANY or any(word.endswith("s") or word == "all" for word in before)


_ACTION = re.compile(
    r"(?:^|[,;:.]\s*(?:and |then )?|\b(?:and|then|und|et|y|e|и)\s+(?:then |also )?)(add|build|change|check|clean|commit|configure|convert|create|debug"
    r"|delete|deploy|design|document|extract|finish|fix|implement|integrate|investigate|merge|migrate|move|port|push|refactor|release|remove"
    r"|rename|replace|review|rewrite|run|set up|test|update|verify|wire|write)\b",
    re.I,
)
_WHOLE = re.compile(
    r"\b(?:rewrite|migrate|port|redesign|refactor|re-?implement|implement|convert|replace|test|document|build|fix|review)\b[^.]{0,30}"
    r"\b(?:entire|whole|all (?:of )?the|every|everything|complete|full)\b|\bfrom scratch\b|\bend[- ]to[- ]end\b",
    re.I,
)
_SPAN = re.compile(
    r"\b(\d+)(?:\s*[-–]\s*\d+)?\s*(h|hours?|hrs?|days?|weeks?|months?|min(?:ute)?s?|stunden?|tage?|wochen?|heures?|jours?|semaines?|horas?|días?|semanas?)\b",
    re.I,
)
_LONG_STEP = 320
_MANY_ACTIONS = 3
_MINUTES = 15


def too_large(text: str) -> str:
    """The sign by which a step is more than a quarter of an hour's work; empty if there is none."""
    words = _CODE.sub("`…`", text)
    actions = {match.lower() for match in _ACTION.findall(words[:LOOKED_AT])}
    if len(actions) >= _MANY_ACTIONS:
        return f"it holds {len(actions)} actions ({', '.join(sorted(actions))})"
    if found := _WHOLE.search(words[:LOOKED_AT]):
        return f"it says {' '.join(found[0].split())!r}"
    for amount, unit in _SPAN.findall(words[:LOOKED_AT]):
        if not unit.lower().startswith("min") or int(amount) > _MINUTES:
            return f"it takes {amount} {unit}"
    return f"it is {len(words)} characters long" if len(words) > _LONG_STEP else ""


_SENTENCE = re.compile(r"[.!?。！？](?:\s+(?=[A-ZÀ-Þ\"'`(])|$)|[。！？]")
_LONGEST_COUNTED = 20_000


def sentences(text: str) -> int:
    """How many sentences end in it; what has no end is one all the same."""
    text = text.strip()[:_LONGEST_COUNTED]
    return max(1, len(_SENTENCE.findall(text))) if text else 0


_PAST = re.compile(
    r"\b(?:(?!(?:need|indeed|proceed|exceed|succeed|speed|feed|seed|embed)\b)\w{2,}ed|wrote|built|made|ran|found|set|put|did|got|took|went|began|chose|broke|kept|left|met|sent|split|cut|gave|saw"
    r"|rewrote|rebuilt|brought|bought|caught|came|drew|drove|fell|felt|grew|held|hid|hit|knew|laid|led|let|lost|meant|paid|read|said"
    r"|shut|spent|stood|taught|thought|threw|told|understood|won|bound|was|were|had|has|have|done|written|been|gone|shown|proven"
    r"|undid|redid|reran|reset)\b",
    re.I,
)


def not_past(text: str) -> bool:
    """English that tells of nothing done."""
    return english(text) and not _PAST.search(text[:LOOKED_AT])


_PROMISE = re.compile(
    r"(?:(?:i|we|they|it|he|she|someone|somebody|next|now|then|the \w+)\b,? ?)*(?:'ll|will|shall|(?:am |is |are |'m |'re )?(?:going|about|planning) to"
    r"|gonna|plans? to|intends? to|wants? to|needs? to|ha(?:s|ve) to|must|should|would like to|hopes? to|to ?do\b:?)\b",
    re.I,
)


def promised(text: str) -> bool:
    """It tells what somebody means to do, and of nothing done."""
    text = text.strip()[:LOOKED_AT]
    found = _PROMISE.match(text)
    return found is not None and not foreign(text) and not _PAST.search(text, found.end())


_VAGUE_PROGRESS = re.compile(
    r"(?:still |currently |was |am |i'm |we're |i am |we are |been )*(?:working|worked|continu\w+|progressing|busy|discuss\w*|talk\w*) ?.*"
    r"|(?:did|made|wrote|fixed|added|started|changed|updated) (?:\w+ )?(?:a bunch|a lot|lots|some|various|several|many|stuff|things|progress|changes|code|work)\b.*"
    r"|.*\b(?:good progress|almost (?:done|there)|mostly (?:done|working)|in progress)|(?:all )?(?:done|finished|complete|completed|ok|fine|good|wip|ongoing)"
)
_SHORT = 2


def vague_progress(text: str) -> bool:
    """It says that something was done, or is meant to be done, without saying what was."""
    words = bare(text)
    if promised(text):
        return True
    if concrete(text) or foreign(text) or len(words.split()) > _FEW_WORDS:
        return False
    return len(words.split()) <= _SHORT or hollow(text) or bool(_VAGUE_PROGRESS.fullmatch(words))


_NO_BLOCKER = re.compile(
    r"(?:(?:it|this|that|the \w+|everything|i|we)(?:'s|'m|'re| is| am| are| seems| feels| was)? (?:just |very |really |too |quite |so |a bit |pretty |kind of )*"
    r"(?:hard|difficult|tricky|complex|complicated|tired|exhausted|slow|big|huge|long|boring|annoying|confusing|unclear|unsure|busy|messy|a mess|ugly|impossible"
    r"|stuck|lost|a lot(?: of work)?)(?: (?:here|now|right now|today|for me))?)"
    r"|(?:no|not enough|lack of|out of|running out of) (?:time|energy|context|tokens|motivation)|hard|difficult|complexity|time|none|nothing|no blockers?|n/?a"
    r"|(?:not sure|unsure|might be bugs|there (?:might|may) be (?:bugs|issues|problems))"
)


def no_blocker(text: str) -> bool:
    """A feeling, or nothing at all, where something that stops the work should stand."""
    return hollow(text) or (not foreign(text) and bool(_NO_BLOCKER.fullmatch(bare(text))))


_EMPTY_ADVICE = re.compile(
    r"(?:please )?(?:be (?:careful|aware|cautious)|take care|watch out|pay attention|beware|keep (?:this |it |that )?in mind|good luck|remember this"
    r"|(?:this|it)(?:'s| is) important|there (?:might|may|could) be (?:some )?(?:bugs?|issues?|problems?|errors?)|(?:it |this )?(?:might|may) not work"
    r"|things? (?:may|might|can) (?:break|change|go wrong)|test (?:it )?(?:well|thoroughly)|double[- ]check(?: everything)?)(?: (?:here|with (?:this|it)))?"
)


def empty_advice(text: str) -> bool:
    return hollow(text) or (not foreign(text) and bool(_EMPTY_ADVICE.fullmatch(bare(text))))


_DISCUSSED = re.compile(
    r"(?:we|i|the user and i) (?:discussed|talked|spoke|chatted|looked at|worked on|covered)\b|various |misc\w*|general |a few things",
    re.I,
)


def vague_objective(text: str) -> bool:
    return bool(_DISCUSSED.match(text[:LOOKED_AT])) or vague_step(text)


_COMPLETE = re.compile(
    r"\b(?:everything (?:works?|is (?:done|working|fine|complete[d]?|finished|ready))|all (?:done|good|set|works?|is well|tests? (?:are )?(?:green|passing|pass))"
    r"|(?:fully|100 ?%|completely) (?:done|working|complete[d]?|finished|functional|implemented|tested|fixed)|(?:should|will) (?:now )?(?:work|be (?:fine|fixed|ok|good))"
    r"|(?:works|working) (?:perfectly|flawlessly|great)|production[- ]ready|no (?:known )?(?:issues|problems|bugs)(?: (?:left|remain\w*))?|bug[- ]free"
    r"|ready (?:to ship|for production)|mission accomplished)\b",
    re.I,
)
_CLAIMS = re.compile(
    r"\b(?:tests? (?:all )?(?:pass|passes|passed)|(?:is|are|was|were|been|got|now|and|successfully|has|have) (?:fully |also )?(?:tested|verified|pushed|deployed|released|merged|shipped)"
    r"|(?:tested|verified|pushed|deployed|released|merged) (?:and|to|on|in|with|it|the|live|successfully)|build (?:passes|passed|is green|succeeds|succeeded)|ci (?:is )?(?:green|passes|passed))\b",
    re.I,
)
_PROOF = re.compile(
    r"`[^`]+`|\b(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b|\b\d+ (?:passed|passing|tests?|ok\b|checks?)|exit(?: code| status)? 0|https?://|\[#\d"
)
_HEDGED = re.compile(
    r"\b(?:not|never|un\w+ed|isn't|aren't|wasn't|hasn't|haven't|don't|reported|says?|said|claims?|if|when|until|before|once|to be)\b",
    re.I,
)


def completed(text: str) -> str:
    """The words by which it calls the work complete; empty if there are none."""
    found = _COMPLETE.search(text[:LOOKED_AT])
    return found[0] if found and not _HEDGED.search(text[: found.start()][-40:]) else ""


def claimed(text: str) -> str:
    """The words by which it says that something was tested, pushed or deployed; empty if there are none."""
    found = _CLAIMS.search(text[:LOOKED_AT])
    return found[0] if found and not _HEDGED.search(text[:LOOKED_AT]) else ""


def proven(text: str) -> bool:
    """It names the command, the commit, the count or the address that shows it."""
    return bool(_PROOF.search(text[:LOOKED_AT]))


_STANDS_IN = frozenset(
    """todo, tbd, tba, tbc, fixme, wip, n/a, na, placeholder, fill in, fill me in, fill this in, to be determined, to be defined,
to be decided, to be done, to be added, to be written, to be filled, to be filled in, fill in later, coming soon,
not applicable, not yet written""".replace("\n", " ").split(", ")
)
_PLACEHOLDER = re.compile(
    r"x{3,}|\{\{[^{}]{0,80}\}\}|lorem ipsum.*|insert .{0,40}here|your .{1,30} here|<(?!https?:|/|[^<>]*[@=])[^<>]{1,80}>"
    r"|\[(?:fill|insert|your|describe|placeholder|add|what|why|list|enter|name|summary|details?|goal|the)\b[^\[\]]{0,80}\]",
    re.I,
)
_SLOT = re.compile(
    r"<(?:(?:fill|insert|describe|todo|tbd|enter|placeholder)\b[^<>]{0,80}|(?:your|add|name|what|why|goal|path|list|summary) [^<>]{1,80})>"
    r"|(?<![\w/])(?:<(?:[\w' -]{1,60} (?:here|name|path|file|command|number|id|value|date|reason)|command|cmd|filename)>|\[[\w' -]{1,60} here\](?!\())"
    r"|\[(?:fill|insert|your|describe|todo|tbd|placeholder)\b[^\[\]]{0,80}\]|\{\{[^{}]{0,80}\}\}|\blorem ipsum\b|\b(?:TBD|TBA)\b|\?{3,}"
    r"|^TODO\b(?!s\b| (?:comments?|markers?|lists?|items?|entr(?:y|ies)|notes?|tags?|lines?|files?|apps?|in|at|from)\b)",
    re.I,
)
_DRAWN = "?.…-–—_*/~ "


def placeholder(text: str) -> str:
    """What stands in for something that was never written; empty if nothing does."""
    text = _CODE.sub("", text[:LOOKED_AT]).strip()
    if stands_in(text):
        return text
    found = _SLOT.search(text)
    return found[0] if found else ""


def stands_in(text: str) -> bool:
    """The text is nothing but a placeholder, in whatever marks it is put."""
    text = text[:LOOKED_AT].strip()
    bared = text.casefold().strip("*_[](){}<>-–—.:! ")
    words = bare(text).split()
    if bared in _STANDS_IN or (text and not text.strip(_DRAWN)):
        return True
    return bool(_PLACEHOLDER.fullmatch(text)) or (len(text) > 2 and bool(words) and all(map(mashed, words)))


_DECIDED = re.compile(
    r"\bdecisions?\s*:|\b(?:decided|agreed|chose|opted|settled) (?:to|on|for|that|against|not|the)\b"
    r"|\b(?:going|went) with\b.{1,80}\binstead of\b",
    re.I,
)
_BLOCKED = re.compile(
    r"\bblockers?\s*:|\b(?:blocked|stuck) (?:by|on|until|because)\b|\bwaiting (?:for|on)\b"
    r"|\b(?:cannot|can't|unable to) (?:proceed|continue)\b|\bdepends on .{1,40} (?:approval|review|answer)\b",
    re.I,
)
_MID_EDIT = re.compile(
    r"\b(?:half[- ](?:way|done|finished|edited)|mid-?edit|partially (?:done|edited|written|implemented)|unfinished|not finished|in the middle of)\b",
    re.I,
)
_PATH = re.compile(
    r"(?<![\w@:/.-])(?:[\w@.+-]+/)+[\w@.+-]*\w|\b[\w-]+\.(?:py|ts|tsx|js|jsx|go|rs|java|rb|c|h|cpp|cs|md|toml|json|ya?ml|sql|sh|html|css)\b"
)
_NO_REASON = frozenset({"", "tbd", "todo", "n/a", "none", "-", "?"})


def tells_decision(text: str) -> bool:
    """It records a decision."""
    return bool(_DECIDED.search(text[:LOOKED_AT]))


def tells_blocker(text: str) -> bool:
    """It records what is in the way."""
    return bool(_BLOCKED.search(text[:LOOKED_AT]))


def unfinished_paths(text: str) -> list[str]:
    """The files that it says, in one breath, are in the middle of an edit."""
    breaths = re.split(r"(?<=[.;!?])\s+", text[:LOOKED_AT])
    return [path for breath in breaths if _MID_EDIT.search(breath) for path in paths_in(breath)]


def paths_in(text: str) -> list[str]:
    """What is written like the path of a file."""
    return _PATH.findall(text[:LOOKED_AT])


def gives_reason(rationale: str) -> bool:
    """Something stands where a decision's reason belongs."""
    if rationale.strip(" .").casefold() in _NO_REASON or hollow(rationale):
        return False
    return "does not say why" not in rationale
