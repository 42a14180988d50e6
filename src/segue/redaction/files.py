"""Which files hold secrets by profession, and which commands show their contents.

The contents of such a file are never quoted, whatever they look like; its name and size may be.
Source code is never such a file: `credentials.py` is a program, `credentials.json` is not.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any

_NAMES = """.env .envrc .netrc _netrc .npmrc .pypirc .pgpass .my.cnf .mylogin.cnf .git-credentials .htpasswd .vault-token
.boto .s3cfg .dockercfg .dockerconfigjson rclone.conf auth.json auth.toml credentials credentials.db access_tokens.db
application_default_credentials.json local.settings.json kubeconfig master.key cookies cookies.txt cookies.sqlite
cookies.json login.keychain login.keychain-db key4.db logins.json wallet.dat terraform.tfstate.backup .terraformrc
.credentials.json .claude.json client_secret.json client_secrets.json token.json"""
_SUFFIXES = """.pem .key .p12 .pfx .p8 .kdbx .kdb .jks .keystore .ppk .agekey .tfstate .tfvars .env .keychain .keychain-db
.kubeconfig .ovpn"""
_PLACES = """.docker/config.json .kube/config gh/hosts.yml gcloud/credentials.db etc/shadow etc/gshadow .aws/config
.cargo/credentials.toml .gem/credentials sops/age/keys.txt .config/hub"""
_WITHIN = (
    ".env .ssh ssh_host id_rsa id_dsa id_ecdsa id_ed25519 id_xmss secret credential account firebase cookie"
)

_EXACTLY = frozenset(_NAMES.split())
_ENDINGS = tuple(_SUFFIXES.split())
_EXACTLY_THERE = tuple(f"/{place}" for place in _PLACES.split())
_SHAPES = (
    r"^(?:\.env\.[\w.-]+"
    r"|id_(?:rsa|dsa|ecdsa|ed25519|xmss)[\w.-]*|ssh_host_\w+_key"
    r"|(?:[\w.-]*[-_.])?(?:secrets?|credentials?)(?:[-_.][\w-]+)?\.(?:ya?ml|json|toml|ini|env|properties|xml|csv|txt|conf|cfg|enc)"
    r"|(?:[\w.-]*[-_.])?service[-_]?account[\w.-]*\.json|[\w.-]*firebase-adminsdk[\w.-]*\.json"
    r"|cookies?[-_.]?(?:jar)?(?:\.(?:txt|sqlite|db|json))?)$"
)
_HINTS = (
    *_EXACTLY,
    *_ENDINGS,
    *_PLACES.split(),
    *_WITHIN.split(),
)
"""One of these stands in the name of every sensitive file."""
_HARMLESS = (".dist", ".tmpl", ".defaults", ".pub")
_HARMLESS_NAME = r"(?:^|[-_.])(?:example|sample|template|schema)(?:[-_.]|$)"
_IN_SSH = frozenset(("config", "known_hosts", "known_hosts.old", "authorized_keys", "allowed_signers"))


def is_example(path: str) -> bool:
    """True for the harmless twin of a sensitive file: `.env.example`, `id_rsa.pub`."""
    name = _lowered(path).rpartition("/")[2]
    return name.endswith(_HARMLESS) or re.search(_HARMLESS_NAME, name) is not None


@lru_cache(4096)
def is_sensitive(path: str) -> bool:
    """True when the file's contents must not be quoted, judged by its name and folder alone."""
    lowered = _lowered(path)
    folder, _, name = lowered.rpartition("/")
    if not name or not _hinted(lowered):
        return False
    if folder.endswith(".ssh"):
        return name not in _IN_SSH and not is_example(name)
    return (
        name in _EXACTLY
        or name.endswith(_ENDINGS)
        or re.match(_SHAPES, name) is not None
        or f"/{lowered}".endswith(_EXACTLY_THERE)
    ) and not is_example(name)


def _lowered(path: str) -> str:
    return path.strip().strip("\"'").replace("\\", "/").rstrip("/").lower()


_SHOWING = """cat head tail less more bat batcat sed awk grep egrep rg ag nl tac strings xxd od hexdump base64 jq yq cut sort
type get-content gc openssl gpg"""
_SHOWS = frozenset(_SHOWING.split())
_SILENT = frozenset(
    ("cd", "pushd", "popd", "export", "set", "source", ".", "true", "test", "[", "sleep", "clear")
)
_FILE_WORD = r"[\w./~@+-]{2,256}"
_SHELL_WORD = r"\"[^\"]*\"|'[^']*'|[^\s\"']+"
_ASSIGNED = r"\w+="
_PREFIXES = ("sudo", "command", "env", "time")
_BETWEEN = r"\s*(?:&&|\|\||;|\n)\s*"


def named(command: str) -> str:
    """The first sensitive file that a shell command names, however it uses it."""
    if not _hinted(command.lower()):
        return ""
    return next((word for word in re.findall(_FILE_WORD, command) if is_sensitive(word)), "")


def _hinted(lowered: str) -> bool:
    return bool(_hints().find_matches_as_indexes(lowered.encode("utf-8", "surrogatepass")))


@cache
def _hints() -> Any:
    """What finds the hints, but those that hold another: so few that the search takes many bytes at a time."""
    from ahocorasick_rs import BytesAhoCorasick, MatchKind  # 1 ms

    fewest = [hint for hint in _HINTS if not any(other in hint for other in _HINTS if other != hint)]
    return BytesAhoCorasick([hint.encode() for hint in fewest], matchkind=MatchKind.LeftmostFirst)


def shown(command: str) -> tuple[str, bool]:
    """The sensitive file whose contents a shell command prints, and whether it prints nothing else.

    Empty when there is none. Only the first program of a pipeline reads files; what follows filters.
    """
    path, alone = "", True
    for part in re.split(_BETWEEN, command.strip()):
        words = _words(part.split("|", 1)[0])
        program = words[0].rpartition("/")[2].lower() if words else ""
        if program in _SHOWS:
            named = next((word for word in words[1:] if is_sensitive(word)), "")
            path, alone = path or named, alone and bool(named)
        elif program and program not in _SILENT:
            alone = False
    return path, bool(path) and alone


def _words(text: str) -> list[str]:
    """The words of one simple command, from its program on."""
    words = [word.strip("\"'") for word in re.findall(_SHELL_WORD, text)]
    while words and (words[0] in _PREFIXES or re.match(_ASSIGNED, words[0])):
        words = words[1:]
    return words
