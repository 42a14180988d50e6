"""How a tool call ended, from the text Codex kept of it.

There is no error flag. The exit code stands in a header before the output, in a JSON wrapper, or
in what a code-mode script printed; a refusal stands in the first sentence. Where the text does
not say, the outcome stays unknown.
"""

from __future__ import annotations

import re

import msgspec

from segue.agents._record import code as exit_code
from segue.agents._record import failed, json_record, word
from segue.agents.codex.wire import Block

_PROCESS = "Process "
_EXITED = ("exited with code", "Exit code:")
_RUNNING = "running with session ID"
_CELL = re.compile(r"Script running with cell ID (\S+)")
_FAILED = re.compile(
    r"(?:[a-z]+_[a-z_]+|collab \w+)(?: verification)? failed\b|failed to parse function arguments"
    r"|unsupported c(?:all|ustom tool call)"
)
"""How Codex words it when a call could not be made at all."""
_REJECTED = re.compile(r"rejected by (?:the )?user")
_CUT_SHORT = re.compile(
    r'\{"chunk_id":"[^"]*","wall_time_seconds":[\d.e-]+,(?:"exit_code":(-?\d+)|"session_id":(\d+))'
)
_TRUNCATED = "Warning: truncated output"
_OUTPUT = "Output:\n"
_OUTPUT_LINE = f"\n{_OUTPUT}"


class Outcome(msgspec.Struct, frozen=True, gc=False):
    text: str
    exit_code: int | None = None
    is_error: bool | None = None
    running: tuple[str, ...] = ()
    """The processes (`session N`) and the script (`cell N`) that go on, as later calls name them."""
    rejected: bool = False


class _Executed(msgspec.Struct, gc=False):
    """What `tools.exec_command` returns, as scripts print it."""

    chunk_id: str | None = None
    exit_code: int | None = None
    session_id: int | None = None
    output: str | None = None


_executed = msgspec.json.Decoder(_Executed | list[_Executed]).decode


def outcome(output: str | list[Block] | Block | None) -> Outcome:
    """The outcome of a call from its output record."""
    if isinstance(output, str):
        return _of_text(output)
    if isinstance(output, Block):
        text = output.text or output.content or ""
        return Outcome(text, is_error=None if output.success is None else not output.success)
    texts = [block.text for block in output or () if block.text]
    if texts and texts[0].startswith("Script "):
        return _of_script(texts[0], texts[1:])
    return _of_text("\n".join(texts))


def _of_text(text: str) -> Outcome:
    if text.startswith("Script "):
        header, _, rest = text.partition(_OUTPUT)
        return _of_script(header, [rest] if rest else [])
    if text.startswith('{"output"'):
        wrapped = json_record(text)
        if not isinstance(wrapped.get("metadata"), dict):
            return Outcome(text)
        code = exit_code(wrapped["metadata"].get("exit_code"))
        return Outcome(word(wrapped.get("output")), code, failed(code))
    end = text.find(_OUTPUT_LINE)
    if end >= 0:
        body = text[end + len(_OUTPUT_LINE) :]
        at = text.rfind(_PROCESS, 0, end) + len(_PROCESS)
        line = text[at : text.find("\n", at)] if at >= len(_PROCESS) else text[: text.find("\n")]
        said, _, number = line.rpartition(" ")
        if said in _EXITED and number.removeprefix("-").isdecimal():
            return Outcome(body, int(number), failed(int(number)))
        if said == _RUNNING:
            return Outcome(body, running=(f"session {number}",))
    if _FAILED.match(text[:200]):
        return Outcome(text, is_error=True, rejected=_REJECTED.search(text[:4000]) is not None)
    return Outcome(text)


def _of_script(header: str, texts: list[str]) -> Outcome:
    """The outcome of a code-mode cell: what each command of it said, as far as it was printed."""
    codes: list[int] = []
    running: list[str] = []
    shown: list[str] = []
    for text in texts:
        for result in _results(text):
            if result.exit_code is not None:
                codes.append(result.exit_code)
            if result.session_id is not None:
                running.append(f"session {result.session_id}")
            shown.append(text if result.output is None else result.output)
    body = "\n".join(shown)
    if header.startswith("Script failed"):
        rejected = _REJECTED.search(body[:4000]) is not None
        return Outcome(body, next(filter(None, codes), None), True, rejected=rejected)
    cell = _CELL.match(header)
    if cell:
        return Outcome(body, running=(f"cell {cell[1]}", *running))
    code = next(filter(None, codes), codes[0] if codes else None)
    return Outcome(body, code, failed(code), tuple(running))


def _results(text: str) -> list[_Executed]:
    """What was printed: the results of commands where it is that, else the text as it is."""
    plain = [_Executed(output=text)]
    start = text.find("\n\n{") + 2 if text.startswith(_TRUNCATED) else 0
    if text[start : start + 1] not in ("{", "[") or ('"chunk_id"' not in text and '"exit_code"' not in text):
        return plain
    try:
        found = _executed(text[start:])
    except (ValueError, RecursionError):
        cut = _CUT_SHORT.match(text, start)
        if not cut:
            return plain
        code, session = cut.groups()
        return [_Executed(None, int(code) if code else None, int(session) if session else None, text)]
    results = found if isinstance(found, list) else [found]
    return results if all(r.chunk_id or r.output is not None for r in results) else plain
