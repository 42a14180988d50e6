"""Claude Code's lines as they are written, with only the fields that are read.

Whatever is not named here is skipped by the decoder and never becomes an object: whole files in
`originalFile`, pictures, whole histories in `progress`. Every field that is named costs a comparison
for each key that is not, so there are two sizes: `Line` is decoded for every line and has what the
mass of lines needs, `Whole` is for the few that need more. Fields whose type has varied are `Any`;
what does not fit even so is left out.

Annotations are not postponed here: the decoder would compile each of 140 texts, 5 ms at every start.
"""

from datetime import datetime
from functools import cache
from typing import Annotated, Any, TypeVar, get_args, get_origin

import msgspec
from msgspec import UNSET, Raw

from segue.model.entry import Entry

_NOTHING = Raw()


class Inner(msgspec.Struct, gc=False):
    """A block inside a tool's result."""

    type: str = ""
    text: str | None = None
    source: Raw = _NOTHING


class Input(msgspec.Struct, gc=False):
    """The arguments of the tools that are called most."""

    command: Any = None
    description: Any = None
    run_in_background: Any = None
    file_path: Any = None
    old_string: Any = None
    new_string: Any = None
    content: Any = None
    pattern: Any = None
    path: Any = None


class Block(msgspec.Struct, gc=False):
    type: str = ""
    text: str | None = None
    thinking: str | None = None
    id: str | None = None
    name: str | None = None
    input: Input | None = None
    tool_use_id: str | None = None
    content: str | list[Inner] | None = None
    is_error: bool | None = None


class Tokens(msgspec.Struct, gc=False):
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_input_tokens: int = 0
    cache_creation_input_tokens: int = 0


class Message(msgspec.Struct, gc=False):
    id: str | None = None
    model: str | None = None
    content: str | list[Block] | None = None
    stop_reason: str | None = None
    usage: Tokens | None = None


class Result(msgspec.Struct, rename="camel", gc=False):
    """`toolUseResult`: what the program itself keeps of a tool's outcome."""

    type: Any = None
    interrupted: Any = None
    return_code_interpretation: Any = None
    background_task_id: Any = None
    file_path: Any = None
    user_modified: Any = None


class Tag(msgspec.Struct, gc=False):
    """The kind of an attachment, its content unread, and what the commonest kind has."""

    type: str = ""
    content: Raw = _NOTHING
    filename: Any = None
    snippet: Any = None


class Line(msgspec.Struct, rename="camel", gc=False):
    type: str = ""
    uuid: str | None = None
    timestamp: Annotated[datetime, msgspec.Meta(tz=True)] | None = None
    message: Message | None = None
    tool_use_result: Result | str | list[Raw] | None = None
    is_sidechain: bool | None = None
    is_meta: bool | None = None
    is_compact_summary: bool | None = None
    cwd: str | None = None
    git_branch: str | None = None
    subtype: str | None = None
    hook_errors: list[Raw] | None = None
    attachment: Tag | None = None
    ai_title: Any = None


class WholeInput(Input, gc=False):
    notebook_path: Any = None
    new_source: Any = None
    edits: Any = None
    query: Any = None
    url: Any = None
    prompt: Any = None
    subagent_type: Any = None
    todos: Any = None
    questions: Any = None
    plan: Any = None
    subject: Any = None


class WholeBlock(Block, gc=False):
    input: Raw = _NOTHING  # type: ignore[assignment]
    source: Raw = _NOTHING


class WholeMessage(Message, gc=False):
    content: str | list[WholeBlock] | None = None  # type: ignore[assignment]


class WholeResult(Result, rename="camel", gc=False):
    agent_id: Any = None
    status: Any = None
    is_async: Any = None
    total_tokens: Any = None
    total_tool_use_count: Any = None
    answers: Any = None
    plan: Any = None
    plan_content: Any = None
    task: Any = None
    task_id: Any = None
    status_change: Any = None


class Whole(Line, rename="camel", gc=False):
    message: WholeMessage | None = None
    tool_use_result: WholeResult | str | list[Raw] | None = None
    parent_uuid: str | None = None
    session_id: str | None = None
    version: str | None = None
    forked_from: Any = None
    agent_id: str | None = None
    is_api_error_message: bool | None = None
    content: Any = None
    attachment: Any = None
    hook_errors: Any = None
    operation: str | None = None
    compact_metadata: Any = None
    error: Any = None
    fallback_model: Any = None
    summary: Any = None
    leaf_uuid: Any = None
    custom_title: Any = None
    relocated_cwd: Any = None
    pr_url: Any = None

    def arguments(self, id: str) -> tuple[WholeInput, Raw]:
        """The arguments of a call, as far as they are those of a known tool, and as they are written."""
        content = self.message.content if self.message else None
        for block in content if isinstance(content, list) else ():
            if block.id == id:
                try:
                    return _decode_input(block.input), block.input
                except (ValueError, RecursionError):
                    return WholeInput(), block.input
        return WholeInput(), _NOTHING

    def pictures(self) -> list[int]:
        """The sizes of the pictures in a message; the pictures themselves are never kept."""
        content = self.message.content if self.message else None
        blocks = content if isinstance(content, list) else []
        return [len(bytes(block.source)) for block in blocks if block.type == "image"]


class Link(msgspec.Struct, rename="camel", gc=False):
    """A line's place in the tree."""

    type: str = ""
    uuid: str | None = None
    parent_uuid: str | None = None
    is_sidechain: bool | None = None
    is_compact_summary: bool | None = None
    message: Message | None = None

    def is_prompt(self) -> bool:
        """Whether a person, not a tool or a summary, speaks here."""
        if self.type != "user" or self.is_sidechain or self.is_compact_summary or self.message is None:
            return False
        content = self.message.content
        return isinstance(content, str) or bool(content and content[0].type in ("text", "image"))


class Fault(Line, gc=False):
    """What stands for a line that could not be read."""

    entry: Entry = Entry(kind="unreadable", file="", line=0)


L = TypeVar("L", bound=Line)


class Fork(msgspec.Struct, rename="camel", gc=False):
    """Whether a line is a copy."""

    uuid: str | None = None
    forked_from: Any = None


decode = msgspec.json.Decoder(Line).decode
decode_lines = msgspec.json.Decoder(Line).decode_lines
decode_fork = msgspec.json.Decoder(Fork).decode
decode_link = msgspec.json.Decoder(Link).decode
decode_whole = msgspec.json.Decoder(Whole).decode
_decode_input = msgspec.json.Decoder(WholeInput).decode


def fit(record: dict[str, Any], wanted: type[L]) -> L:
    """A record without the fields that have another shape than ever seen."""
    return _fit(record, wanted)  # type: ignore[no-any-return]


def _fit(value: Any, wanted: Any) -> Any:
    """The value as the wanted type, as far as it goes; UNSET if nothing of it does."""
    if wanted is Raw:
        return Raw(msgspec.json.encode(value))
    try:
        return msgspec.convert(value, wanted)
    except (ValueError, TypeError, RecursionError):
        pass
    choices = get_args(wanted) if get_origin(wanted) is not list else (wanted,)
    for choice in choices or (wanted,):
        if get_origin(choice) is list and isinstance(value, list):
            fitted = [_fit(item, get_args(choice)[0]) for item in value]
            return [item for item in fitted if item is not UNSET]
        if isinstance(value, dict) and isinstance(choice, type) and issubclass(choice, msgspec.Struct):
            fields = {
                field.name: _fit(value[field.encode_name], field.type)
                for field in _fields(choice)
                if field.encode_name in value
            }
            return choice(**{name: item for name, item in fields.items() if item is not UNSET})
    return UNSET


@cache
def _fields(of: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    """Looked up once: it takes as long as reading a line."""
    return msgspec.structs.fields(of)
