"""A packet is drawn as if nobody had asked for it, whichever way it was asked for."""

from __future__ import annotations

from typing import Any

import pytest

from segue.agents import integrations, own
from segue.model.entry import Edit, Entry
from segue.model.turn import opens_turn
from segue.service.handoffs.draft import Draft, Session, draft
from segue.service.sessions.own_calls import is_ours, without_ours
from segue.service.sessions.own_traces import without

TRANSCRIPT = "/home/dev/.claude/projects/-home-dev-shop/5e551011.jsonl"
SEGUE = "/opt/segue/.venv/bin/segue"
ASKS = f'{SEGUE} handoff "finish the test" --dry-run'
WAY = "`segue sessions show s1 --line N`"
"""How a packet names the way to its transcript."""
TEMPLATE = (
    f"Run `{SEGUE} handoff GOAL --dry-run`, check it against what you know.\n"
    f"Then write a richer handoff with `{SEGUE} draft write FILE --agent opencode`.\n\nGOAL: finish the test"
)


class Tale:
    """A session in the making, one entry a line."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def add(self, kind: Any, text: str = "", **fields: Any) -> Tale:
        line = len(self.entries) + 1
        entry = Entry(kind=kind, file=TRANSCRIPT, line=line, time_ms=1000 * line, text=text, **fields)
        self.entries.append(entry)
        return self

    def prompt(self, text: str, via: str = "prompt") -> Tale:
        return self.add("user", text, by="person", via=via)

    def injected(self, text: str, via: str) -> Tale:
        return self.add("user", text, by="harness", via=via)

    def says(self, text: str) -> Tale:
        return self.add("agent", text)

    def call(self, **fields: Any) -> Tale:
        given = {"tool": "Bash", "tool_kind": "shell", **fields}
        return self.add("tool_call", given.pop("text", ""), call_id=f"c{len(self.entries)}", **given)

    def result(self, text: str = "", **fields: Any) -> Tale:
        return self.add("tool_result", text, call_id=self.entries[-1].call_id, by="harness", **fields)

    def run(self, command: str, output: str = "ok", code: int = 0) -> Tale:
        return self.call(command=command).result(output, exit_code=code, is_error=code != 0)


def work() -> Tale:
    """What every session here holds before it is handed off."""
    tale = Tale().add("meta", data={"id": "s1", "cwd": "/home/dev/shop"})
    tale.prompt("Add retries to the upload. Never retry on a 4xx.")
    tale.call(tool="Edit", tool_kind="edit", paths=("up.py",), edits=(Edit(path="up.py"),)).result()
    tale.run("pytest -q", "FAILED test_gives_up\n1 failed", 1)
    return tale.says("Retries are in. test_gives_up fails, I have not fixed it yet.")


def drawn(tale: Tale, asking: bool = False) -> Draft:
    return draft(Session("claude-code", TRANSCRIPT, iter(tale.entries), asking))


def told(tale: Tale) -> list[tuple[str, str]]:
    return [(entry.kind, entry.text or entry.command) for entry in without(tale.entries)]


def asked_by_skill(tale: Tale) -> Tale:
    tale.prompt("/handoff finish the test", via="command")
    tale.injected(f"Base directory: /x/skills/handoff\n`{SEGUE} draft write FILE`", via="skill")
    return tale.says("I draw the handoff.").call(command=ASKS)


def asked_by_skill_of_codex(tale: Tale) -> Tale:
    tale.prompt("$handoff finish the test")
    tale.run("cat /home/dev/.agents/skills/handoff/SKILL.md", f"`{SEGUE} draft write FILE`")
    return tale.call(command=f"bash -lc '{SEGUE} handoff x --dry-run'")


def asked_by_template(tale: Tale) -> Tale:
    return tale.prompt(TEMPLATE).says("On it.").call(command=f"cd /home/dev/shop && {ASKS} 2>&1 | head -80")


def asked_by_prompt_of_the_server(tale: Tale) -> Tale:
    tale.prompt("/segue:handoff finish the test", via="command")
    tale.prompt("Hand this work to a new session.\n\n1. Call `segue_handoff_draft` with that goal.")
    tale.call(tool="ToolSearch", tool_kind="other", text='{"query":"select:mcp__segue__segue_handoff_draft"}')
    return tale.result().call(tool="mcp__segue__segue_handoff_draft", tool_kind="other", text="{}")


def asked_in_the_shell_of_the_agent(tale: Tale) -> Tale:
    tale.add("user", f"{SEGUE} handoff x", by="person", via="shell", command=f"{SEGUE} handoff x")
    return tale


def asked_twice(tale: Tale) -> Tale:
    asked_by_skill(tale).result("This handoff was drawn from").says("It would lose nothing.")
    return asked_by_template(tale)


ROUTES = [
    asked_by_skill,
    asked_by_skill_of_codex,
    asked_by_template,
    asked_by_prompt_of_the_server,
    asked_in_the_shell_of_the_agent,
    asked_twice,
]


@pytest.mark.parametrize("asked", ROUTES)
def test_a_packet_says_the_same_as_one_drawn_before_anybody_asked(asked: Any) -> None:
    before, after = drawn(work()), drawn(asked(work()))
    assert after.text == before.text
    assert after.facts.source.turns == 1 and after.facts.source.ended == "finished"


@pytest.mark.parametrize(
    "call",
    [
        {"command": f"{SEGUE} handoff 'x' --yes --to codex --launch; echo rc=$?"},
        {"command": "python3 -m segue handoff x --dry-run"},
        {"command": f"{SEGUE} --workspace /x draft write /tmp/h.md"},
        {"tool": "segue_segue_handoff_draft", "tool_kind": "other"},
        {"tool": "mcp__segue__segue_draft_write", "tool_kind": "other"},
    ],
)
def test_a_rule_beside_a_request_stays_said_and_is_no_work_to_take_up(call: dict[str, Any]) -> None:
    words = "Please hand this over, and never touch main."
    made = drawn(work().prompt(words).says("I hand it over.").call(**call))
    assert "never touch main." in made.text and "hand this over" not in made.text
    assert "segue" not in made.text.replace(WAY, "")
    assert "handoff 'x'" not in made.text and "I hand it over" not in made.text
    assert made.facts.source.turns == 1 and made.facts.in_flight is None


@pytest.mark.parametrize(
    "words",
    [
        "Please write a handoff for the lamp",
        "segue handoff bitte!",
        "hand this off to codex",
        "Hand it over.",
    ],
)
def test_a_wish_that_names_the_handoff_and_says_no_more_is_not_told(words: str) -> None:
    asked = drawn(work().prompt(words).says("I hand it over.").call(command=f"{SEGUE} handoff x"))
    assert asked.text == drawn(work()).text


REQUEST = "Please write a handoff with segue for the next session"
SKILL = ("/home/dev/.claude/skills/handoff/SKILL.md",)
LOOKS: dict[str, Any] = {
    "help": lambda tale: tale.run(f"{SEGUE} --help | head -40", "usage: segue COMMAND"),
    "status": lambda tale: tale.run("segue status"),
    "skill": lambda tale: tale.call(tool="Read", tool_kind="read", paths=SKILL).result("Write it"),
    "folder": lambda tale: tale.run("ls -la .segue", "log.db"),
    "search": lambda tale: tale.call(tool="Grep", tool_kind="search", text="segue").result("up.py"),
    "git": lambda tale: tale.run("git status --short && git log --oneline -3 | cat", " M up.py"),
    "to-dos": lambda tale: tale.add("todo"),
}
MADE: dict[str, Any] = {
    "under way": lambda tale: tale.call(command=f"{SEGUE} handoff x --yes"),
    "done": lambda tale: tale.run(f"{SEGUE} handoff x --yes").says("It is written."),
    "not in the file yet": lambda tale: tale,
}


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("rule", ["", ", and never touch main."])
def test_what_was_looked_at_before_the_call_is_part_of_the_request(look: str, made: str, rule: str) -> None:
    tale = work().prompt(REQUEST + rule).says("I look at how segue does it.")
    LOOKS[look](tale).says("Now I make it.")
    after = drawn(MADE[made](tale), asking=made == "not in the file yet")
    if not rule:
        assert after.text == drawn(work()).text
    assert after.facts.source.turns == 1 and after.facts.in_flight is None
    assert all("handoff" not in step.text for step in after.facts.next_steps)
    assert ("never touch main" in after.text) == bool(rule) and "Now I make it" not in after.text


HANDS_OVER: dict[str, Any] = {
    "CLI": lambda tale: tale.run(f"{SEGUE} handoff 'finish the test' --yes"),
    "draft": lambda tale: tale.run(f"{SEGUE} draft write /tmp/h.md"),
    "tool": lambda tale: tale.call(tool="mcp__segue__segue_handoff_draft", tool_kind="other").result(),
    "skill": lambda tale: (
        tale.call(tool="Skill", tool_kind="other", text='{"skill":"handoff"}').result().run(ASKS)
    ),
    "skill file": lambda tale: tale.call(tool="Read", tool_kind="read", paths=SKILL).result().run(ASKS),
}
REQUESTS = [
    "Good, now please write a handoff for the next session and then stop",
    "Great! Please hand this off to codex. Thanks!",
    "mach bitte eine Übergabe",
    "Gut. Mach jetzt eine Übergabe. Danke!",
    "fais un passage de relais",
    "Haz el traspaso, gracias.",
    "Сделай передачу дел",
    "引き継ぎを書いて。",
    "请写一份交接文档，谢谢",
    "인수인계 문서를 써 줘",
    "Write the handoff to notes/h.md",
]


@pytest.mark.parametrize("made", HANDS_OVER)
@pytest.mark.parametrize("words", REQUESTS)
def test_the_prompt_of_a_turn_that_did_nothing_but_hand_over_is_in_no_packet(made: str, words: str) -> None:
    asked = HANDS_OVER[made](work().prompt(words).says("I hand it over."))
    if "notes/h.md" in words:
        asked.run(f"{SEGUE} handoff x --out notes/h.md")
    assert drawn(asked.says("It is written.")).text == drawn(work()).text


@pytest.mark.parametrize("words", REQUESTS[:-1])
def test_a_request_in_the_middle_of_a_session_leaves_nothing_in_it(words: str) -> None:
    def on(tale: Tale) -> list[tuple[str, str]]:
        return told(tale.prompt("Now mend the test.").run("pytest -q").says("It passes."))

    assert on(work().prompt(words).run(ASKS).says("It is written.")) == on(work())


@pytest.mark.parametrize(
    ("words", "rest"),
    [
        ("Please write a handoff and never push to main", "never push to main"),
        ("Write a handoff. Never push to main.", "Never push to main."),
        ("Never push to main and write a handoff. Use tabs.", "Never push to main. Use tabs."),
        ("Never push to main.\n\nWrite a handoff for the next session.", "Never push to main."),
        ("No new deps.\nWrite a handoff.\n- keep tabs", "No new deps.\n- keep tabs"),
        (
            "Write a handoff: first the flaky test, then the release.",
            "first the flaky test, then the release.",
        ),
        ("Write a handoff; hands off the main branch", "hands off the main branch"),
        ("Write a handoff, next comes retry.py", "next comes retry.py"),
        ("Write a handoff, no push", "no push"),
        ("Hand off keeping retry.py as it is",) * 2,
        ("Make sure to write a handoff",) * 2,
        ("Write a handoff, I will continue tomorrow.", "I will continue tomorrow."),
        ("Mach ein Handoff und push bitte nicht", "push bitte nicht"),
        ("Mach bitte eine Übergabe …, ich muss los", "ich muss los"),
        ("Mach eine Übergabe, ich bin müde. Push nie auf main!", "ich bin müde. Push nie auf main!"),
        ("Mach eine Übergabe. Finger weg von main!", "Finger weg von main!"),
        ("Fais la passation et n'ajoute aucune dépendance", "n'ajoute aucune dépendance"),
        ("Pas de mocks. Fais la passation, puis n'ajoute rien.", "Pas de mocks. n'ajoute rien."),
        ("Haz el traspaso pero no toques main, gracias", "no toques main"),
        ("引き継ぎを書いて、mainにはpushしないで。", "mainにはpushしないで。"),
        ("请写交接文档，不要推送到主分支", "不要推送到主分支"),
        ("写交接文档并保持接口不变。谢谢", "保持接口不变。"),
        ("Gör en överlämning, rör inte main",) * 2,
        ("Mend the flaky upload test",) * 2,
        ("/handoff finish the test. Never push to main.", "Never push to main."),
        ("$handoff finish the test, never push to main", "finish the test, never push to main"),
        (f"{TEMPLATE}. Never push to main.", "Never push to main."),
        (
            "Hand this work to a new session.\n\nThe goal of the next session, in my words:\nFinish it.\nNever push."
            "\n\n1. Call `segue_handoff_draft` with that goal.\n2. Do not commit before I agree.",
            "Never push.",
        ),
    ],
)
def test_what_a_person_demands_beside_the_handoff_stays_said(words: str, rest: str) -> None:
    tale = work().prompt(words).says("I hand it over.").run(f"{SEGUE} handoff x --yes").says("It is written.")
    made = drawn(tale)
    assert [prompt.text for prompt in made.facts.prompts][1:] == [rest]
    assert made.facts.source.turns == 1 and "It is written" not in made.text


def test_a_rule_beside_a_command_of_ours_stays_said_where_other_things_are_done() -> None:
    tale = work().prompt("/handoff finish the test. Never push to main.", via="command")
    tale.run("git commit -am 'Add retries'", "[main 1a2b3c4] Add retries\n 1 file changed").run(ASKS)
    assert [prompt.text for prompt in drawn(tale).facts.prompts][1:] == ["Never push to main."]


def test_a_file_that_was_written_for_a_request_in_any_language_is_part_of_it() -> None:
    tale = work().prompt("mach bitte eine Übergabe")
    tale.call(tool="Write", tool_kind="write", edits=(Edit(path="/tmp/h.md", action="created"),)).result()
    assert drawn(tale.run(f"{SEGUE} draft write /tmp/h.md").says("Fertig.")).text == drawn(work()).text


def test_a_file_beside_a_request_in_any_language_is_work() -> None:
    tale = work().prompt("Schreib retry.py")
    tale.call(tool="Write", tool_kind="write", edits=(Edit(path="retry.py", action="created"),)).result()
    before = drawn(tale).facts
    after = drawn(tale.run(f"{SEGUE} draft write /tmp/h.md")).facts
    assert (after.source.turns, after.files, after.prompts) == (2, before.files, before.prompts)


@pytest.mark.parametrize("goal", ["Mend the flaky upload test", "mend the upload test, which is flaky"])
def test_an_order_that_was_handed_over_instead_of_begun_stays_said(goal: str) -> None:
    tale = work().prompt("Mend the flaky upload test").run(f"{SEGUE} handoff '{goal}' --yes")
    assert "Mend the flaky upload test" in drawn(tale.says("The context is nearly full.")).text
    written = (Edit(path="/tmp/h.md", action="created", new=f"## Current objective\n{goal}"),)
    tale = work().prompt("Mend the flaky upload test").call(tool="Write", tool_kind="write", edits=written)
    assert "Mend the flaky upload test" in drawn(tale.result().run(f"{SEGUE} draft write /tmp/h.md")).text


@pytest.mark.parametrize("via", ["hook", "reminder"])
def test_a_prompt_is_no_request_where_a_hook_asked_for_the_handoff(via: str) -> None:
    tale = work().prompt("Why 7 volts?")
    tale.injected(f"The context is 80 % full: store it with `{SEGUE} draft write FILE`.", via=via)
    made = drawn(tale.says("The lamp is old.").run(f"{SEGUE} draft write /tmp/h.md").says("It waits."))
    assert made.facts.source.turns == 2 and "Why 7 volts?" in made.text and "80 % full" not in made.text


@pytest.mark.parametrize("words", ["mend the test and hand off", "Repariere den Test, dann eine Übergabe"])
def test_a_turn_that_worked_before_it_handed_over_is_a_turn(words: str) -> None:
    made = drawn(work().prompt(words).run("pytest -q", "2 passed").run(f"{SEGUE} handoff x"))
    assert made.facts.source.turns == 2 and words in made.text


@pytest.mark.parametrize("path", ["/tmp/h.md", "h.md"])
def test_a_file_that_was_written_and_given_to_segue_is_part_of_the_request(path: str) -> None:
    tale = work().prompt(REQUEST).run(f"{SEGUE} --help")
    tale.call(tool="Write", tool_kind="write", edits=(Edit(path="/tmp/h.md", action="created"),)).result()
    tale.run("cat > /tmp/h.md <<'EOF'\n# Handoff\nEOF")
    tale.run(f"{SEGUE} draft write {path}").says("It waits for you.")
    assert drawn(tale).text == drawn(work()).text


def test_a_file_that_segue_was_not_given_is_work_and_the_request_is_not_taken_up_again() -> None:
    tale = work().prompt(REQUEST)
    tale.call(tool="Edit", tool_kind="edit", edits=(Edit(path="retry.py"),)).result()
    made = drawn(tale.call(command=ASKS))
    assert "retry.py" in {file.path for file in made.facts.files} and made.facts.source.turns == 2
    assert made.facts.in_flight is None and all("segue" not in step.text for step in made.facts.next_steps)


def test_a_question_about_the_request_leaves_no_turn_behind() -> None:
    tale = work().prompt(REQUEST).run(f"{SEGUE} --help").says("Which goal shall it have?")
    made = drawn(tale.prompt("Hand off to finish the test").call(command=ASKS))
    assert made.text == drawn(work()).text


def test_a_prompt_that_asks_for_something_else_is_work_whatever_it_looked_at() -> None:
    tale = work().prompt("Why does the lamp flicker?")
    tale.call(tool="Read", tool_kind="read", paths=("lamp.py",)).result("volts = 7")
    made = drawn(tale.run(f"{SEGUE} draft write /tmp/h.md"))
    assert made.facts.source.turns == 2 and "Why does the lamp flicker?" in made.text


def test_a_handoff_that_is_taken_up_is_work() -> None:
    tale = (
        work().prompt("Take up the handoff").run(f"{SEGUE} replay --session x").run("cat up.py", "retry = 3")
    )
    assert drawn(tale.says("I go on with the test.")).facts.source.turns == 2


def test_a_request_whose_call_is_not_in_the_file_yet_is_known_by_who_asks() -> None:
    tale = work().prompt("Please write a handoff")
    assert drawn(tale, asking=True).text == drawn(work()).text
    assert drawn(tale).facts.source.turns == 2, "asked from elsewhere, it is work that nobody began"


def test_a_request_that_names_nothing_is_known_by_what_the_agent_looked_at_last() -> None:
    tale = work().prompt("wrap this up for tomorrow").says("I look at segue.").run(f"{SEGUE} --help")
    assert drawn(tale, asking=True).facts.source.turns == 1
    assert drawn(tale.says("Done."), asking=True).facts.source.turns == 2


def test_who_asks_for_the_handoff_of_a_session_at_work_changes_nothing_of_the_work() -> None:
    asked = work().prompt("Why 7 volts?").says("The lamp is old.")
    assert drawn(asked, asking=True).text == drawn(asked).text


def test_a_handoff_typed_in_the_agents_shell_leaves_no_trace_after_an_answer() -> None:
    asked = work().prompt("Why 7 volts?").says("The lamp is old.")
    before = drawn(asked).text
    asked_in_the_shell_of_the_agent(asked).injected(drawn(work()).text, via="output")
    assert drawn(asked).text == before and "The lamp is old." in before


@pytest.mark.parametrize("command", ["sessions search hinge", "status", "-v thread list"])
def test_a_question_that_segue_helped_to_answer_was_asked_and_answered(command: str) -> None:
    made = drawn(work().prompt("What did we say about hinges?").run(f"{SEGUE} {command}").says("Oil them."))
    assert made.facts.source.turns == 2 and "Oil them." in made.text and SEGUE not in made.text


def test_a_packet_that_was_only_acknowledged_is_work_to_take_up() -> None:
    tale = Tale().prompt(drawn(work()).text).run(f"{SEGUE} ack --session x")
    made = drawn(tale)
    assert made.facts.source.turns == 1 and "Never retry on a 4xx" in made.text


def test_work_beside_the_handoff_is_told_and_the_request_for_it_is_not() -> None:
    tale = work().prompt("/handoff finish the test", via="command")
    tale.run("git commit -am 'Add retries'", "[main 1a2b3c4] Add retries\n 1 file changed").call(command=ASKS)
    made = drawn(tale)
    assert "1a2b3c4" in made.text and "/handoff" not in made.text and ASKS not in made.text
    assert made.facts.source.ended == "finished"


def test_a_line_that_runs_more_than_segue_is_told_without_segue() -> None:
    tale = work().prompt("run the tests again and hand off")
    made = drawn(tale.run(f"pytest -q && {ASKS}", "2 passed\nThis handoff was drawn from claude-code"))
    assert "pytest -q" in made.text and "--dry-run" not in made.text


@pytest.mark.parametrize("line", [f"mkdir -p notes && {ASKS} --out notes/h.md", f"git status; {ASKS}"])
def test_a_line_that_makes_the_handoff_beside_other_things_is_not_taken_up_again(line: str) -> None:
    made = drawn(work().prompt("hand off, and keep a copy in notes").call(command=line))
    assert all("hand off" not in step.text for step in made.facts.next_steps)
    assert "its result never seen" not in made.text
    assert made.facts.in_flight is None and made.facts.source.ended == "finished"


def test_our_files_and_the_transcript_are_no_files_of_the_session() -> None:
    tale = work().prompt("look around")
    tale.call(tool="Read", tool_kind="read", paths=("/home/dev/shop/.pi/extensions/segue.ts",)).result()
    tale.call(tool="Read", tool_kind="read", paths=(TRANSCRIPT, "/home/dev/shop/a.py")).result()
    tale.call(tool="Write", tool_kind="write", edits=(Edit(path="/home/dev/shop/.segue/notes.md"),)).result()
    made = drawn(tale.says(f"I read {TRANSCRIPT} and a.py."))
    assert "a.py" in made.text
    assert {file.path for file in made.facts.files} == {"up.py", "a.py"}
    files = made.text.partition("## Files")[2]
    assert "5e551011.jsonl" not in files and ".segue" not in made.text and "segue.ts" not in made.text


NAME = TRANSCRIPT.rpartition("/")[2]
FOLDER = TRANSCRIPT.rpartition("/")[0]


@pytest.mark.parametrize(
    "line",
    [
        f"tail -3 {TRANSCRIPT}",
        f"cat {TRANSCRIPT} | head -3; cat a.py",
        f"tail -3 {TRANSCRIPT.replace('/home/dev', '~')}",
        f"tail -3 $HOME/{TRANSCRIPT.removeprefix('/home/dev/')} && wc -l a.py",
        f"cd {FOLDER} && tail -3 {NAME}",
        f"grep -c retries {TRANSCRIPT} a.py && python3 a.py",
        f"python3 count.py '{TRANSCRIPT}' a.py",
        f"bash -lc 'grep -c retries {TRANSCRIPT} a.py'",
        f"cp {TRANSCRIPT} /tmp/t.jsonl",
        f"python3 -c \"print(open('{TRANSCRIPT}').read())\"",
        f"T={TRANSCRIPT}; node count.js $T",
        f"node count.js < {TRANSCRIPT}",
    ],
)
def test_a_transcript_that_a_shell_looked_at_is_named_nowhere(line: str) -> None:
    made = drawn(work().prompt("Look at what was said.").run(line).run("pytest -q", "1 passed").says("Seen."))
    assert made.text.count(NAME) == 1, "in the line that says where the transcript lies"
    assert all(NAME not in file.path for file in made.facts.files)
    assert all(NAME not in command.command for command in made.facts.commands)
    assert made.facts.source.turns == 2


@pytest.mark.parametrize(
    "line",
    [
        "git diff .pi/extensions/segue.ts a.py",
        "sed -i s/a/b/ .segue/config.json",
        'sqlite3 .segue/log.db "select 1"',
        "vim .segue/config.json",
        "cd .segue && vim config.json",
        "rm -rf .segue",
        "grep -r foo .segue/transcripts",
        "jq . .segue/config.json | head",
        "pytest -q > .segue/out.txt",
        "ls .claude/skills/handoff",
        "cat .cline/hooks/PreToolUse",
        "cp ~/.config/segue/workspaces.json /tmp/w.json",
        "sqlite3 /home/dev/.cache/segue/sessions.db .tables",
        "mv a.py .segue/a.py",
    ],
)
def test_files_of_ours_that_a_shell_worked_on_are_named_nowhere(line: str) -> None:
    made = drawn(work().prompt("Look around.").run(line).run("make all").says("It is as it was."))
    assert "segue" not in made.text.replace(WAY, "") and ".cline" not in made.text
    assert "handoff/" not in made.text and "skills" not in made.text
    assert "make all" in made.text and made.facts.source.turns == 2


def test_what_is_kept_in_the_home_for_segue_is_ours_and_a_project_of_that_name_is_not() -> None:
    assert own.is_file("/home/dev/.config/segue/workspaces.json") and own.is_file(
        "~/.cache/segue/sessions.db"
    )
    assert not own.is_file("/home/dev/segue/config.json") and not own.is_file("src/segue/own.py")


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        ("git diff .pi/extensions/segue.ts a.py", "git diff a.py"),
        ("pytest -q > .segue/out.txt", "pytest -q"),
        ('echo "{}" > .segue/config.json && pytest -q', "pytest -q"),
        ("rm -rf .segue build", "rm -rf build"),
        ("git commit -m 'keep .segue/config.json out' a.py", None),
    ],
)
def test_a_line_that_names_other_things_is_told_without_ours(line: str, rest: str | None) -> None:
    assert without_ours(line) == (line if rest is None else rest)


@pytest.mark.parametrize(
    "line",
    [
        "(segue handoff zz --dry-run)",
        "{ segue handoff zz; }",
        "( cd /x && segue handoff zz )",
        "if segue handoff zz; then echo y; fi",
        "for i in 1; do segue handoff zz; done",
        "! segue handoff zz",
        "uv tool run segue handoff zz",
        'script -q -c "segue handoff zz" /dev/null',
        'tmux new -d "cd /x && segue handoff zz"',
        "docker exec c segue handoff zz",
        "sudo -u dev segue handoff zz",
        "source .venv/bin/activate && segue handoff zz",
        "ssh box 'segue handoff zz'",
        'codex "$(segue handoff zz --dry-run)"',
        'echo "$(segue handoff zz --dry-run)"',
    ],
)
def test_a_call_that_makes_the_handoff_is_known_whatever_is_around_it(line: str) -> None:
    made = drawn(work().prompt("hand this off please").call(command=line))
    assert made.text == drawn(work()).text


@pytest.mark.parametrize(
    "line",
    [
        'git commit -m "segue handoff is faster"',
        "git mv segue handoff",
        "grep -rn segue draft",
        'hg commit -m "segue is faster"',
    ],
)
def test_a_line_that_only_speaks_of_the_handoff_is_work(line: str) -> None:
    assert without_ours(line) == line


def test_our_files_are_left_out_of_what_git_shows() -> None:
    shown = "?? .segue/\n?? .pi/extensions/segue.ts\n M src/segue.py\n"
    long = "Untracked files:\n\t.segue/\n\tnotes.md\n\tmodified:   .claude/skills/handoff/SKILL.md\n"
    for text, rest in ((shown, " M src/segue.py\n"), (long, "Untracked files:\n\tnotes.md\n")):
        assert ("tool_result", rest) in told(work().run("git status", text))


@pytest.mark.parametrize("text", ["/compact keep the port", "/clear", "/model opus", "/mcp reconnect"])
def test_a_command_that_the_program_carried_out_is_no_prompt(text: str) -> None:
    tale = work().prompt(text, via="command").injected("Done.", via="output")
    made = drawn(tale)
    assert text.split()[0] not in made.text and made.facts.source.turns == 1
    assert drawn(work().prompt(text, via="command")).text == drawn(work()).text


@pytest.mark.parametrize("text", ["/exit", "/model", "/model opus"])
def test_a_command_of_the_program_is_no_prompt_where_it_is_recorded_as_one(text: str) -> None:
    assert drawn(work().prompt(text)).text == drawn(work()).text
    compacted = work().prompt("/compact keep the port").add("compaction", by="harness")
    assert drawn(compacted).facts.source.turns == 1


def test_a_compaction_with_instructions_is_no_prompt_unless_the_agent_acts_on_it() -> None:
    assert drawn(work().prompt("/compact keep the port")).text == drawn(work()).text
    acted = work().prompt("/compact loses the port, mend it").run("grep -rn port src")
    assert drawn(acted).facts.source.turns == 2


def test_a_command_that_the_agent_acts_on_is_a_prompt() -> None:
    tale = work().prompt("/simplify the parser", via="command").injected("# Simplify", via="skill")
    assert drawn(tale.run("ls")).facts.source.turns == 2
    assert drawn(work().prompt("/login returns 500, mend it")).facts.source.turns == 2


def test_a_command_of_our_name_with_another_text_is_somebody_elses() -> None:
    tale = work().prompt("/handoff to Kim", via="command").injected("# Mail Kim the diff", via="skill")
    assert ("user", "/handoff to Kim") in told(tale.run("git diff"))


def test_a_call_stays_open_when_the_person_leaves() -> None:
    tale = Tale().prompt("build it").call(command="make all")
    stop = drawn(tale.prompt("/exit", via="command")).facts.in_flight
    assert stop and (stop.kind, stop.text) == ("call", "make all")


def test_what_is_nobody_elses_passes_as_it_is() -> None:
    tale = work().run("grep -r segue docs").run("pip install segue").run("cd segue").prompt("and now?")
    assert list(without(tale.entries)) == tale.entries


@pytest.mark.parametrize(
    ("command", "rest"),
    [
        ("uv run segue ack --session x", ""),
        ("HOME=/home/dev /opt/bin/python -m segue handoff x", ""),
        ('out=$(segue handoff x 2>&1 | head -50); echo "$out"', ""),
        ("which segue && segue handoff x", ""),
        ("n=$(make count); segue handoff $n", "n=$(make count)"),
        ("FOO=1 timeout 60 segue status 2>&1 | tail -3", ""),
        ("cat > /tmp/h.md <<'EOF'\nrm -rf; x\nEOF\nsegue draft write /tmp/h.md", ""),
        ("segue draft write - <<EOF\n# Handoff; && done\nEOF", ""),
        ("git commit -m 'run segue handoff; done'", "git commit -m 'run segue handoff; done'"),
        ("make test; segue handoff 'a; b && c'", "make test"),
        ("cd segue", "cd segue"),
        ("echo segue", "echo segue"),
    ],
)
def test_a_command_line_is_cut_where_the_shell_cuts_it(command: str, rest: str) -> None:
    assert without_ours(command) == rest
    call = Entry(kind="tool_call", file=TRANSCRIPT, line=1, command=command)
    assert is_ours(call) == (not rest)


@pytest.mark.parametrize("agent", integrations.agents())
def test_all_that_installing_writes_for_itself_is_known_as_ours(agent: str) -> None:
    for project in (True, False):
        found = integrations.integration(agent, "/home/dev", project, {})
        assert found and all(own.is_file(file.path) for file in found.files)
        assert all(any(sign in file.path for sign in own.SIGNS) for file in found.files)


def test_turns_are_opened_by_persons_and_once_by_another_agent() -> None:
    request = Entry(kind="user", file=TRANSCRIPT, line=1, by="agent", text="Find it.")
    assert opens_turn(request) and not opens_turn(request, requested=True)
