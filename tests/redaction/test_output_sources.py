"""What a command shows: keepers of secrets give out nothing but secrets, settings hold some, lists of names none."""

from __future__ import annotations

import base64

import pytest

from segue.model.entry import Entry
from segue.redaction.files import is_settings
from segue.redaction.output_sources import view_of
from segue.redaction.redact import Redactor, without_sensitive_files

SECRET = "Gx7kQ2vLpw81"
ENCODED = base64.b64encode(SECRET.encode()).decode()


def entry(**fields: object) -> Entry:
    return Entry(file="session.jsonl", line=1, **{"kind": "agent", **fields})  # type: ignore[arg-type]


def told(command: str, text: str, **fields: object) -> tuple[Redactor, str]:
    """The redactor after a session in which a command showed a text, and what is left of the text."""
    redactor = Redactor()
    call = entry(kind="tool_call", tool_kind="shell", call_id="c1", command=command)
    result = entry(kind="tool_result", tool_kind="shell", call_id="c1", text=text, **fields)
    seen = list(without_sensitive_files((call, result), redactor))
    return redactor, redactor.redact(seen[1].text)


GIVEN_OUT = {
    "sops -d secrets.enc.yaml": f"panel: {SECRET}\n",
    "sops decrypt prod.yaml | yq .": f"panel: {SECRET}\n",
    "age -d -i key.txt notes.age": f"panel = {SECRET}\n",
    "gpg --decrypt vpn.gpg 2>/dev/null": f"{SECRET}\n",
    "ansible-vault view group_vars/all.yml": f"panel: {SECRET}\nport: 8080\nhost: db.internal\n",
    "vault kv get secret/app": f"=== Data ===\nKey      Value\n---      -----\npanel    {SECRET}\n",
    "vault kv get -field=panel secret/app": SECRET,
    "op read op://prod/panel/code": f"{SECRET}\n",
    "pass show web/panel": f"{SECRET}\nuser: bobby\n",
    "pass web/panel": f"{SECRET}\n",
    "aws secretsmanager get-secret-value --secret-id app": f'{{"SecretString": "{{\\"panel\\":\\"{SECRET}\\"}}"}}',
    "gcloud secrets versions access latest --secret=panel": SECRET,
    "doppler secrets": f"│ NAME  │ VALUE        │\n│ PANEL │ {SECRET} │\n│ PORT  │ 8080 │\n│ MODE │ live │\n",
    "chamber read app panel": f"Key    Value         Version\npanel  {SECRET}  3\n",
    "kubectl get secret x -o yaml": f"apiVersion: v1\ndata:\n  panel: {ENCODED}\nkind: Secret\ntype: Opaque\n",
    "kubectl -n eu get secrets/x -ojson": f'{{"data": {{"panel": "{ENCODED}"}}}}',
    "kubectl get secret x -o jsonpath='{.data.panel}' | base64 -d; echo": SECRET,
    "ssh box 'sops -d /srv/x.yaml'": f"panel: {SECRET}\n",
    "az keyvault secret show --name panel --query value -o tsv": f"{SECRET}\n",
}
SETTINGS = {
    "cat appsettings.Production.json": f'{{"panel": "{SECRET}", "port": 8080}}',
    "cat docker-compose.override.yml": f"panel: {SECRET}\nport: 8080\n",
    "head -20 deploy/values-prod.yaml": f"panel: {SECRET}\nreplicas: 3\n",
    "cd srv && sed -n 1,9p config/application-live.properties": f"relay.panel={SECRET}\n",
    "docker exec app cat /app/config/local.toml": f'panel = "{SECRET}"\n',
    "python -c \"print(open('.env').read())\"": f"PANEL={SECRET}\n",
    "printenv | sort": f"HOME=/root\nRELAY={SECRET}\n",
    "env": f"HOME=/root\nRELAY={SECRET}\n",
    "env | grep RELAY": f"RELAY={SECRET}\n",
    "heroku config -a web": f"=== web Config Vars\nRELAY:  {SECRET}\nTZ:  UTC\n",
    "docker exec app cat /app/.env": f"PANEL={SECRET}\n",
    "git diff .env": f"@@ -1 +1 @@\n-PANEL={SECRET}\n+PANEL=\n",
}  # fmt: skip


@pytest.mark.parametrize(
    ("command", "text"), (GIVEN_OUT | SETTINGS).items(), ids=(GIVEN_OUT | SETTINGS).keys()
)
def test_a_value_under_any_name_vanishes_everywhere(command: str, text: str) -> None:
    redactor, left = told(command, text)
    assert SECRET not in left and ENCODED not in left
    assert redactor.redact(f"then {SECRET} and {ENCODED}") == "then [redacted:known-value] and [redacted:known-value]"  # fmt: skip


@pytest.mark.parametrize("command", GIVEN_OUT)
def test_what_a_keeper_gave_out_is_not_quoted(command: str) -> None:
    assert told(command, GIVEN_OUT[command])[1].startswith("[redacted:sensitive-file] ")


STAYING = {
    "kubectl get secrets": "NAME   TYPE     DATA   AGE\npanel-9x2k4   Opaque   2      3d\n",
    "printenv": "HOME=/root\nINVOCATION_ID=9fceb02d0ae598e95dc970b74767f193\nTERM=xterm-256color\nSSH_TTY=/dev/pts/1\n",
    "env FOO=1 pytest -q": "seed: aZ3kQ9xLmP21\n12 passed in 0.3s\n",
    "kubectl get secret x -o name": "secret/panel-9x2k4\n",
    "kubectl describe secret x": "Type:  Opaque\nData\npanel:  12 bytes\n",
    "kubectl get pods -o yaml": "  uid: 7c9e6679-7425-40de-944b-e07fc1f90ae7\n  podIP: 10.0.0.7\n",
    "vault status": "Seal Type  shamir\nVersion  1.15.2\nCluster ID  7c9e6679-7425-40de-944b-e07fc1f90ae7\n",
    "doppler secrets --only-names": "PANEL\nPORT\n",
    "aws secretsmanager list-secrets": '{"Name": "prod/panel", "ARN": "arn:aws:secretsmanager:eu:1:secret:panel-a1b2c3"}',
    "sops -e plain.yaml > secrets.enc.yaml": "",
    "sops -d x.yaml | kubectl apply -f -": "secret/panel configured\n",
    "gpg --list-keys": "pub   rsa4096 2024-01-01 [SC]\n      9FCEB02D0AE598E95DC970B74767F19372D61AF8\n",
    "cat appsettings.Production.json": '{"Region": "eu-west-1", "Image": "registry.test/app:1.4.2-rc1", "TenantId":'
    ' "7c9e6679-7425-40de-944b-e07fc1f90ae7", "Debug": true, "Cache": "redis://cache:6379/0", "Model": "gpt-4o-2024-08-06"}',
    "cat docker-compose.override.yml": "image: postgres:16.2-alpine\nsubnet: subnet-0a1b2c3d4e\nport: 8080\nmode: replicated\n",
    "cat config.json": '{"commit": "9fceb02d0ae598e95dc970b74767f19372d61af8", "etag": "a8Kd02mZq7Rt5Yw1"}',
    "cat tsconfig.json package.json": f'{{"panel": "{SECRET}"}}',
    "cat config.example.json": f'{{"panel": "{SECRET}"}}',
    'git commit -m "the tests pass and the vault opens"': "[main 9fceb02] the tests pass and the vault opens\n",
}


@pytest.mark.parametrize(("command", "text"), STAYING.items(), ids=STAYING.keys())
def test_names_states_and_ordinary_settings_stay(command: str, text: str) -> None:
    redactor, left = told(command, text)
    assert left == text
    assert redactor.learned == frozenset()


def test_words_hosts_and_numbers_that_a_keeper_gave_out_are_not_learnt() -> None:
    text = "user: bobby\nhost: db.internal\nport: 8080\nregion: eu-west-1\nimage: registry.test/app:1.4.2\ndebug: true\npath: /srv/app\n"
    assert told("sops -d prod.yaml", text)[0].learned == frozenset()


def test_the_failure_of_a_keeper_is_told() -> None:
    text = "gpg: encrypted with rsa4096 key\ngpg: decryption failed: No secret key\n"
    assert told("gpg -d vpn.gpg", text, is_error=True)[1] == text


def test_a_setting_that_is_itself_a_file_of_settings_is_learnt_from_base64() -> None:
    encoded = base64.b64encode(f"PANEL={SECRET}\nPORT=8080\n".encode()).decode()
    redactor, _ = told("kubectl get secret x -o yaml", f"data:\n  app.env: {encoded}\n")
    assert (
        redactor.redact(f"{SECRET} {encoded.rstrip('=')}") == "[redacted:known-value] [redacted:known-value]"
    )


def test_reading_settings_with_a_tool_teaches_what_was_made_up() -> None:
    redactor = Redactor()
    call = entry(kind="tool_call", tool_kind="read", call_id="c1", paths=("app/appsettings.Production.json",))
    result = entry(kind="tool_result", call_id="c1", text=f'{{"panel": "{SECRET}", "mode": "live"}}')
    list(without_sensitive_files((call, result), redactor))
    assert redactor.learned == {SECRET}


@pytest.mark.parametrize(
    "path",
    ["appsettings.Staging.json", "compose.override.yaml", "web.config", "host_vars/db1", "wp-config.php", "conf/app.local.ini"],
)  # fmt: skip
def test_a_file_holds_the_settings_of_one_place(path: str) -> None:
    assert is_settings(path)


@pytest.mark.parametrize(
    "path", ["package.json", "tsconfig.json", "src/config.py", "config.example.yml", "README.md"]
)
def test_a_file_holds_no_settings_of_one_place(path: str) -> None:
    assert not is_settings(path)


def test_what_is_taken_in_by_another_program_is_not_shown() -> None:
    assert not view_of("sops -d x.yaml | kubectl apply -f -").source
