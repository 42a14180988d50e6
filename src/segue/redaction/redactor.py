"""The redactor: text in, the same text without its secrets out.

What goes is replaced by `[redacted:<kind>]`; everything else stays character for character. Redacting
twice changes nothing more, and text without a secret is returned as the very object that came in. A
redactor remembers what it was taught and counts what it removed; its receipt holds no removed text.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Iterator

from segue.model.value import NamedTuple
from segue.redaction import escapes, files, prefilter, scan
from segue.redaction.rules import RULES_VERSION

SHORTEST_EXTRA = 4
"""A shorter literal would vanish from unrelated words, so it is not taken."""

_PASSES = 4
_SHORT, _REMEMBERED = 4096, 2048
"""Characters of a text that is remembered as clean, and how many of them are."""
_TOGETHER = 256
_NOTHING_HEARD: tuple[list[str], list[str]] = [], []
_BETWEEN = "\n\0\n"
"""Between two texts heard: no name in one is taken for that of a value in the next."""


_MARKED = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""How files begin whose characters have several bytes each, and their encoding."""
_WIDEST = 4
_LIKE_ASCII = "utf-8"
_SAMPLE = 8192
_PART = 16 * 1024 * 1024
"""Bytes that are gone through at a time, up to the end of a line: the search keeps what it finds in memory."""


BARE = "\n"
"""Stands for the source of values that were cut out of their lines."""


class Receipt(NamedTuple):
    """What was removed so far: enough to tell a person, nothing that was removed."""

    rules_version: str
    total: int
    by_kind: dict[str, int]


class Redactor:
    """Removes secrets that a rule knows, that were given as `extra`, or that were learnt."""

    def __init__(self, extra: Iterable[str] = ()) -> None:
        self._extra = frozenset(value for value in extra if len(value.strip()) >= SHORTEST_EXTRA)
        self._learned: frozenset[str] = frozenset()
        self._find_literals = _scans(self._extra, self._learned)
        self._heard: tuple[list[str], list[str]] = [], []
        """Texts not yet gone through: those of tools, those spoken."""
        self._gone_through: set[int] = set()
        """Hashes of their parts that were: files are read more than once."""
        self._counts: dict[str, int] = {}
        self._clean: set[str] = set()
        """Short texts without a secret: what a session says it says again, and every part of an index asks."""
        self.withheld: dict[str, str] = {}
        """Tool calls whose result shows settings: call id to the file or program whose secrets must not be quoted,
        empty where only what was made up is a secret, `BARE` where that stands alone on a line, too."""
        self.overheard: set[str] = set()
        """Tool calls whose result shows a sensitive file among other things."""

    @property
    def learned(self) -> frozenset[str]:
        self._learn_pending()
        return self._learned

    def receipt(self) -> Receipt:
        return Receipt(RULES_VERSION, sum(self._counts.values()), dict(sorted(self._counts.items())))

    def count(self, kind: str, times: int = 1) -> None:
        self._counts[kind] = self._counts.get(kind, 0) + times

    def twin(self) -> Redactor:
        """One that knows the same secrets and has removed nothing yet."""
        other = Redactor(self._extra)
        other._learned, other._find_literals = self.learned, self._find_literals
        return other

    def takes_over(self, other: Redactor) -> None:
        """Knows from now on what another one has learnt."""
        self._remember(other.learned)

    def learn(self, text: str, path: str = "") -> None:
        """Takes the secrets of a settings file as literals: from now on they vanish everywhere.

        Both what its assignments set and what the rules find in it; what is short or a word vanishes where
        it stands alone. The text of an example file (`.env.sample`) teaches nothing.
        """
        from segue.redaction import learning  # 3 ms, and few sessions show a settings file

        if learning.teaches(path):
            self._remember(frozenset(learning.values(_as_shown(text))))

    def learn_quoted(self, text: str) -> None:
        """Takes the secrets of the sensitive files that a text quotes under their names as literals."""
        for path, lines in files.quoted(_as_shown(text)):
            self.learn(lines, path)

    def learn_given_out(self, text: str) -> None:
        """Takes what a keeper of secrets gave out as literals, also without a name."""
        from segue.redaction import learning  # 3 ms

        told = _as_shown(text).replace('\\"', '"')
        self._remember(frozenset((*learning.values(told), *learning.bare_values(told))))

    def learn_lines(self, text: str) -> None:
        """Takes what stands alone on its line as literals, where the text holds values without their names."""
        from segue.redaction import learning  # 3 ms

        self._remember(frozenset(learning.lone_values(_as_shown(text))))

    def learn_settings(self, text: str, bare: bool = False) -> None:
        """Takes what was made up of a text that holds settings, whatever name it stands under, as literals; of `bare`
        values also what stands alone on its line."""
        from segue.redaction import learning  # 3 ms

        self._remember(frozenset(learning.made_up_settings(_as_shown(text), bare)))

    def learn_from(self, text: str, spoken: bool = False) -> None:
        """Takes the secrets that any text tells, a settings file of whatever kind or a sentence (`spoken`), as
        literals, if they are such that nobody writes them by chance. What was heard is gone through when there is
        much of it, or when the redactor is asked for anything."""
        heard = self._heard[spoken]
        heard.append(text)
        if len(heard) == _TOGETHER:
            self._learn_pending()

    def _learn_pending(self) -> None:
        for spoken, heard in enumerate(self._heard):
            if not heard:
                continue
            texts = heard.copy()
            heard.clear()
            # Joined with one text of many scripts, all others would be widened and narrowed again.
            plain = [text for text in texts if text.isascii()]
            for some in (plain, [text for text in texts if not text.isascii()]):
                data = _BETWEEN.join(some).encode("utf-8", "surrogatepass")
                if escapes.of_terminal(data):
                    data = escapes.render(data)
                for part in prefilter.tellings(data, bool(spoken)):
                    if (known := hash(part)) in self._gone_through:
                        continue
                    self._gone_through.add(known)
                    from segue.redaction.text_learning import secrets_in

                    self._remember(frozenset(secrets_in(part)))

    def _remember(self, new: frozenset[str]) -> None:
        if not new <= self._learned:
            self._learned |= new
            self._clean.clear()
            self._find_literals = _scans(self._extra, self._learned)

    def redact(self, text: str) -> str:
        """The text without its secrets; the same object if there are none."""
        if self._heard != _NOTHING_HEARD:
            self._learn_pending()
        if text in self._clean:
            return text
        given = text.encode("utf-8", "surrogatepass")
        data = self._redacted(given)
        if data is not given:
            return data.decode("utf-8", "surrogatepass")
        if len(text) <= _SHORT and len(self._clean) < _REMEMBERED:
            self._clean.add(text)
        return text

    def redact_bytes(self, data: bytes) -> bytes | None:
        """A file's text without its secrets, all other bytes as they were, whatever its encoding; `None` where it is
        no text. The same object if there are none."""
        encoding = encoding_of(data)
        if encoding is None:
            return None
        if encoding == _LIKE_ASCII:
            parts = list(_parts(data))
            cleaned = [self._redacted(part) for part in parts]
            return data if all(a is b for a, b in zip(parts, cleaned, strict=True)) else b"".join(cleaned)
        end = len(data) // _WIDEST * _WIDEST
        try:
            text = data[:end].decode(encoding, "surrogatepass")
        except UnicodeDecodeError:
            return None
        clean = self.redact(text)
        return data if clean is text else clean.encode(encoding, "surrogatepass") + data[end:]

    def _redacted(self, data: bytes) -> bytes:
        """Text in UTF-8, or anything else that writes ASCII alike, without its secrets."""
        if self._heard != _NOTHING_HEARD:
            self._learn_pending()
        # A removal may uncover a boundary that the next pass sees; a pass without a find ends it.
        for _ in range(_PASSES):
            found = scan.spans(data)
            for find in self._find_literals:
                found += find(data)
                if escapes.of_terminal(data):
                    found += scan.through_veils(data, find)
            if not found:
                break
            data = self._without(data, scan.merged(found))
        return data

    def _without(self, data: bytes, found: list[scan.Span]) -> bytes:
        parts: list[bytes] = []
        done = 0
        for span in found:
            parts += data[done : span.start], b"[redacted:", span.kind.encode(), b"]"
            done = span.end
            self.count(span.kind)
        return b"".join((*parts, data[done:]))


def encoding_of(data: bytes) -> str | None:
    """The encoding of a text; UTF-8 stands for all that write ASCII alike. `None` of what is no text."""
    marked = next((encoding for mark, encoding in _MARKED if data.startswith(mark)), None)
    return marked or (None if b"\0" in data[:_SAMPLE] else _LIKE_ASCII)


def _parts(data: bytes) -> Iterator[bytes]:
    """The data in parts that end with a line; itself where one part is enough."""
    if len(data) <= _PART:
        yield data
        return
    start = 0
    while start < len(data):
        line = data.find(b"\n", start + _PART)
        end = len(data) if line < 0 else line + 1
        yield data[start:end]
        start = end


def _as_shown(text: str) -> str:
    """A text without the colours a terminal gave it."""
    data = text.encode("utf-8", "surrogatepass")
    return escapes.render(data).decode("utf-8", "surrogatepass") if escapes.of_terminal(data) else text


def _scans(extra: frozenset[str], learned: frozenset[str]) -> list[Callable[[bytes], list[scan.Span]]]:
    """What looks for the values known: those given anywhere, those learnt that are like words alone."""
    if not extra and not learned:
        return []
    from segue.redaction import learning  # 3 ms

    alone = frozenset(filter(learning.stands_alone, learned)) - extra
    anywhere = extra | (learned - alone)
    found = []
    if anywhere:
        found.append(scan.literals(_forms(anywhere, learning.disguises)))
    if alone:
        found.append(scan.literals(_forms(alone, learning.disguises), alone=True))
    return found


def _forms(values: frozenset[str], disguises: Callable[[str], tuple[str, ...]]) -> list[str]:
    return sorted({form for value in values for form in disguises(value)})
