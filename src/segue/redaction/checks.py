"""The last word on a candidate: is this text a secret, or does it only stand where one might stand?

Pure predicates over the candidate's text. A rule errs towards silence where the shape is certain and
towards the reader where only a word nearby suggests a secret; these predicates are that difference.
"""

from __future__ import annotations

import binascii
import re

from segue.model.patterns import compiled
from segue.redaction.spelling import unspeakable

SAMPLE = 96
"""Characters of a candidate that are looked at: enough to judge, and a bound on the cost."""

_ASKING = """a access account actual admin an and anthropic any api app auth aws azure bar baz bearer change changeme
client cloud code credential credentials database db default demo dev dummy empty encrypted enter env environment
example fake fill foo for from generated github goes google hash hashed header here id in insert is it jwt key keys
local login manager me mock must my name new no not of old on openai or our pass passphrase passwd password passwords
placeholder please private pwd real redacted refresh replace reset sample secret secrets server service session set
sign signing some super test testing tests that the this to todo token tokens url use user username value variable
webhook with x xx xxx your"""
_TYPES = """array bool boolean buffer byte bytes char date enum false field float hidden int integer list literal long
map masked maybe nil none null number object option optional ptr raw ref required secretstr self str string struct text
true type undefined union unknown unset varchar void yes"""
_VERDICTS = """erforderlich expired falsch gesetzt incorrect incorrecta incorrecto invalid mandatory missing
notwendig obligatoire obligatorio pflicht pflichtfeld requis wrong"""
_TALKING = """again are at be been between but by can cannot characters confirm contain could did does forgot has have
if incorrect invalid least letters long match minimum more must need only please repeat same short should strong than
then there too was weak were when will without wrong you"""

STAND_INS = frozenset(f"{_ASKING} {_TYPES} {_VERDICTS}".split())
"""Words of which no secret consists: a value made of nothing else stands in for one."""

_WORD = compiled(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_BLANKS = "*** ... … example placeholder redacted changeme change-me change_me"
_ASKS = ("your", "replace", "insert", "dummy", "todo", "fixme", "change")
_ASKED = rf"(?:^|[^a-z])(?:{'|'.join(_ASKS)})(?:[^a-z]|$)|^(?:your|replace)"
_INTERPOLATION = ("${", "%{", "$(", "{{", "}}", "%(", "<", "`")
_FORMAT = r"\{[A-Za-z_][\w.]*[}\[(!:]"
_DIRECTIVE = r"(?<![A-Za-z0-9])%[sd]|%[sd](?![A-Za-z0-9])"
_REFERENCE = (
    r"\$[A-Za-z_]\w*$|\$(?:env|Env|ENV):|%\w+%$|%[sdrv@]$|\{[\w.!:]*\}$|[*&!]\w+$"
    r"|(?:process\.env|os\.(?:environ|getenv)|import\.meta|env[.(:]|secrets?\.|vars?\.|vault:|ssm:|arn:|ENC\[)"
)
_PLACE = r"^(?:[a-z][a-z0-9+.-]{1,15}://|(?:/|\.{1,2}/|~/|[A-Za-z]:\\)[\w@. \\/-]*$|\w[\w-]*(?:/[\w-]+)*/[\w.-]+\.[a-z]{1,5}$)"
_COMPLAINT = r"(?:ba|da|fi|k|z)?sh:\d*:?$"
"""How a shell begins its complaint, where a prompt that ends in `pass:` stands before it."""
_EXPRESSION = r"^[A-Za-z_$][\w$]*(?:(?:\?\.|\.|::|->)[A-Za-z_$#][\w$]*|\[[\w'\"-]*\])+[!?]?$"
_LABEL = r"(?:[A-Z][a-z]*(?:-[A-Z][a-z]*)*|[A-Z]+(?:_[A-Z]+)+)$"
_PUBLISHABLE = r"(?:phc_|pk_(?:live|test)_|sb_publishable_|pk\.eyJ)[A-Za-z0-9_.=-]+$"
"""Keys that a service means to be seen by everybody."""
_CALL = r"[\w.$:]+\(|new\s"
_FILLING = frozenset("xX*.0-_#•/")
_NAME = r"^[A-Za-z]+(?:[-_./:][A-Za-z]+)*$"
_NUMBERED_NAME = r"^[A-Za-z_-]+\d{0,2}$"
_LONG_RUN = r"[A-Za-z0-9]{20}"
_SECRET_WORDS = ("secret", "token", "key", "password", "passwd", "credential")
_SENTENCE = frozenset(_TALKING.split()) | STAND_INS
_SLUG = r"^[A-Za-z]{2,}(?:[-_./: ][A-Za-z]{2,})*[-_]?v?\d{0,4}$"
_NUMBER = compiled(r"^[-+]?[\d.,_:/-]+$")
_DIGEST = r"(?i)sha\d+[-:]|h1:|md5"
_DIGIT = compiled(r"\d")
_SHORTEST_KEY = 12
IDENTITY = (
    r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$|[0-9a-f]{1,31}$|[0-9a-f]{40}$|(?i:sha\d+|md5|h1)[-:]"
    r"|(?:ssh|ecdsa|sk)-|AAAA[BCE]|MII[A-Z]|v?\d+\.\d|[\w.-]*\d{4}-\d\d"
)
"""Ids, commits, digests, public keys, versions and times: random as they look, they open nothing."""
_PATH = r"/?[^/]+/[^/]+/"
_FOLDER = r"(?:^|/)[.A-Z]?[a-z]{2,}/"
"""One word between slashes, which hardly ever turns up in base64."""
_VOWELS = frozenset("aeiouy")
_KINDS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", "a" * 26 + "A" * 26 + "0" * 10, "_-./: "
)


def varied(value: str) -> bool:
    """Does not end like a blank to fill in: `xxxx`, `****`, `0000`."""
    return not _FILLING.issuperset(value[-12:])


def certain(value: str) -> bool:
    return True


def words(value: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(value)]


def blank(value: str) -> bool:
    """A value that asks to be filled in."""
    lowered = value.lower()
    asks = (
        any(mark in lowered for mark in _BLANKS.split())
        or "xxxx" in value
        or "XXXX" in value
        or (any(word in lowered for word in _ASKS) and compiled(_ASKED).search(lowered) is not None)
    )
    # Somewhere in a long random text any word may turn up.
    return len(set(value)) <= 2 or (asks and not (len(value) >= 32 and scrambled(value)))


def stand_in(value: str) -> bool:
    """A value that asks for the secret, or a type, or nothing."""
    return blank(value) or (not _DIGIT.search(value) and STAND_INS.issuperset(words(value)))


def variable(value: str) -> bool:
    """A value that names the variable or the store where the secret is."""
    if any(mark in value for mark in _INTERPOLATION):
        return True
    if compiled(_REFERENCE).match(value) or compiled(_FORMAT).search(value):
        return True
    rest = compiled(_DIRECTIVE).sub("", value)
    return rest != value and not (len(rest) > 5 and scrambled(rest))


def elsewhere(value: str) -> bool:
    """A value that says where the secret is: a variable, a path, an address, an expression."""
    if (
        variable(value)
        or compiled(_PLACE).match(value)
        or compiled(_CALL).match(value)
        or compiled(_COMPLAINT).match(value)
    ):
        return True
    return compiled(_EXPRESSION).match(value) is not None and not scrambled(value)


def scrambled(value: str) -> bool:
    """Kinds of characters change as often as in random text; names and numbers keep to one kind.

    Joints (`_`, `-`, `.`) do not count, nor does a capital before a small letter: both begin words.
    """
    kinds = value[:SAMPLE].translate(_KINDS)
    digits = kinds.count("0")
    others = len(kinds) - digits - kinds.count("a") - kinds.count("A")
    if digits == len(kinds):
        return False
    changes = 2 * others + sum(map(kinds.count, ("aA", "a0", "A0", "0a", "0A")))
    return changes * (5 if digits > 1 else 3) >= len(kinds)


def plain(value: str) -> bool:
    """Neither stands in for a secret nor says where it is: where a password is set, this is one."""
    value = value[:SAMPLE]
    return not stand_in(value) and not elsewhere(value) and not compiled(_PUBLISHABLE).match(value)


def unnumbered(value: str) -> bool:
    return plain(value) and not _NUMBER.match(value)


def password(value: str) -> bool:
    """A quoted password: anything plain but a label, a constant or the name of a header."""
    return plain(value) and not compiled(_LABEL).match(value)


def mixed(value: str) -> bool:
    """A quoted token or key: plain, and more than a name with a number behind it."""
    if len(value) < 8 or not plain(value) or _NUMBER.match(value):
        return False
    if not compiled(_SLUG).match(value[:SAMPLE]) or unspeakable(value[:SAMPLE]):
        return True
    # A name has a joint or a capital somewhere; one long run of small letters has neither.
    unbroken_run = len(value) >= 16 and value.isalnum() and value.islower()
    return unbroken_run and (not value.isalpha() or not any(word in value for word in _SECRET_WORDS))


def unquoted(value: str) -> bool:
    """A bare value after a small-letter key: in code a name may stand there, so words alone do not do."""
    value = value[:SAMPLE].strip("*.:_-")
    if _NUMBER.match(value) or not plain(value):
        return False
    if unspeakable(value):
        return True
    return not compiled(_NAME).match(value.rstrip("!?")) and not (
        compiled(_NUMBERED_NAME).match(value) and STAND_INS.issuperset(words(value))
    )


def argument(value: str) -> bool:
    """What is handed over as a password, where no program's own names stand: also letters alone with a capital inside."""
    return unquoted(value) or (len(value) >= 6 and _has_capital_inside(value) and password(value))


def _has_capital_inside(value: str) -> bool:
    return value.isascii() and value.isalpha() and not value.isupper() and not value[1:].islower()


def numeric(value: str) -> bool:
    """Digits that are not all the same, nor counted up."""
    return len(set(value)) > 1 and value not in "01234567890"


def with_blanks(value: str) -> bool:
    """A quoted password of several words: no sentence, and one of them is none of any language."""
    found = value.split()
    bare = [word.strip(".,:;!?()") for word in found]
    if not plain(value.replace(" ", "")) or not _SENTENCE.isdisjoint(word.lower() for word in bare):
        return False
    return any(
        not _NUMBER.match(word)
        and (not word.isalpha() or _has_capital_inside(word) or _VOWELS.isdisjoint(word.lower()))
        for word in bare
        if len(word) > 2
    )


def random_key(value: str) -> bool:
    """Drawn at random and no id: behind a name that may mean something else than a secret (`CACHE_KEY`, `SSH_KEY`)."""
    path = compiled(_PATH).match(value) and (
        compiled(_FOLDER).search(value) or not unspeakable(value[:SAMPLE])
    )
    run = value.rstrip("=") if path else value.strip("=/")
    if len(run) < _SHORTEST_KEY or re.match(IDENTITY, run) is not None:
        return False
    return opaque(run)


def paired_key(value: str) -> bool:
    """The secret half of a key pair: small letters and capitals at random, and no path of words."""
    mixes = any(map(str.islower, value)) and any(map(str.isupper, value))
    return mixes and (scrambled(value) or unspeakable(value[:SAMPLE]))


def given(value: str) -> bool:
    """A quoted argument behind the name of somebody: no label, no word that stands in for a password."""
    return password(value) and not (
        compiled(_NUMBERED_NAME).match(value) and STAND_INS.issuperset(words(value))
    )


def spoken(value: str) -> bool:
    """After a bare `pass:`, which reports of tests write too: nothing with the joints of a name or path."""
    return len(value) <= 64 and unquoted(value) and not ("_" in value or "/" in value)


def told(value: str) -> bool:
    """In a sentence of any language: an adjective may stand there, so letters alone do not do."""
    return unquoted(value) and not value.strip(".!?:*_-").replace("-", "").isalpha()


def paired(value: str) -> bool:
    """Behind the name of somebody who logs in: no path, no name of a thing."""
    return told(value) and "/" not in value and (scrambled(value) or not ("_" in value or "-" in value))


def several_words(value: str) -> bool:
    """A password of several words, as dice give them: no sentence, no label."""
    return _SENTENCE.isdisjoint(value.split())


def joined_words(value: str) -> bool:
    """The same with joints: no name of a thing that has to do with secrets, either."""
    return several_words(value.replace("-", " "))


def credential(value: str) -> bool:
    """What follows the scheme in an Authorization header: also letters alone, if they are many."""
    return unquoted(value) or (plain(value) and value.isalpha() and len(value) >= 16)


def url_password(value: str) -> bool:
    """Between `user:` and `@host` anything is a password but a blank, a variable or the word itself."""
    value = value[:SAMPLE]
    if value.lower() in ("pass", "password", "passwd", "pwd", "pw"):
        return False
    return not (blank(value) or variable(value) or _FILLING.issuperset(value))


def opaque(value: str) -> bool:
    """Looks drawn at random, or typed to look so: `abcdef123456` is no name either."""
    if len(value) < 8 or not plain(value) or len(set(value[:SAMPLE])) < 6:
        return False
    digits = len(_DIGIT.findall(value[:SAMPLE]))
    typed = value.isalnum() and len(value) >= 12 and 4 <= digits <= len(value) - 4
    return scrambled(value) or typed or unspeakable(value[:SAMPLE])


def numbered(value: str) -> bool:
    return plain(value) and _DIGIT.search(value) is not None


def phrase(value: str) -> bool:
    """A quoted constant: also a long phrase of words, which nobody gives as a name."""
    return mixed(value) or (len(value) >= 20 and unnumbered(value) and not compiled(_LABEL).match(value))


def strong(value: str) -> bool:
    """Looks drawn at random from a large alphabet: enough when only a word nearby suggests a secret."""
    return (
        opaque(value)
        and len(set(value[:SAMPLE])) >= 12
        and any(map(str.isupper, value))
        and any(map(str.islower, value))
        and len(_DIGIT.findall(value)) >= 2
        and not compiled(_DIGEST).match(value)
    )


def unbroken(value: str) -> bool:
    """A token's body: a long run of letters and digits, or at random where it has joints like a name."""
    return varied(value) and (compiled(_LONG_RUN).search(value) is not None or opaque(value))


def key_material(value: str) -> bool:
    """Base64 of random bytes: small letters, capitals, and something else."""
    return any(map(str.islower, value)) and any(map(str.isupper, value)) and not value.isalpha()


def user_and_password(value: str) -> bool:
    """Base64 of `user:password`, as Basic authentication and container registries write it."""
    name, _, rest = (text := decoded(value)).partition(":")
    return bool(name and rest) and text.isprintable()


def decoded(value: str) -> str:
    """The text that a value is in base64; empty where it is none."""
    try:
        return _base64(value).decode()
    except UnicodeDecodeError:
        return ""


def encoded_private_key(value: str) -> bool:
    return b"PRIVATE KEY" in _base64(value[:96])


def key_body(value: str) -> bool:
    """The inside of a PEM block: mostly long runs of base64, not prose or a pattern between two markers."""
    runs = re.findall(r"[A-Za-z0-9+/=]{16,}", value.replace("\\n", "\n").replace("\\r", ""))
    return sum(map(len, runs)) * 2 >= len(value)


def _base64(value: str) -> bytes:
    try:
        return binascii.a2b_base64(value[: len(value) // 4 * 4])
    except ValueError:
        return b""
