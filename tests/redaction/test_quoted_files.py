"""What a result quotes of a sensitive file under its own name is learnt, though no command named the file."""

from __future__ import annotations

import pytest

from segue.model.entry import Entry
from segue.redaction.redact import Redactor, hear_entry, redact_entry

SECRET = "effOhq4AUvy7VSLDCD"
BOLD, PLAIN = "\x1b[1m", "\x1b[m"


def difference(path: str) -> str:
    return (
        f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-MAILER={SECRET}\n+MAILER=\n"
    )


def result(text: str) -> Entry:
    return Entry(file="session.jsonl", line=2, kind="tool_result", tool_kind="shell", call_id="c1", text=text)


@pytest.mark.parametrize(
    "text",
    [
        difference(".env"),
        "commit 3f9a0c7\n\n    Set up\n\n" + difference("a.py").replace(SECRET, "") + difference("app/.env"),
        difference("config/secrets.yaml"),
        difference(".env").replace("diff", f"{BOLD}diff").replace("b/.env\n---", f"b/.env{PLAIN}\n---"),
        f"./.env:3:MAILER={SECRET}\n./app.py:1:MAILER\n",
        f"src/app.py:1:MAILER\nsrc/.env.production:MAILER={SECRET}\n",
        f".env-4-MAILER={SECRET}\n",
        f"app.py\n1:MAILER\n\n.env\n2:A=\n3:MAILER={SECRET}",
    ],
)
def test_what_is_quoted_under_the_name_of_a_sensitive_file_is_learnt(text: str) -> None:
    redactor = Redactor()
    hear_entry(result(text), redactor)
    assert redactor.redact(f"bad value {SECRET}") == "bad value [redacted:known-value]"


@pytest.mark.parametrize(
    "text",
    [
        difference(".env.example"),
        difference("src/app.py"),
        f".env.example:3:MAILER={SECRET}",
        f"ls: .env\nsrc/app.py:3:MAILER={SECRET}",
        f"src/environment.py:3:MAILER={SECRET} # see .env",
        ".env:1:STAGE=production\n.env:2:PORT=8080\n.env:3: error: MAILER is missing",
    ],
)
def test_what_is_quoted_of_another_file_teaches_nothing(text: str) -> None:
    redactor = Redactor()
    hear_entry(result(text), redactor)
    assert redactor.learned == frozenset()


@pytest.mark.parametrize("name", [".e*", ".en*", ".env*", "app/.env.*"])
def test_a_file_shown_by_a_pattern_of_its_name_is_withheld(name: str) -> None:
    redactor = Redactor()
    call = Entry(
        file="session.jsonl", line=1, kind="tool_call", tool_kind="shell", call_id="c1", command=f"cat {name}"
    )
    hear_entry(call, redactor)
    text = redact_entry(result(f"MAILER={SECRET}"), redactor).text
    assert text == f"[redacted:sensitive-file] {name} (25 characters)"
