"""A value asked for by its name is printed bare: the command says that it is a secret, or that it is none."""

from __future__ import annotations

import random
import string

import pytest

from segue.model.entry import Entry
from segue.redaction.output_sources import view_of
from segue.redaction.redact import Redactor, redact_entry, without_sensitive_files


def drawn(seed: int) -> str:
    letters = random.Random(seed).choices(string.ascii_letters + string.digits, k=18)
    return "".join(("q", *letters[:5], "4", "Z", *letters[5:], "m"))


VALUES = [drawn(seed) for seed in range(6)]


def session(command: str, text: str, value: str, failed: bool = False) -> list[Entry]:
    def entry(**fields: object) -> Entry:
        return Entry(file="session.jsonl", line=1, **{"kind": "agent", **fields})  # type: ignore[arg-type]

    return [
        entry(kind="tool_call", tool_kind="shell", call_id="c1", command=command),
        entry(kind="tool_result", tool_kind="shell", call_id="c1", text=text, is_error=failed),
        entry(text=f"It is {value}."),
    ]


ASKING = {
    "printenv DB_PASSWORD": "%s\n",
    "printenv HOME API_TOKEN": "/root\n%s\n",
    "echo $DB_PASSWORD": "%s\n",
    'echo "${STRIPE_SECRET_KEY}"': "%s\n",
    'echo -n "$OPENAI_KEY"': "%s",
    'echo "the token: $DEPLOY_TOKEN"': "the token: %s\n",
    'printf "%s" "$SMTP_PASS"': "%s",
    "echo ${API_TOKEN:-unset}": "%s\n",
    "echo $env:DB_PASSWORD": "%s\r\n",
    "echo %DB_PASSWORD%": "%s\r\n",
    "cd app && set -a && . ./.env && echo $RELAY": "%s\n",
    "source .env; echo $X": "%s\n",
    "export $(cat .env | xargs) && echo $RELAY": "%s\n",
    "docker exec db sh -c 'echo $POSTGRES_PASSWORD'": "%s\n",
    "kubectl exec web-0 -- printenv DB_PASSWORD": "%s\n",
    "ssh box 'printenv API_TOKEN'": "%s\n",
    "jq -r .password config.json": "%s\n",
    "jq .db.password site.json": '"%s"\n',
    "jq -r '.auth | .token' site.json": "%s\n",
    "jq -r '.db[\"password\"]' site.json": "%s\n",
    "jq -r '.[] | .token // empty' users.json": "%s\n",
    "curl -s -X POST https://x.test/login | jq -r .access_token": "%s\n",
    "yq '.db.password' values.yml": "%s\n",
    "terraform output -raw db_password": "%s",
    "terraform -chdir=infra output db_password": '"%s"\n',
    "tofu output -raw admin_token": "%s",
    "pulumi stack output dbPassword --show-secrets": "%s\n",
    "heroku config:get SECRET_TOKEN -a web": "%s\n",
    "git config --get gitlab.token": "%s\n",
    "npm config get //registry.test/:_authToken": "%s\n",
    "aws sts assume-role --role-arn x --query Credentials.SessionToken --output text": "%s\n",
    "gh auth token": "%s\n",
    "node -p process.env.API_TOKEN": "%s\n",
    "python3 -c \"import os; print(os.environ['DB_PASSWORD'])\"": "%s\n",
    "cut -d= -f2 .env": "postgres\n%s\n8080\n",
    "awk -F= '/PASS/{print $2}' .env": "%s\n",
    "awk -F= '{print $1, $2}' .env": "PORT 8080\nRELAY %s\n",
    "sed -n 's/^TOKEN=//p' .env": "%s\n",
    'grep -oP "(?<=RELAY=).*" .env': "%s\n",
    "grep RELAY .env | cut -d= -f2 | tr -d '\"'": "%s\n",
    "while read -r l; do echo \"${l#*=}\"; done < .env": "%s\n8080\n",
    "perl -ne 'print $1 if /RELAY=(.*)/' .env": "%s\n",
    "printenv | grep DB_PASSWORD | cut -d= -f2": "%s\n",
    "docker compose exec -T api env | grep TOKEN | cut -d= -f2-": "%s\n",
    "sed -n 's/.*password: //p' config/app.yml": "%s\n",
    "grep password site.yml | awk '{print $2}'": "%s\n",
    "sqlite3 app.db 'select token from users limit 1'": "%s\n",
    "terraform output -json | jq -r .db_password.value": "%s\n",
    "cat /run/secrets/db_password": "%s\n",
    "docker exec db cat /run/secrets/db_password": "%s\n",
    "php -r 'echo getenv(\"DB_PASSWORD\");'": "%s",
}  # fmt: skip


@pytest.mark.parametrize("failed", [False, True])
@pytest.mark.parametrize(("command", "text"), ASKING.items(), ids=ASKING.keys())
def test_a_value_asked_for_vanishes_there_and_everywhere(command: str, text: str, failed: bool) -> None:
    for value in VALUES:
        entries = session(command, text.replace("%s", value), value, failed)
        redactor = Redactor()
        kept = [redactor.redact(entry.text) for entry in list(without_sensitive_files(entries, redactor))]
        assert value not in kept[1]
        assert kept[2] == "It is [redacted:known-value]."
        redactor = Redactor()
        assert not any(value in redact_entry(entry, redactor).text for entry in entries)


def test_a_word_asked_for_is_not_quoted() -> None:
    entries = session("echo $DB_PASSWORD", "letmein\n", "x")
    assert redacted(entries)[1] == "[redacted:sensitive-file] $DB_PASSWORD (8 characters)"


def redacted(entries: list[Entry]) -> list[str]:
    redactor = Redactor()
    return [redactor.redact(entry.text) for entry in list(without_sensitive_files(entries, redactor))]


SEEN = drawn(9)
STAYING = {
    "echo $HOME": "/root",
    "echo $PWD": "/srv/app-2024",
    "printenv PATH": "/usr/bin:/bin",
    "printenv PWD": "/srv/app-2024",
    "echo $?": "0",
    "echo $BUILD_ID": SEEN,
    'echo "$PASS passed, $FAIL failed"': "12 passed, 0 failed",
    "for token in a b; do echo $token; done": "a\nb",
    "echo ${#API_TOKEN}": "40",
    'echo "token is ${API_TOKEN:+set}"': "token is set",
    "echo $TOKEN_TYPE $MAX_TOKENS": "bearer 4096",
    "echo '$DB_PASSWORD'": "$DB_PASSWORD",
    "jq -r .version package.json": "4.2.0-rc1",
    "jq -r .name package.json": SEEN,
    "jq '.usage.total_tokens' run.json": "4096123",
    "jq -r .next_page_token page.json": SEEN,
    "jq -r '.users[] | select(.password == null) | .name' users.json": SEEN,
    "jq 'del(.token)' a.json": f'{{"run": "{SEEN}"}}',
    "jq '.password | length' a.json": "32",
    "jq -r .token missing.json": "null",
    "TOKEN=$(jq -r .token a.json); curl -s -H \"X: $TOKEN\" https://x.test/run": SEEN,
    'curl -H "Authorization: Bearer $(jq -r .token a.json)" https://x.test/run': SEEN,
    "echo $API_TOKEN | wc -c": "41",
    "echo $API_TOKEN > token.out; cat run.id": SEEN,
    "echo $API_TOKEN | docker login -u bob --password-stdin x.test": "Login Succeeded",
    "terraform output -raw cluster_name": SEEN,
    "git config --get user.name": "bob",
    "grep -rn token src | head": f"src/a.py:3: run = {SEEN}",
    "cut -d= -f1 .env.example": "DB_PASSWORD\nSTRIPE_KEY",
    "npm config get registry": "https://registry.test/",
    "yq .image.tag values.yml": SEEN,
    'PGPASSWORD=$DB_PASSWORD psql -c "select id from runs"': f" id\n----\n {SEEN}\n",
    "cut -d, -f2 runs.csv": SEEN,
    'echo "set: $([ -n "$API_TOKEN" ] && echo yes)"; cat run.id': f"set: yes\n{SEEN}",
    "npm test -- token.test.js | grep -o 'run .*'": SEEN,
    "awk '{print $2}' runs.tsv": SEEN,
    "grep -rho 'getToken[A-Za-z0-9]*' src | sort -u": "getTokenFromRequestV2\ngetTokenCount",
    "printenv GIT_COMMIT": "9fceb02d0ae598e95dc970b74767f19372d61af8",
    '[ -n "$API_TOKEN" ] && echo set || echo missing': "set",
    "curl -H \"Authorization: Bearer $API_TOKEN\" https://x.test/run | jq -r .id": SEEN,
}  # fmt: skip


@pytest.mark.parametrize(("command", "text"), STAYING.items(), ids=STAYING.keys())
def test_what_is_no_answer_to_the_question_for_a_secret_stays(command: str, text: str) -> None:
    entries = session(command, text, SEEN)
    assert redacted(entries)[1:] == [text, f"It is {SEEN}."]


def test_names_commits_and_words_of_a_sensitive_file_are_not_learnt() -> None:
    redactor = Redactor()
    text = (
        "DB_PASSWORD\nSTRIPE_KEY\n9fceb02d0ae598e95dc970b74767f19372d61af8\nproduction\n8080\ndb.internal\n"
    )
    list(without_sensitive_files(session("cut -d= -f1 .env", text, "x"), redactor))
    assert redactor.learned == frozenset()


@pytest.mark.parametrize("command", ["pytest -q; echo $DB_PASSWORD", "echo $DB_PASSWORD && make test"])
def test_what_else_is_shown_stays_beside_the_value(command: str) -> None:
    assert not view_of(command).alone
    text = f"12 passed in 0.3s\n{VALUES[0]}\n"
    assert redacted(session(command, text, "x"))[1] == "12 passed in 0.3s\n[redacted:known-value]\n"
