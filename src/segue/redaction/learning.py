"""Which values are worth never seeing again anywhere.

A value learnt is removed wherever it turns up, without any context, so learning is careful: words,
paths, addresses, numbers and ids that merely sit in a settings file would otherwise vanish from text
that has every right to name them. Of a file that holds secrets by profession, what is short, or a word, is
learnt only under the name of a secret, and removed only where it stands alone. What any other text teaches,
`text_learning.py` says.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator

from segue.model.patterns import compiled
from segue.redaction import checks, files, scan
from segue.redaction.ordinary_words import EVERYDAY
from segue.redaction.random_values import made_up
from segue.redaction.secret_queries import SECRET_ITSELF

SHORTEST = 4
_TELLING = 8
"""Characters from which on a value is not found inside other words by accident."""
_TELLING_LETTERS = 16
_CHOSEN = 10

_UNESCAPED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

_PAIR = compiled(
    r"""(?:(?<![\w.-])|(?<=\n-))["']?([A-Za-z_][\w.-]{0,80})["']?[ \t]{0,8}(?:=(?!=)|:(?![:/]))[ \t]{0,8}"""
    r"""(?:"([^"\n]{4,4096})"|'([^'\n]{4,4096})'|([^\s"'#,][^\s"',]{3,4096}))"""
)
_SECRET_NAME = compiled(
    r"(?i)pass|pwd|(?:^|[-_.])pw$|secret|token|credential|private|auth|api_?key|access_?key|[^a-z]key$|^key$|salt|dsn|cookie|session"
)
_URL_PASSWORD = compiled(r"^[a-z][a-z0-9+.-]{1,15}://([^\s/:@]{0,128}):([^\s/@]{4,256})@")
_IDENTITY = compiled(
    r"^(?:[0-9a-f]{7,64}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"  # digests, commits, uuids
    r"|[\w.+-]+@[\w-]+\.[\w.-]+|[\w-]+(?:\.[\w-]+)+(?::\d+)?|[\d.:T+Z-]+"  # mail, hosts, versions, times
    r"|[\w.-]+/[\w./:-]+"  # images, repositories, relative paths
    r"|[a-z]{1,12}[-_][0-9a-f]{6,40}|\d+:.*)$"  # ids that say of what, numbered lines
)
# Compiled when first used: most sessions show no such file.
_OF_NO_SECRET = (
    r"(?i)(?:id|ids|sha|hash|digest|checksum|integrity|etag|commit|rev|revision|version|tag|image|build|thumbprint"
    r"|fingerprint|public[-_.]?key|public[-_.]?key[-_.]?token|arn|url|uri|path|time|date|name|host|label|title)$|^public|^next_public"
)
"""Names of what may be seen by everybody, however it looks."""
_ENCODED = r"""["']?([\w.-]{1,80})["']?:[ \t]{0,4}["']?([A-Za-z0-9+/]{8,4096}={0,2})(?=["'\s,}]|$)"""
_PAIRED = r":|=.*[^=]"
_BORDERS = str.maketrans(dict.fromkeys("|│┃\"'`,", " "))
_KEY_BLOCK = "-----BEGIN "
_DRAWN_DIGITS = r"(?!.{40}$)[0-9a-f]{32,}$"
"""Hexadecimal digits, more than an id has, and not as many as a commit."""
_FEW, _MANY = 3, 64
"""Lines up to which a text is one value, and up to which it is gone through word by word."""


def worth_learning(name: str, value: str) -> bool:
    if len(value) < SHORTEST or not checks.unnumbered(value):
        return False
    if stands_alone(value) and not checks.scrambled(value):
        return re.search(SECRET_ITSELF, name) is not None and value.lower() not in EVERYDAY
    if _SECRET_NAME.search(name):
        return len(value) >= _TELLING or re.search(SECRET_ITSELF, name) is not None
    return (checks.opaque(value) or _chosen(value)) and not _IDENTITY.match(value)


def _chosen(value: str) -> bool:
    """Made up by a person to be a password: small letters, capitals and digits in one word."""
    kinds = (str.islower, str.isupper, str.isdigit)
    return len(value) >= _CHOSEN and checks.plain(value) and all(any(map(kind, value)) for kind in kinds)


def stands_alone(value: str) -> bool:
    """True for a value so short, or so much like a word, that it may be part of others by accident."""
    return len(value) < _TELLING or (value.isalpha() and len(value) < _TELLING_LETTERS)


def teaches(path: str) -> bool:
    """False for the example beside the real file: its values are meant to be read."""
    return not files.is_example(path)


def values(text: str) -> Iterator[str]:
    """The secrets of an `.env`, ini, YAML or JSON text: what is set in it, and what the rules find in it."""
    data = text.encode("utf-8", "surrogatepass")
    for span in scan.merged(scan.spans(data)):
        value = data[span.start : span.end].decode("utf-8", "surrogatepass")
        if worth_learning("secret", value):
            yield value
    for found in _PAIR.finditer(text):
        name, value = _pair(found)
        address = _URL_PASSWORD.match(value)
        if address is not None:
            value = address.group(2) if checks.url_password(address.group(2)) else ""
        if worth_learning(name, value):
            yield value


def bare_values(text: str) -> Iterator[str]:
    """The secrets that stand without a name, alone on their line or in a table, or in base64, where a text holds
    nothing but secrets."""
    lines = text.splitlines()
    name = "secret" if len(lines) <= _FEW else ""
    for line in lines[:_MANY]:
        words = line.translate(_BORDERS).split()
        for word in words:
            if not re.search(_PAIRED, word) and worth_learning(name if len(words) == 1 else "", word):
                yield word
    for found in re.finditer(_ENCODED, text):
        inner = checks.decoded(found.group(2)).strip()
        if not inner.isprintable():
            told = tuple(values(inner)) if inner.replace("\n", "").isprintable() else ()
        else:
            told = (inner,) if worth_learning(found.group(1), inner) else ()
        if told:
            yield from (*told, found.group(2).rstrip("="))


def lone_values(text: str) -> Iterator[str]:
    """The secrets that stand alone on their lines, or behind one word, where a text holds values without their names;
    the names themselves, ids and commits do not."""
    if _KEY_BLOCK in text:
        return
    for line in text.splitlines()[:_MANY]:
        words = line.translate(_BORDERS).split()
        if not 1 <= len(words) <= 2 or re.search(_PAIRED, words[-1]):
            continue
        value = words[-1]
        if worth_learning(words[0] if len(words) == 2 else "", value) or re.match(_DRAWN_DIGITS, value):
            yield value
            yield from values(checks.decoded(value))


def made_up_settings(text: str, bare: bool = False) -> Iterator[str]:
    """What was made up of the values that a text sets, whatever name each stands under, or that stand `bare`, each on
    its line; no ids, digests or places."""
    pairs = [_pair(found) for found in _PAIR.finditer(text)]
    if bare:
        lines = (line.translate(_BORDERS).split() for line in text.splitlines()[:_MANY])
        pairs += (("", words[0]) for words in lines if len(words) == 1)
    for name, value in pairs:
        if (
            not re.search(_OF_NO_SECRET, name)
            and made_up(value, password=False)
            and not _IDENTITY.match(value)
        ):
            yield value


def _pair(found: re.Match[str]) -> tuple[str, str]:
    """The name and the value, in whatever quotes."""
    name, *forms = found.groups()
    return name, next(form for form in forms if form is not None).strip()


def disguises(value: str) -> tuple[str, ...]:
    """The value as it stands, inside JSON, inside an address, and in base64."""
    raw = value.encode("utf-8", "surrogatepass")
    in_json = value.replace("\\", "\\\\").replace('"', '\\"')
    in_url = "".join(chr(byte) if byte in _UNESCAPED else f"%{byte:02X}" for byte in raw)
    in_base64 = binascii.b2a_base64(raw, newline=False).decode().rstrip("=")
    return tuple(dict.fromkeys((value, in_json, in_url, in_base64)))
