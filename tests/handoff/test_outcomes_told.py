"""How runs came out, as a packet tells it: what is known, what is not, and what was never there to run."""

from __future__ import annotations

from msgspec.structs import replace

from segue.extract.carried import carried
from segue.extract.tokens import count
from segue.handoff.packet import compose, render
from segue.model.facts import CommandFact, Evidence, Facts, FailedRun, GoodRun, InFlight, SourceFacts


def packet(*commands: CommandFact) -> str:
    facts = Facts(source=SourceFacts(agent="codex", session_id="s-1"), commands=commands)
    return render(compose(facts, 4000, count)[0])


def under(label: str, text: str) -> list[str]:
    """The rows under a label."""
    _, _, rest = text.partition(f"**{label}**")
    return [row for row in rest.partition("\n\n")[0].partition("\n**")[0].split("\n")[1:] if row]


def failed(command: str, *, edited: int = 0, missing: str = "") -> CommandFact:
    bad = FailedRun(
        evidence=Evidence(7), command=command, exit_code=1, error_lines=("boom",), missing=missing
    )
    state = "resolved" if missing else "open"
    return CommandFact(
        command=command, key=command, check=True, state=state, last_bad=bad, edited_since=edited
    )


def ran(command: str, outcome: str = "", *, proved: bool) -> CommandFact:
    return CommandFact(
        command=command, key=command, last_ok=GoodRun(evidence=Evidence(3), outcome=outcome, proved=proved)
    )


def test_what_failed_before_later_edits_is_not_told_as_failing_now() -> None:
    text = packet(failed("make a", edited=9), failed("make b"))
    assert under("Failing now", text) == ["- `make b` exit 1 [#7]", "  > boom"]
    assert under("Failed when last run", text) == ["- `make a` exit 1 [#7]", "  > boom"]


def test_a_later_handoff_carries_on_what_failed_when_last_run() -> None:
    text = packet(failed("make a", edited=9), failed("make b"))
    handed = [run.command for run in carried(text, Evidence(1)).failing]
    assert sorted(handed) == ["make a", "make b"]


def test_what_is_not_known_to_have_worked_is_told_apart_with_what_it_printed() -> None:
    text = packet(
        ran("./a.sh", proved=True), ran("./b.sh", "p2 DIFFERS", proved=False), ran("./c.sh", proved=False)
    )
    assert under("Commands that worked", text) == ["- `./a.sh` [#3]"]
    unknown = ["- `./b.sh` — p2 DIFFERS [#3]", "- `./c.sh` [#3]"]
    assert sorted(under("Commands that ran, outcome unknown", text)) == unknown


def test_a_tool_that_is_not_installed_is_told_as_that() -> None:
    text = packet(failed("shellcheck a.sh", missing="shellcheck"))
    assert under("Not installed here", text) == ["- `shellcheck a.sh` — boom [#7]"]


def test_what_may_have_worked_and_failed_since_is_told_once() -> None:
    run = replace(failed("make lint"), last_ok=GoodRun(evidence=Evidence(3), proved=False))
    text = packet(run)
    assert under("Failing now", text) == ["- `make lint` exit 1 [#7]", "  > boom"]
    assert "Commands that ran" not in text


def test_a_long_call_in_flight_is_told_whole_where_there_is_room() -> None:
    call = "./deploy.sh " + " ".join(f"--host web{n}" for n in range(20))
    stop = InFlight(text=call, kind="call", evidence=(Evidence(9),))
    facts = Facts(source=SourceFacts(agent="codex", session_id="s-1", ended="mid_turn"), in_flight=stop)
    assert f"`{call}`" in render(compose(facts, 4000, count)[0])
    small = render(compose(facts, 170, count)[0])
    assert "`./deploy.sh --host web0" in small
    assert "web19" not in small


def test_what_fails_now_is_not_told_as_having_worked() -> None:
    once = replace(failed("make a"), last_ok=GoodRun(evidence=Evidence(3), outcome="48 passed"))
    assert under("Commands that worked", packet(once, ran("./a.sh", proved=True))) == ["- `./a.sh` [#3]"]
