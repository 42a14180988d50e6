"""Who said what: prompts, replies, thoughts and plans.

A prompt is told from its event, a reply and a thought from the item the model saw. The twin comes
right before or right after; what has none is told all the same.

Codex sends its own text in the user's name: instructions, the environment, notices of aborted
turns and finished sub-agents. Newer versions label each piece; in older ones the opening tells.
"""

from __future__ import annotations

import re

from segue.agents._writer import EntryWriter
from segue.agents.codex.subagents import Subagents
from segue.agents.codex.wire import Block, Item, Payload, Rare
from segue.model.entry import MIDWAY, Speaker

PERSON = ""
"""The `via` of a piece that no label and no opening gives to the program."""

_LABELS = (
    ("user.", PERSON),
    ("hooks.", "hook"),
    ("environments.", "environment"),
    ("agents_md.", "instructions"),
)
_OPENINGS = (
    ("<environment_context", "environment"),
    ("# AGENTS.md instructions", "instructions"),
    ("<user_instructions", "instructions"),
    ("<permissions instructions", "instructions"),
    ("<collaboration_mode", "instructions"),
    ("<multi_agent_mode", "instructions"),
    ("<personality_spec", "instructions"),
    ("<app-context", "environment"),
    ("<apps_instructions", "instructions"),
    ("<plugins_instructions", "instructions"),
    ("<recommended_plugins", "reminder"),
    ("<skills_instructions", "skill"),
    ("<skill", "skill"),
    ("<hook_prompt", "hook"),
    ("<turn_aborted", "notification"),
    ("<subagent_notification", "notification"),
    ("<user_action", "notification"),
    ("<model_switch", "notification"),
    ("<heartbeat", "notification"),
    ("<user_shell_command", "output"),
    ("Another language model started to solve this problem", "summary"),
)
_IMAGE = re.compile(r"</?image\b[^>]*>")
_WRAPPING = 400
"""Characters in which the wrapping of a picture ends."""
_OWN_REQUEST = re.compile(r"^## My request for Codex:\s*", re.M)
_PLAN = ("<proposed_plan>", "</proposed_plan>")
_APPROVALS = ("Implement the plan.", "PLEASE IMPLEMENT THIS PLAN:")
"""How Codex words it, in the person's name, that a proposed plan is accepted."""
_LATE_TWINS = 4


class Words:
    def __init__(self, writer: EntryWriter, subagents: Subagents) -> None:
        self.prompter: Speaker = "person"
        """Who prompts: in a sub-agent's session the agent that started it."""
        self.midway = False
        """The agent said last that it goes on."""
        self._writer = writer
        self._subagents = subagents
        self._plan = ""
        self._paired = False
        self._unpaired: list[str] = []
        """Prompts told from an event whose item has not come yet."""

    def release(self, type: str, payload: Payload) -> None:
        """Lets go of what waited for its twin: dropped if the twin is here, else told."""
        kind = self._writer.held[-1].kind
        if kind == "user":
            self._paired = payload.type == "user_message" or is_prompt(payload)
            self._writer.release(dropped=self._paired)
        elif kind == "agent":
            self._writer.release(dropped=type == "response_item" and payload.role == "assistant")
        elif payload.type != "agent_reasoning":
            self._writer.release(dropped=payload.type == "reasoning" and bool(payload.summary))

    def message(self, payload: Payload) -> None:
        """An item of the conversation, in whoever's name."""
        content = payload.content
        if payload.role == "assistant":
            self._reply("\n".join(texts(content)), payload.phase)
            return
        blocks = [Block("input_text", content)] if isinstance(content, str) else content or []
        labels = (payload.passthrough and payload.passthrough.content_item_kinds) or []
        words: list[str] = []
        pictures = 0
        for number, block in enumerate(blocks):
            text = block.text or ""
            channel = _via(text, labels[number] if number < len(labels) else "", payload.role or "")
            if channel != PERSON:
                self._injected(text, channel)
            elif text and not _is_picture(text):
                words.append(text)
            pictures += block.type == "input_image"
        prompt = "\n".join(words)
        if prompt.strip() in self._unpaired:
            self._unpaired.remove(prompt.strip())
        elif words or pictures:
            self._prompt(prompt, pictures, held=True)

    def prompted(self, payload: Rare) -> None:
        text = payload.message or ""
        if payload.kind in ("user_instructions", "environment_context"):
            self._writer.add("user", text, by="harness", via=_via(text, "", "developer"))
            return
        self._from_event(text, len(payload.images or ()) + len(payload.local_images or ()))

    def prompted_item(self, item: Item) -> None:
        self._from_event("\n".join(texts(item.content)), 0)

    def add_reply(self, text: str, phase: str | None = None) -> None:
        """A reply as the screen showed it; its item follows at once."""
        if text:
            self._speak(text, phase)
            self._writer.hold()

    def thought(self, text: str) -> None:
        if text:
            self._writer.add_message("thought", text)
            self._writer.hold()

    def reasoning(self, payload: Payload) -> None:
        parts = [*texts(payload.summary), *texts(payload.content)]
        if parts:
            self._writer.add_message("thought", "\n\n".join(parts))

    def propose(self, plan: str) -> None:
        if plan and plan != self._plan:
            self._plan = plan
            self._writer.add("plan", plan)

    def _from_event(self, text: str, pictures: int) -> None:
        if not self._paired:
            self._unpaired = [*self._unpaired[1 - _LATE_TWINS :], text.strip()]
        self._paired = False
        self._prompt(text, pictures, held=False)

    def _prompt(self, text: str, pictures: int, held: bool) -> None:
        first = len(self._writer.entries)
        before, words = _request(text)
        if before:
            self._writer.add("user", before, by="harness", via="environment")
        approved = bool(self._plan) and words.startswith(_APPROVALS)
        data = {"images": pictures} if pictures else {}
        self._writer.add("user", words, by=self.prompter, via="plan" if approved else "prompt", data=data)
        if held:
            self._writer.hold(len(self._writer.entries) - first)
        elif approved:
            self._writer.add("plan", self._plan, by="person", via="plan", data={"outcome": "approved"})
            self._plan = ""

    def _injected(self, text: str, channel: str) -> None:
        self._writer.add("user", text, by="harness", via=channel)
        if text.startswith("<subagent_notification>"):
            self._subagents.notified(text[text.find("{") : text.rfind("}") + 1])

    def _reply(self, text: str, phase: str | None) -> None:
        if _PLAN[0] in text:
            before, _, rest = text.partition(_PLAN[0])
            plan, _, after = rest.partition(_PLAN[1])
            self.propose(plan.strip())
            text = f"{before.strip()}\n{after.strip()}".strip()
        if text:
            self._speak(text, phase)

    def _speak(self, text: str, phase: str | None) -> None:
        self.midway = phase == "commentary"
        self._writer.add_message("agent", text, via=MIDWAY if self.midway else "")


def is_prompt(payload: Payload) -> bool:
    """Whether an event of the newer style is a prompt."""
    return isinstance(payload, Rare) and payload.item is not None and payload.item.type == "UserMessage"


def texts(content: str | list[Block] | None) -> list[str]:
    if isinstance(content, str):
        return [content] if content else []
    return [block.text for block in content or () if block.text]


def _via(text: str, label: str, role: str) -> str:
    """The channel of a piece of a message, PERSON if it is the person's own."""
    for start, channel in _LABELS:
        if label.startswith(start):
            return channel
    if "skill" in label:
        return "skill"
    for opening, channel in _OPENINGS:
        if text.startswith(opening):
            return channel
    return "instructions" if role != "user" else PERSON


def _is_picture(text: str) -> bool:
    """Whether the text is only the wrapping of a picture."""
    return text.startswith(("<image", "</image")) and not _IMAGE.sub("", text[:_WRAPPING]).strip()


def _request(prompt: str) -> tuple[str, str]:
    """What the editor put before a prompt (open files, selections), and the prompt itself."""
    parts = _OWN_REQUEST.split(prompt, maxsplit=1)
    return (parts[0].strip(), parts[1]) if len(parts) == 2 else ("", prompt)
