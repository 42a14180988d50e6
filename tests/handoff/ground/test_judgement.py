"""One statement at a time: for each kind of atom a true one that is shown and a false one that is not."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from segue.handoff.ground import Session, Statement, judge
from segue.handoff.ground.atoms import atoms
from segue.model.entry import Entry
from segue.model.facts import CommandFact, Evidence, Facts, SourceFacts

from .sessions import Written


def written() -> Written:
    made = Written()
    made.asks("Use pnpm for everything, and never touch the vendored parser.")  # 2
    made.says("I'll move the cache to `src/cache/store.py` because `flushAll` holds the lock.")  # 3
    made.edits("src/cache/store.py")  # 4, 5
    made.runs(
        "pnpm test --filter cache", "tests 1,327 passed\n3 of 5 suites ran in 0.947 s\ncoverage 94.7%"
    )  # 6, 7
    made.runs("pnpm lint", "src/cache/store.py:41: error: unused import\nFound 2 errors", 1)  # 8, 9
    made.runs("git log -1 --format=%H", "98a36eb0c1d2e3f405162738495a6b7c8d9e0f11 2026-04-30")  # 10, 11
    made.says("The session 5f0c1d2e-1111-4222-8333-444455556666 is archived; see TC-2026-0041.")  # 12
    made.asks("Actually, forget pnpm: use npm for everything instead.")  # 13
    made.says("用户要求的缓存已经移动。")  # 14
    made.runs("cat README.md", "\n".join(f"{n}: line about nothing" for n in range(1, 90)))  # 15, 16
    made.calls("npm run watch")  # 17
    return made


SESSION = Session.of(written().entries)
TWINS = [
    ("quotation", 'They want "never touch the vendored parser" [2]', "never touch", "never edit", "not_seen"),
    ("path", "The cache moved to `src/cache/store.py` [4]", "store.py", "shop.py", "not_seen"),
    ("folder", "The cache moved to src/cache/store.py [4]", "src/cache/", "lib/cache/", "not_seen"),
    ("symbol", "`flushAll` holds the lock [3]", "flushAll", "flushOne", "not_seen"),
    ("symbol in prose", "The lock is held by flushAll [3]", "flushAll", "flushSome", "not_seen"),
    ("command", "`pnpm test --filter cache` was run [6]", "--filter", "--skip", "not_seen"),
    ("commit", "HEAD is 98a36eb [11]", "98a36eb", "98a36ec", "not_seen"),
    ("uuid", "5f0c1d2e-1111-4222-8333-444455556666 is archived [12]", "5f0c1d2e", "5f0c1d2f", "not_seen"),
    ("change", "The record is TC-2026-0041 [12]", "0041", "0042", "not_seen"),
    ("count", "1327 passed [7]", "1327", "1328", "contradicted"),
    ("count with separator", "1,327 passed [7]", "1,327", "1,427", "contradicted"),
    ("decimal", "The suites ran in 0.947 s [7]", "0.947", "0.957", "not_seen"),
    ("rounded decimal", "The suites ran in 0.95 s [7]", "0.95", "0.96", "not_seen"),
    ("percentage", "Coverage is 94.7 % [7]", "94.7", "93.7", "not_seen"),
    ("date", "The commit is of 2026-04-30 [11]", "04-30", "04-29", "not_seen"),
    ("exit", "`pnpm lint` ended with exit code 1 [9]", "code 1", "code 2", "contradicted"),
    ("outcome", "`pnpm lint` failed [9]", "failed", "passed", "contradicted"),
    ("outcome of tests", "The cache tests passed [7]", "passed", "failed", "contradicted"),
    (
        "person",
        'The user said "never touch the vendored parser" [2]',
        "user said",
        "agent said",
        "contradicted",
    ),
    (
        "agent",
        "The agent chose `src/cache/store.py` [3]",
        "The agent chose",
        "The user chose",
        "contradicted",
    ),
    ("pointer", "`flushAll` holds the lock [3]", "[3]", "[9]", "elsewhere"),
    ("pointer beyond the end", "`flushAll` holds the lock [3]", "[3]", "[300]", "elsewhere"),
    ("words", "The cache has to move since something holds its lock [3]", "[3]", "[16]", "elsewhere"),
]


def judged(text: str) -> tuple[str, str]:
    lines = tuple(int(n) for n in re.findall(r"\d+", text.rpartition("[")[2]))
    found = judge(Statement(text.rpartition("[")[0].strip(), lines), SESSION)
    return found.verdict, found.severity


@pytest.mark.parametrize(
    ("text", "was", "now", "verdict"), [row[1:] for row in TWINS], ids=[r[0] for r in TWINS]
)
def test_a_true_statement_is_shown_and_its_false_twin_is_not(
    text: str, was: str, now: str, verdict: str
) -> None:
    assert judged(text) == ("shown", "ok")
    assert was in text
    found, severity = judged(text.replace(was, now, 1))
    assert (found, severity in ("warning", "error")) == (verdict, True)


def test_a_pointer_is_corrected_to_where_all_of_it_stands() -> None:
    assert judge(Statement("`flushAll` holds the lock", (9,)), SESSION).lines == (3,)


@pytest.mark.parametrize(
    "text",
    [
        "The store was relocated under `src/cache` [4]",
        "Linting complained about an import nobody uses [9]",
        "Der Cache liegt jetzt in `src/cache/store.py` [4]",
        "Nach dem Umzug ist alles wie zuvor geblieben [4]",
        "キャッシュは `src/cache/store.py` に移動した [4]",
        "No migration was written [5]",
    ],
)
def test_paraphrase_and_other_languages_are_no_faults(text: str) -> None:
    assert judged(text)[1] in ("ok", "note")


@pytest.mark.parametrize(
    "text",
    [
        "The billing service was moved to another cluster after the outage [9]",
        "Passwords are hashed with argon2 since the audit found weak salts [4]",
    ],
)
def test_an_invented_statement_is_not_seen(text: str) -> None:
    assert judged(text) == ("not_seen", "warning")


def test_what_the_person_took_back_is_contradicted_unless_the_text_leads_there() -> None:
    rule = Statement('The user demands "Use pnpm for everything"', (2,))
    found = judge(rule, SESSION)
    assert (found.verdict, "#13" in found.message) == ("contradicted", True)
    assert judge(rule, SESSION, told=(2, 13)).verdict == "shown"


def test_a_failure_told_as_one_of_now_is_contradicted_by_what_settled_it() -> None:
    source = SourceFacts(agent="generic")
    command = CommandFact(command="pnpm lint", key="pnpm lint", settled_by="npm run lint", settled_line=40)
    facts = Facts(source=source, commands=(command,))
    told = Statement("`pnpm lint` still fails", (9,))
    assert judge(told, SESSION).verdict == "shown"
    assert judge(told, SESSION, facts).message == "'npm run lint' went well at #40."


def test_what_has_no_result_is_told_so_and_nothing_else_is() -> None:
    assert judged("`npm run watch` no result seen [17]")[0] == "shown"
    assert judged("`pnpm lint` no result seen [9]")[0] == "contradicted"


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ('He said "do not do it" and `x_y`', ["quotation", "code"]),
        ("see https://a.test/b?c=1, then v1.2.3", ["address", "code"]),
        ("and/or, e.g. i.e. input/output", []),
        ("in docs/a.md and ./b/c", ["path", "path"]),
        ("12 of 15 at 3 %", ["number", "number", "number"]),
        ("「終わり です」 と «c'est fini»", ["quotation", "quotation"]),
    ],
)
def test_atoms_are_found_in_any_prose(text: str, kinds: list[str]) -> None:
    assert [atom.kind for atom in atoms(text)[0]] == kinds


WORDS = st.text("abcdefghij0123456789.,_/-", min_size=1, max_size=9)
LINES = st.lists(WORDS, min_size=3, max_size=9).map(" ".join)


@settings(deadline=None)
@given(st.lists(LINES, min_size=3, max_size=12), st.integers(0, 11))
def test_what_is_copied_with_its_own_pointer_is_always_shown(texts: list[str], n: int) -> None:
    made = Written()
    places = [made.says(text) for text in texts]
    n %= len(texts)
    told = Statement("", (places[n],), (texts[n],))
    assert judge(told, Session.of(made.entries)).verdict == "shown"


@settings(deadline=None)
@given(st.integers(100, 10**9), st.integers(0, 8), st.integers(1, 9))
def test_a_changed_digit_is_never_shown(number: int, place: int, by: int) -> None:
    digits = str(number)
    place %= len(digits)
    other = f"{digits[:place]}{(int(digits[place]) + by) % 10}{digits[place + 1 :]}"
    made = Written()
    line = made.runs("make count", f"{number} rows written")
    session = Session.of(made.entries)
    assert judge(Statement(f"It wrote {number} rows", (line,)), session).verdict == "shown"
    if int(other) != number:
        assert judge(Statement(f"It wrote {other} rows", (line,)), session).verdict != "shown"


@given(st.from_type(Entry), st.text(), st.integers(-5, 10**12))
def test_anything_can_be_judged(entry: Entry, text: str, line: int) -> None:
    session = Session.of([entry, entry])
    assert judge(Statement(text, (line, entry.line), (text,), True), session).message


def test_a_long_session_is_kept_by_its_words_and_not_by_its_texts() -> None:
    made = Written()
    for n in range(3_000):
        made.runs(f"make part{n}", f"part {n} built\n" + "the same old line of output\n" * 200)
    session = Session.of(made.entries)
    kept = sum(len(seen.packed) for seen in session.at(*range(1, session.last + 1)))
    assert kept < 1_500_000
    assert judge(Statement("`make part2718` built part 2718", (5438,)), session).verdict == "shown"
    assert Evidence(5438).line == 5438


def long_written() -> Written:
    made = Written()
    made.asks(
        "Mend the review:\n1. The cache is never cleared when a worker stops.\n"
        "2. Retries of the uploader need a ceiling.\n3. The usage text is too long."
    )  # 2
    made.runs("make lint", "lint went well: 0 issues", 0)  # 3, 4
    made.says("I opened pull request #412 about the uploader's ceiling.")  # 5
    for n in range(4):
        made.runs(f"cat notes{n}.txt", f"some text about chapter{n} of the book")  # 6 to 13
    made.says("The reader asked whether `clearCache` is safe while workers stop.")  # 14
    made.edits("src/worker.py")  # 15, 16
    made.says("Reviewers agreed that the pull request can wait for the release notes.")  # 17
    made.runs("pytest tests/cache", "worker stops: 1 failed", 1)  # 18, 19
    made.runs("pytest tests/cache -x", "worker stops: 4 passed in 20011 ms")  # 20, 21
    made.says("The first run of the cache tests failed, the second passed.")  # 22
    made.runs("git diff", "\n".join(f"+ line{n} clearCache flushAll chapter2 uploader" for n in range(800)))
    return made


LONG = Session.of(long_written().entries)


def long_judged(text: str) -> tuple[str, str]:
    lines = tuple(int(n) for n in re.findall(r"\d+", text.rpartition("[")[2]))
    found = judge(Statement(text.rpartition("[")[0].strip(), lines), LONG)
    return found.verdict, found.severity


@pytest.mark.parametrize(
    ("text", "was", "now"),
    [
        ("`src/worker.py` gets `clearCache` and `upload` [15]", "clearCache", "chapter0"),
        ("For #412 the release notes can wait, reviewers agreed [17]", "#412", "#413"),
        ("In `make lint` terms the reviewers agreed the release can wait [17]", "make lint", "make tint"),
        (
            "Finding 1, the cache never cleared when a worker stops, was asked for [2]",
            "Finding 1",
            "Finding 2",
        ),
        (
            "Points 1 and 3 are the cache when a worker stops and the long usage text [2]",
            "1 and 3",
            "1 and 7",
        ),
        ('The user wants "Retries of the uploader need a ceiling", so #412 is opened [5]', "need", "needs"),
        ("It took 20k milliseconds until 4 passed when a worker stops [21]", "20k", "30k"),
    ],
)
def test_a_name_of_what_it_is_about_may_stand_nearby_and_another_may_not(
    text: str, was: str, now: str
) -> None:
    assert long_judged(text) == ("shown", "ok")
    assert was in text
    assert long_judged(text.replace(was, now, 1))[1] in ("warning", "error")


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("The worker tests failed [19]", "shown"),
        ("The worker tests passed [19]", "contradicted"),
        ("At last the worker tests passed [19, 21]", "shown"),
        ("In the end the worker tests passed [19, 22]", "shown"),
    ],
)
def test_an_outcome_is_contradicted_only_where_every_place_says_the_opposite(text: str, verdict: str) -> None:
    assert long_judged(text)[0] == verdict


def test_a_place_that_holds_nearly_everything_corrects_no_pointer() -> None:
    assert long_judged("`flushAll` came with `uploader` in the book [19]")[0] == "not_seen"


def test_a_name_put_for_another_is_no_wrong_pointer() -> None:
    told = "`clearCache` and `flushAll` are held by `src/cache/store.py` [3]"
    assert judged(told)[0] == "not_seen"


def test_the_folder_where_it_happened_stands_everywhere() -> None:
    made = Written()
    line = made.says("The parser is vendored and stays as it is.")
    made.entries[-1] = made.entries[-1].__class__(
        kind="agent", file="s", line=line, text=made.entries[-1].text, cwd="/home/dev/shop"
    )
    made.entries += written().entries[1:]
    session = Session.of(made.entries)
    told = "In `/home/dev/shop` the parser is vendored and stays"
    assert judge(Statement(told, (line,)), session).verdict == "shown"
    assert judge(Statement(told.replace("shop", "store"), (line,)), session).verdict == "not_seen"


def test_an_excerpt_of_an_edit_is_completed_from_its_record() -> None:
    made = Written()
    line = made.edits("src/long.py") - 1
    told = Statement("`src/long.py` got `farBelow`", (line,))
    assert judge(told, Session.of(made.entries)).verdict == "not_seen"
    assert (
        judge(told, Session.of(made.entries, lambda n: "def farBelow(): ..." * (n == line))).verdict
        == "shown"
    )
