"""Which files are never quoted, and which commands show them."""

from __future__ import annotations

import pytest

from segue.redaction.files import is_sensitive, named
from segue.redaction.output_sources import view_of

NEVER_QUOTED = """
.env .env.local .env.production config/.env prod.env .envrc ~/.netrc _netrc .npmrc .pypirc ~/.pgpass .git-credentials
auth.json ~/.codex/auth.json ~/.aws/credentials credentials.json credentials.toml ~/.claude/.credentials.json
id_rsa ~/.ssh/id_ed25519 /root/.ssh/work deploy.pem server.key cert.p12 store.pfx vault.kdbx release.jks app.keystore
~/.kube/config .kube/config kubeconfig prod.kubeconfig ~/.docker/config.json ~/.config/gh/hosts.yml service-account.json
my-service_account-prod.json app-firebase-adminsdk-x1.json terraform.tfstate env/prod.tfstate prod.tfvars
secrets.yaml secrets.yml secret.json app-secrets.toml config/secrets.prod.yaml .streamlit/secrets.toml
cookies.txt Cookies cookies.sqlite login.keychain-db local.settings.json .htpasswd /etc/shadow .vault-token
C:\\Users\\dev\\.env "id_rsa" client_secret.json AuthKey_9X.p8
~/.config/hub ~/.aws/config ~/.cargo/credentials.toml rclone.conf env.prod ssh_host_rsa_key prod-secrets.enc
/run/secrets/db_password /var/run/secrets/kubernetes.io/serviceaccount/token
"""

MAY_BE_QUOTED = """
.env.example .env.sample .env.template .env.dist .environment environment.ts env.py src/env/index.ts
id_rsa.pub ~/.ssh/known_hosts ~/.ssh/config ~/.ssh/authorized_keys ~/.ssh/id_ed25519.pub
credentials.py src/auth/credentials.ts secrets.go secrets.md keys.py key.ts auth.ts auth.py cookies.ts token.go
package.json config.json tsconfig.json hosts.yml config.yaml docker-compose.yml keyboard.md monkey README.md
secrets.example.yaml credentials.sample.json terraform.tfvars.example prod.env.tmpl .env.defaults main.tf Makefile certificate.crt
tokens.json KEYS.asc etc/shadow.md src/shadow shadow.css box-shadow.scss src/shadow/index.ts tests/fixtures/tokenizer.json
/var/run/secrets/kubernetes.io/serviceaccount/ca.crt /var/run/secrets/kubernetes.io/serviceaccount/namespace src/run/secret.go
"""


@pytest.mark.parametrize("path", NEVER_QUOTED.split())
def test_a_file_that_holds_secrets_by_profession_is_sensitive(path: str) -> None:
    assert is_sensitive(path)


@pytest.mark.parametrize("path", [path for path in NEVER_QUOTED.split() if "\\" not in path])
def test_a_command_that_names_such_a_file_is_noticed(path: str) -> None:
    assert named(f"git diff HEAD -- README.md {path} | wc -l") == path.strip('"')


@pytest.mark.parametrize("path", MAY_BE_QUOTED.split())
def test_source_code_examples_and_public_halves_may_be_quoted(path: str) -> None:
    assert not is_sensitive(path)


def test_nothing_is_not_a_sensitive_file() -> None:
    assert not is_sensitive("") and not is_sensitive("/") and not is_sensitive("   ")


@pytest.mark.parametrize(
    ("command", "path", "alone"),
    [
        ("cat .env", ".env", True),
        ("cd app && cat .env.local", ".env.local", True),
        ("sudo head -n 5 /etc/shadow", "/etc/shadow", True),
        ("cat .env | grep DB_", ".env", True),
        ("grep -n TOKEN 'config/.env'", "config/.env", True),
        ("LANG=C sed -n 1,5p ~/.netrc", "~/.netrc", True),
        ("cat .env && pytest -q", ".env", False),
        ("pytest -q; tail -3 .env", ".env", False),
        ("cat README.md .env", ".env", True),
        ("cat README.md; cat .env", ".env", False),
        ("cat README.md | grep .env", "", False),
        ("source .env && pytest", "", False),
        ("git add .env.local && git status", "", False),
        ("cp .env.example .env", "", False),
        ("ls -la .env", "", False),
        ("cat .env.example", "", False),
        ("echo 'unclosed .env", "", False),
        ("", "", False),
    ],
)
def test_a_command_shows_a_sensitive_file(command: str, path: str, alone: bool) -> None:
    assert view_of(command)[:2] == (path, alone)
