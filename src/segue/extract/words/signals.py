"""What a person's sentence is: a rule, a correction, a preference, or only talk.

Markers are whole words; a language is a few rows of the table; `conduct` knows the rules that have none. A
marker makes a sentence a candidate; kind and strength come from the table, quotas elsewhere see to it that sentences full of
markers cannot push the rest out. Plain questions are not rules.
"""

from __future__ import annotations

import re
from functools import lru_cache

from segue.extract.text.prose import plainly
from segue.extract.words.asked import asks_the_agent, refuses_politely, wishes
from segue.extract.words.chatter import is_chatter
from segue.extract.words.conduct import rules
from segue.extract.words.fixed import fixes, forbids_in_polish, in_polish, is_entry
from segue.extract.words.leave import permits
from segue.extract.words.ordered import orders
from segue.extract.words.reported import (
    happens,
    is_for_once,
    reports_own_work,
    without_reports,
    without_the_count,
)
from segue.extract.words.stated import amounts_to
from segue.extract.words.supersede_lift import allows_again, lifts_plainly, may_lift
from segue.extract.words.supersede_mind import changes_mind
from segue.extract.words.withdrawn import is_unreal
from segue.model.facts import WordKind
from segue.model.patterns import compiled
from segue.model.value import NamedTuple

MUST, FIRM, WISH = 3, 2, 1
"""What must not be broken, what is asked for firmly, what is wished."""


class Signal(NamedTuple):
    kind: WordKind
    strength: int


class Marker(NamedTuple):
    language: str
    strength: int
    pattern: str


MARKERS = (
    Marker(
        "en",
        MUST,
        r"must(?:n'?t| not)?|never(?! ?mind)|always|do not|don'?t|cannot|can'?t be|may not|under no circumstances|forbid\w*"
        r"|required|mandatory|not allowed|prohibited|at all costs|non-negotiable",
    ),
    Marker(
        "en",
        FIRM,
        r"only|(?:has|have|needs?) to (?:be|stay|remain|keep|work|run|support|use|fit|pass)|instead|rather|keep|leave|avoid|make sure|be sure|ensure|without|should ?n'?t|should not|let'?s not|stop"
        r"|not just|no need|not \w+[^.,;]{0,40}\bbut|exactly|at least|at most|no more than|up to|ignore|skip|unless|except"
        r"|wait (?:for|until)|before you|maximum|minimum|limit(?:ed)? to|stick (?:to|with)|remember|strictly|nothing else|from now on",
    ),
    Marker(
        "en",
        WISH,
        r"should|ought to|needs? to|has to|have to|prefer\w*|i'?d like|i would like|i want|i like|better to|let'?s|i think we (?:make|keep|do|go|put|take|add|drop|start)|we'?ll use|please use|(?:more|another|last|small|my|one) wish|use",
    ),
    Marker(
        "de",
        MUST,
        r"niemals|nie|immer|muss|müssen|darf(?:st)? (?:nicht|kein\w*)|nicht|kein\w*|verboten|unbedingt",
    ),
    Marker(
        "de",
        FIRM,
        r"nur|nichts|statt(?:dessen)?|ohne|behalte\w*|vermeide\w*|mindestens|höchstens|sondern|lass|frage? mich|vorher fragen",
    ),
    Marker("de", WISH, r"auf (?:englisch|deutsch)|sollte\w*|bitte|lieber|möchte|nutze|verwende\w*|nimm"),
    Marker(
        "fr",
        MUST,
        r"jamais|toujours|ne \w+ (?:pas|aucune?|rien)|n'\w+ (?:pas|aucune?|rien)|doit|doivent|interdit|il faut|surtout pas|obligatoire",
    ),
    Marker(
        "fr",
        FIRM,
        r"seulement|uniquement|au lieu de|sans|évite\w*|garde\w*|au moins|plutôt|pas de|pas d'\w+|demande[sz]?-moi",
    ),
    Marker(
        "fr",
        WISH,
        r"en (?:anglais|français)|tou(?:te)?s les|je préfère|je veux|utilise\w*|prends(?! ton)|prenez|devrait",
    ),
    Marker(
        "es",
        MUST,
        r"nunca|siempre|jamás|debe[ns]?|deberías?|prohibido|no (?:uses|toques|hagas|cambies|borres)|obligatorio",
    ),
    Marker(
        "es",
        FIRM,
        r"solo|sólo|solamente|en vez de|en lugar de|sin|evita\w*|mantén|al menos|nada de|pregúntame",
    ),
    Marker("es", WISH, r"en (?:inglés|español)|tod[oa]s l[oa]s|prefiero|quiero|usa|utiliza\w*"),
    Marker("pt", MUST, r"sempre|não|deve[ms]?|proibido"),
    Marker("pt", FIRM, r"apenas|em vez de|sem|mantenha|pelo menos|me pergunte|pergunte-me"),
    Marker("pt", WISH, r"em (?:inglês|português)|prefiro|quero"),
    Marker("it", MUST, r"mai|non \w+are|obbligatorio|vietato"),
    Marker("it", FIRM, r"invece|senza|soltanto|niente|nessun\w*|chiedimi"),
    Marker("it", WISH, r"in (?:inglese|italiano)|preferisco|vorrei"),
    Marker(
        "ru",
        MUST,
        r"никогда|всегда|нельзя|никаких|должн\w+|обязательно|запрещ\w+|не (?:надо|нужно|трогай\w*|меняй\w*|используй\w*|делай\w*)",
    ),
    Marker(
        "ru",
        FIRM,
        r"только|вместо|без|оставь\w*|избегай\w*|не менее|не более|кроме|спроси\w* меня|сначала спроси\w*",
    ),
    Marker("ru", WISH, r"на (?:английском|русском)|лучше|хочу|используй\w*|следует|надо|нужно"),
    Marker("zh", MUST, r"不要|不能|不得|不许|不准|别(?!的)|必须|务必|禁止|一定要|始终|绝不"),
    Marker("zh", FIRM, r"只(?:要|能|用|改|有)|而不是|保留|避免|确保|不用|优先|先问"),
    Marker("zh", WISH, r"应该|最好|希望|使用|请用|用(?:英文|中文|日文)"),
    Marker("ja", MUST, r"ないで(?!き)|してはいけ|禁止|必ず|絶対|常に"),
    Marker(
        "ja", FIRM, r"代わりに|だけ|ずに|のまま|ようにして|ではなく|じゃなく|前に(?:聞い|確認し|相談し)て"
    ),
    Marker("ja", WISH, r"(?:英語|日本語)で|べき|ほうがいい|てほしい|使って|してください"),
    Marker("ko", MUST, r"지\s?마|반드시|항상|절대|금지"),
    Marker("ko", FIRM, r"말고|대신|유지|만\s|아니라|먼저 물어"),
    Marker("ko", WISH, r"(?:영어|한국어)로|해야|하면 좋|써줘|사용해"),
)
_UNSPACED = ("zh", "ja", "ko")
"""Languages in which a marker need not stand between spaces."""


def _any(strength: int) -> re.Pattern[str]:
    spaced = "|".join(m.pattern for m in MARKERS if m.strength == strength and m.language not in _UNSPACED)
    unspaced = "|".join(m.pattern for m in MARKERS if m.strength == strength and m.language in _UNSPACED)
    return compiled(rf"(?<![\w'/.])(?:{spaced})(?![\w'/])|{unspaced}")


_LEVELS = tuple((strength, _any(strength)) for strength in (MUST, FIRM, WISH))
_CORRECTION = compiled(
    r"(?:(?:and|but|oh|ok|okay|so|well|hm+|no(?= wait))[\s,]+)*(?:no(?:[,.:;!-]|$| (?=(?:i|we|you|it|that|this|don'?t|just|use|please|not|let|the|only|still|keep)\b|\d))|(?:nope|nah|actually|wait|hold on|hmm,? no|not that|not (?:with|in|on|like|via|by|as|from|there|here)|wrong|sorry|oops|correction|scratch that|scrap that|strike that|on second thought|i(?:'ve| have)? changed my mind|change (?:of|in) plans?|new plan|instead"
    r"|on reflection|moment|nein|doch nicht|doch lieber|lieber doch|non|finalement|attends|espera|perdón|mejor|нет|стой|лучше|不对|不是|错了|いや|いいえ|やっぱり|違う|違います|아니|아니요)(?:[ ,.:;!-]|$)"
    r"|hm+,? (?:[\w.+-]+ ){0,2}[\w.+-]+[.!]?$|(?:(?:let'?s |please )?switch|we(?:'ve|'re| have| are)? (?:switched|switching|moved|moving|migrated|migrating)) (?:over |back )?(?:from \S+ )?to\b|不,|(?:please |just |let'?s )?(?:forget|disregard)\b(?! to)|.{0,40}(?:改成|改为|换成|改用)"
    r"|(?:you |it |this |that |we )?should(?:n't| not)? have (?:been|use|done|gone|kept|made|put|left|\w+ed)\b"
    r"|.{0,80}\b(?:that'?s (?:not|wrong)|this is (?:wrong|not what)|i (?:said|meant|asked for|told you)|not what i"
    r"|you (?:forgot|missed|misunderst\w+|should(?:n't)? have|were supposed)|should have been|undo|revert|roll ?back"
    r"|i wanted (?!to\b).{1,60}\bnot\b|change (?:it|that|this) (?:back|to)|back to the|go back to|forget (?:about )?(?:that|the|what)|never ?mind)\b"
    r"|.{1,80}\b(?:is|are) (?:now:? (?:\S+ ){0,2}\S*[\d`\"/]|(?:\S+ ){0,3}\S*[\d`\"/]\S* now\W*$))",
)
_PREFERENCE = compiled(
    r"(?<![\w'])(?:prefer\w*|i'?d like|i would like|i like|i'?d rather|i want|better to|lieber|möchte|je préfère|prefiero|prefiro"
    r"|preferisco|лучше)(?![\w'])",
)
_QUANTITY = compiled(
    r"\b(?:is|are|be|to|at|under|below|above|within|than|limit|max\w*|min\w*|timeout|budget|deadline|port|version)\b.{0,30}"
    r"(?<![\w.#/-])\d[\d.,]*",
)
_DESCRIBED = compiled(
    r"(?<![\w'])(?:(?:is|are|was|were|has|have|had|it|that|which|they|he|she|people|folks|everyone|everybody|users)\s+(?:always|never)|(?:always|never)\s+\w+(?:s|ed)"
    r"|(?:\w{3,}s|they)\s+(?:do not|don'?t)"
    r"|i\s+(?:do not|don'?t)\s+(?!want|like|need|wish|care|allow|accept|use)\w+(?!.*\bshould\b))(?![\w'])",
)
"""`is always 2`, `never gets past that`, `videos don't show up`: how something behaves, not how it must."""
_REPORTED = compiled(r".{0,200}?(?:\w*(?:error|exception|fatal|panic|failure)|failed)\s?[:(]")
"""What a program said, not the person."""
_LEAD_IN = 50
"""Characters up to which a line that ends in a colon only leads to what follows."""
_STATEMENT = 160
"""Characters up to which a number in a sentence may be what the sentence is about."""
_REQUEST = compiled(r"(?:please|can|could|would|will|let'?s)\b")
_REVIEW = compiled(
    r".{0,200}(?:\w\.[a-z]\w{0,4}:\d+|\blines? \d+)|(?:high|medium|low|critical|nit|p[0-3])\b\W"
)
"""A reviewer's finding that was pasted, not the person speaking."""
_QUOTING = r'(?::|\b(?:said|says|wrote|writes|commented))\s*"[^"]{10,}"'
"""Where a person quotes somebody."""
_FINDING = compiled(
    r"(?:\d{1,2}[.)] )?[\s*(\[]*(?:High|Medium|Low|Critical|Major|Minor|Nit|P[0-3])(?: Severity)?[*)\]]*[^\w\s*)\]] "
)


_OFFERS = ("if you ", "let me know ", "would you ", "do you ")
_OFFER = (
    r"(?:if you (?:want|like|prefer|wish|need)\b.{0,20}\bi(?:'ll| can| could| will)|let me know (?:if|whether|which)"
    r"|(?:would|do) you (?:like|want) me to)\b"
)
"""How an agent ends a report, which a person may paste: rare, so compiled where one begins so."""


def is_finding(line: str) -> bool:
    """The line begins as a reviewer's finding does: `High: …`, `2. Low: …`."""
    return _FINDING.match(line.lstrip(" \t*•-")) is not None


def is_of_a_review(line: str) -> bool:
    """The line points at a line of a file, or begins with how bad it is."""
    return _REVIEW.match(plainly(line)) is not None


_AND_YET = (" but ", " still ", " not ", " except ", " at most", " no more than ", " up to ")
"""Leave that is bounded in the same breath is a rule."""
_KANA = ("は", "が", "で", "の", "も", "な")
"""In Japanese 不要 says that something is not needed."""


@lru_cache(maxsize=4096)
def heard(sentence: str) -> Signal | None:
    """The signal of one sentence that a person wrote; None if it states no rule, correction or wish. One of
    strength 0 counts only where it lifts a rule."""
    sentence = plainly(sentence)
    signal = _heard(sentence)
    return None if signal and (is_for_once(sentence) or is_unreal(sentence)) else signal


def _heard(sentence: str) -> Signal | None:
    asks = sentence.endswith("?")
    wished = asks and wishes(sentence)
    if (asks and not wished and not _REQUEST.match(sentence)) or _REVIEW.match(sentence):
        return None
    if '"' in sentence:
        sentence = re.sub(_QUOTING, " ", sentence)
    if happens(sentence):
        return None
    sentence = without_reports(sentence)
    if "nie " in sentence and in_polish(sentence) and not forbids_in_polish(sentence):
        sentence = f" {sentence}".replace(" nie ", " ").strip()
    if "不要" in sentence and any(sign in sentence for sign in _KANA):
        sentence = sentence.replace("不要", "不必要")
    strength, at = _strength(sentence)
    if strength == FIRM and not asks:
        counted = without_the_count(sentence)
        if reports_own_work(sentence) or (counted != sentence and _strength(counted)[0] < FIRM):
            return Signal("stated", WISH)
    if sentence.startswith(_OFFERS) and re.match(_OFFER, sentence):
        return Signal("pasted", WISH) if strength and not asks else None
    if asks and not strength and refuses_politely(sentence):
        return Signal("constraint", FIRM)
    if asks and (strength <= WISH or not (_REQUEST.match(sentence) and (wished or asks_the_agent(sentence)))):
        strength = WISH if wished else 0
    if changes_mind(sentence):
        return Signal("correction", max(strength, FIRM))
    if _REPORTED.match(sentence[:at]):
        return None
    if sentence.endswith(":") and strength < MUST and len(sentence) < _LEAD_IN:
        return None
    if not asks and strength < MUST and permits(sentence) and not allows_again(sentence):
        if any(sign in sentence for sign in _AND_YET):
            return Signal("constraint", FIRM)
        return Signal("allowed", max(strength, WISH))
    if _CORRECTION.match(sentence):
        if is_chatter(sentence):
            return None
        return Signal("correction", max(strength, FIRM))
    if not asks and lifts_plainly(sentence):
        return Signal("correction", max(strength, FIRM))
    if strength < FIRM and not asks:
        ruled = max(strength, rules(sentence)) or fixes(sentence) or orders(sentence)
        if strength == 0 and ruled == WISH and _describes(sentence):
            return Signal("stated", WISH)
        strength = ruled
    if strength:
        return Signal("preference" if _PREFERENCE.search(sentence) else "constraint", strength)
    stated = not asks and len(sentence) <= _STATEMENT and _QUANTITY.search(sentence)
    if stated and not is_entry(sentence):
        return Signal("stated" if amounts_to(sentence) else "constraint", WISH)
    if not asks and _describes(sentence):
        return Signal("stated", WISH)
    if asks or not may_lift(sentence):
        return None
    return Signal("correction", WISH if "you can " in sentence or "you may " in sentence else 0)


def _strength(sentence: str) -> tuple[int, int]:
    """How strongly a sentence rules, and where its marker stands; 0 for no marker."""
    described = _described(sentence) is not None
    for level, pattern in _LEVELS:
        ruling = _DESCRIBED.sub(" ", sentence) if described and level == MUST else sentence
        if found := pattern.search(ruling):
            return level, found.start()
    return 0, 0


def _described(sentence: str) -> re.Match[str] | None:
    """To look for a word is cheaper than for the phrase it stands in."""
    if "never" in sentence or "always" in sentence or "don" in sentence or "do not" in sentence:
        return _DESCRIBED.search(sentence)
    return None


def _describes(sentence: str) -> bool:
    """It tells how something behaves; what never happened once is not how."""
    found = _described(sentence)
    return found is not None and not (found[0].startswith("never ") and found[0].endswith("ed"))
