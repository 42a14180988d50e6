"""Which files hold secrets by profession, and which hold the settings of one place where a program runs.

The contents of the first are never quoted, whatever they look like; their name and size may be. The others may be
quoted, but for what in them was made up. Source code is neither: `credentials.py` is a program, `credentials.json`
is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

from segue.model.patterns import compiled
from segue.redaction.secret_managers import HINTS as KEEPERS

_NAMES = """.env .e* .en* .env* .env.* .envrc .dev.vars .secrets .netrc _netrc .npmrc .pypirc .pgpass .my.cnf .mylogin.cnf .git-credentials .htpasswd .vault-token
.boto .s3cfg .dockercfg .dockerconfigjson rclone.conf auth.json auth.toml credentials credentials.db access_tokens.db
application_default_credentials.json local.settings.json kubeconfig master.key cookies cookies.txt cookies.sqlite
cookies.json login.keychain login.keychain-db key4.db logins.json wallet.dat terraform.tfstate.backup .terraformrc
.credentials.json .claude.json client_secret.json client_secrets.json token.json"""
_SUFFIXES = """.pem .key .p12 .pfx .p8 .kdbx .kdb .jks .keystore .ppk .agekey .tfstate .tfvars .env .keychain .keychain-db
.kubeconfig .ovpn"""
_PLACES = """.docker/config.json .kube/config gh/hosts.yml gcloud/credentials.db etc/shadow etc/gshadow .aws/config
.cargo/credentials.toml .gem/credentials sops/age/keys.txt .config/hub"""
_MOUNTED = "/run/secrets/"
_MOUNTED_BESIDE = (".crt", "namespace")
_WITHIN = ".env env.prod env.local env.stag env.dev env.test netrc .docker .my .ssh ssh_host id_rsa id_dsa id_ecdsa id_ed25519 id_xmss secret credential account firebase cookie"

_EXACTLY = frozenset(_NAMES.split())
_ENDINGS = tuple(_SUFFIXES.split())
_EXACTLY_THERE = tuple(f"/{place}" for place in _PLACES.split())
_SHAPES = (
    r"^(?:\.env\.[\w.-]+|env\.(?:local|prod|production|stage|staging|dev|development|test)"
    r"|id_(?:rsa|dsa|ecdsa|ed25519|xmss)[\w.-]*|ssh_host_\w+_key"
    r"|(?:[\w.-]*[-_.])?(?:secrets?|credentials?)(?:[-_.][\w-]+)?\.(?:ya?ml|json|toml|ini|env|properties|xml|csv|txt|conf|cfg|enc)"
    r"|(?:[\w.-]*[-_.])?service[-_]?account[\w.-]*\.json|[\w.-]*firebase-adminsdk[\w.-]*\.json"
    r"|cookies?[-_.]?(?:jar)?(?:\.(?:txt|sqlite|db|json))?)$"
)
_SHAPED = (".env.", "env.", "id_", "ssh_host_", "cookie")
_DATA = (
    *(".yml", ".yaml", ".json", ".toml", ".ini", ".env", ".properties", ".xml", ".csv", ".txt", ".conf"),
    ".cfg",
    ".enc",
)
"""One of these begins or ends every name of these shapes: the pattern takes longer to make than all else here."""
_HINTS = (*_EXACTLY, *_ENDINGS, *_PLACES.split(), *_WITHIN.split())
"""One of these stands in the name of every sensitive file."""
_HARMLESS = (".dist", ".tmpl", ".defaults", ".pub")
_HARMLESS_NAME = r"(?:^|[-_.])(?:example|sample|template|schema)(?:[-_.]|$)"
_IN_SSH = frozenset(("config", "known_hosts", "known_hosts.old", "authorized_keys", "allowed_signers"))


def is_example(path: str) -> bool:
    """True for the harmless twin of a sensitive file: `.env.example`, `id_rsa.pub`."""
    name = _lowered(path).rpartition("/")[2]
    return name.endswith(_HARMLESS) or compiled(_HARMLESS_NAME).search(name) is not None


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
        or ((name.startswith(_SHAPED) or name.endswith(_DATA)) and compiled(_SHAPES).match(name) is not None)
        or f"/{lowered}".endswith(_EXACTLY_THERE)
        or (_MOUNTED in f"/{lowered}" and not name.endswith(_MOUNTED_BESIDE))
    ) and not is_example(name)


def _lowered(path: str) -> str:
    return path.strip().strip("\"'").replace("\\", "/").rstrip("/").lower()


_FORMATS = (
    ".json",
    ".yml",
    ".yaml",
    ".toml",
    ".ini",
    ".properties",
    ".conf",
    ".cfg",
    ".cnf",
    ".config",
    ".xml",
)
_FORMAT_HINTS = (*_FORMATS[:-2], ".xml", ".php", "_vars/")
_SECRET_HINTS = (
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "token",
    "_key",
    "_pass",
    "_pw",
    "pwd",
    "apikey",
    "accesskey",
)
"""Of the names of secrets; `secret` and `credential` also stand in names of sensitive files."""
_OF_SETTINGS = """appsettings application settings config configuration compose values override overrides database parameters
local private prod production prd preprod live stage staging stg dev development qa uat web app"""
_SETTINGS_PART = frozenset(_OF_SETTINGS.split())
_IN_CODE = ("wp-config.php", "config.inc.php", "localsettings.php", "settings.local.php")
_FOR_HOSTS = ("group_vars/", "host_vars/")


def is_settings(path: str) -> bool:
    """True for a file that says how a program is set up in one place: `appsettings.Production.json`,
    `compose.override.yml`, `values-prod.yaml`."""
    if not path.endswith(_FORMATS) and ".php" not in path and "_vars/" not in path:
        return False
    lowered = _lowered(path)
    if lowered.endswith(_FORMATS):
        name = lowered.rpartition("/")[2]
        parts = name.rpartition(".")[0].replace("-", ".").replace("_", ".").split(".")
        if not _SETTINGS_PART.isdisjoint(parts):
            return not is_example(name)
    return lowered.endswith(_IN_CODE) or any(folder in lowered for folder in _FOR_HOSTS)


_FILE_WORD = r"[\w./~@+-]{2,256}(?:(?:(?<=\.e)|(?<=\.en)|(?<=\.env)|(?<=\.env\.))\*)?"


def named(command: str) -> str:
    """The first sensitive file that a shell command names, however it uses it."""
    if not hints_in(command)[0]:
        return ""
    return next((word for word in compiled(_FILE_WORD).findall(command) if is_sensitive(word)), "")


@lru_cache(8)
def hints_in(command: str) -> tuple[bool, bool, list[tuple[bool, int, int]]]:
    """Whether a command may name a sensitive file, whether it may name a secret, and where else it is to be looked at:
    whether a keeper of secrets stands there or the ending of a file, and from which byte to which."""
    hits = _hints().find_matches_as_indexes(command.encode("utf-8", "surrogatepass").lower())
    if not hits:
        return False, False, []
    last = max(hits)[0]
    others = [(hint < _ENDING, start, end) for hint, start, end in hits if hint < _SECRET]
    return last >= _NAME, len(others) < len(hits), others


def _hinted(lowered: str) -> bool:
    hits = _hints().find_matches_as_indexes(lowered.encode("utf-8", "surrogatepass"))
    return any(hint >= _NAME for hint, _, _ in hits)


_ENDING = len(KEEPERS)
_SECRET = _ENDING + len(_FORMAT_HINTS)
_NAME = _SECRET + len(_SECRET_HINTS)


@cache
def _hints() -> Any:
    """What finds the hints: how keepers are asked, endings of settings files, names of secrets, and then parts of sensitive files' names,
    but those that hold another."""
    from ahocorasick_rs import BytesAhoCorasick, Implementation, MatchKind  # 1 ms

    fewest = [
        hint for hint in dict.fromkeys(_HINTS) if not any(other in hint for other in _HINTS if other != hint)
    ]
    hints = (*KEEPERS, *_FORMAT_HINTS, *_SECRET_HINTS, *fewest)
    return BytesAhoCorasick(
        [hint.encode() for hint in hints],
        matchkind=MatchKind.LeftmostLongest,
        implementation=Implementation.DFA,  # made in half a millisecond, and twice as fast
    )


_DIFFERENCE = "diff --git "
_OF_SETTINGS = ".env"
"""What a text quotes of a sensitive file under the file's own name, a difference or the finds of a search, whatever command
made it (`git log -p`, `grep -rn MAILER .`). Of what a search finds, this is looked at: other sensitive files are rarely of lines that a search finds."""

# Compiled when first used: most sessions hold nothing that needs them.
_FILE = r"(?m)^((?:[\w./@+~-]*/)?[\w-]*\.env(?:\.\w+)*)"
_FOUND = _FILE + r"[:-](?:\d+[:-])?(.+)$"
_FOUND_BELOW = _FILE + r"\r?\n((?:\d+[:-].*(?:\n|\Z))+)"


def may_quote(text: str) -> bool:
    return _OF_SETTINGS in text or _DIFFERENCE in text


def quoted(text: str) -> Iterator[tuple[str, str]]:
    """Each sensitive file that a text quotes under its name, and what it quotes of it."""
    for changes in text.split(_DIFFERENCE)[1:]:
        header = changes.partition("\n")[0]
        path = next((word[2:] for word in header.split() if is_sensitive(word[2:])), "")
        if path:
            yield path, changes
    if _OF_SETTINGS in text:
        for pattern in (_FOUND, _FOUND_BELOW):
            for found in re.finditer(pattern, text):
                path, lines = found.groups()
                if is_sensitive(path):
                    yield path, lines
