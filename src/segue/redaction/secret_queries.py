"""Commands that ask for one value by its name: `printenv DB_PASSWORD`, `echo $API_TOKEN`, `jq -r .password`.

What they print is the bare value, without anything beside it that a rule could know it by, so the command says what it
is. Whoever asks for its length, compares it or hands it to another program gets no secret.
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.model.patterns import compiled

SECRET_ITSELF = (
    r"(?i)(?:password|passwd|passphrase|passcode|passwort|pwd|(?:^|[-_.])(?:pass|pw)|secret|token|credentials?"
    r"|(?:api|access|secret|private|auth|signing|encryption|master|admin)[-_.]?key)"
    r"(?:[-_.]?(?:\d{1,3}|value|prod|production|dev|staging|test|live|new|old|primary|secondary|main))?$"
)
"""A name that ends with the secret's own noun: `DB_PASSWORD`, not `PASSWORD_POLICY` or `TOKEN_TYPE`."""

# Compiled when first used: most commands ask for nothing.
_OTHERS = (
    r"(?i)^(?:pass|pw|(?:old)?pwd)$|(?:next|page|lock|request|sync|continuation|public)[-_]?(?:token|key)$"
)
"""Counters of tests, directories, cursors: called like secrets, and none."""
_VARIABLE = r"\$(?:\{|[Ee]nv:)?([A-Za-z_]\w*)(?![\w:\[]|[#%/^@])(?:\})?|\$\{([A-Za-z_]\w*):-|%([A-Za-z_]\w*)%"
_OF_SHELL = r"[A-Z][A-Z0-9]*_KEY$"
_NOT_OF_SHELL = frozenset(("token", "secret", "credential", "credentials"))
"""What loops call the word that they are at."""
_LITERALLY = r"\s*\S+\s+(?:-\w+\s+)*'[^']*'\s*$"
_PRINTED_BY_CODE = r"(?:print|log|puts|write|echo|say|-p)\b[^;\n]{0,24}?(?:environ(?:\.get)?|getenv|process\.env|ENV(?:\.fetch)?)[\[.({]+['\"]?(\w+)"
_QUERY = r"(?:^|[\s|(])(?:jq|yq|gojq|jaq|dasel|tomlq)\s(.*)"
_PATH = (
    r"(?:\.\[?|\[)['\"]?([A-Za-z_][\w-]*)['\"]?\]?\??(?:\.value)?(?=['\"]?(?:\s|$|,|\]))(?!['\"]?\s*(?:==|!=|[<>+*|-]|and\b|or\b))"
    r"|map\(\.([\w-]+)\)"
)
_CHOSEN = r"(?:--jq|--query|jsonpath)[ =]?['\"]?([^\s'\"|]+)"
_PARTS = r"[^\w-]+"
_DOTTED = r"[\w.-]+"
_CUTS_OUT = r"\bcut\b.*\s-[a-z]*f|\bawk\b.*\bprint|\bsed\b.*\bs([/|,#]).*\1.*\1|\b(?:grep|rg)\b.*\s-[a-zA-Z]*o|\bperl\b.*\bprint"
_SELECTED = r"(?is)\bselect\s(.{1,200}?)\sfrom\s"

GETS = {
    "printenv": r"",
    "terraform": r"(?:^| )(?:output|console)\b",
    "tofu": r"(?:^| )(?:output|console)\b",
    "terragrunt": r"(?:^| )(?:output|console)\b",
    "pulumi": r"^(?:config get|stack output)\b",
    "heroku": r"^config:get\b",
    "dokku": r"^config:get\b",
    "aws": r"^configure get\b",
    "git": r"^config\b.*--get",
    "npm": r"^config get\b",
    "pnpm": r"^config get\b",
    "yarn": r"^config get\b",
    "crudini": r"--get\b",
    "etcdctl": r"\bget\b",
    "consul": r"^kv get\b",
    "redis-cli": r"(?i)\bh?get\b",
    "dotenv": r"\bget\b",
    "dotenvx": r"\bget\b",
}
"""Programs that give out the value of a name, and how each is asked to."""
SAYS = frozenset(("echo", "printf", "print", "write-output", "write-host"))
"""What prints the variables in its words."""
_MARKS = """$ % printenv jq yq dasel output console get environ process.env ENV --query cut awk sed grep rg perl elect
ELECT"""
MARKS = tuple(_MARKS.split())
"""One of these stands in every command that asks."""
_BY_NAME = "$"


def names_secret(name: str) -> bool:
    return compiled(SECRET_ITSELF).search(name) is not None and compiled(_OTHERS).search(name) is None


def asked(program: str, words: list[str], text: str) -> str:
    """The secret whose value a pipeline prints, as `$NAME`; `text` is all of it, `program` its first."""
    return next((_BY_NAME + name for name in _asked_for(program, words, text)), "")


def is_name(source: str) -> bool:
    return source.startswith(_BY_NAME)


def _asked_for(program: str, words: list[str], text: str) -> Iterator[str]:
    if program in SAYS:
        yield from () if compiled(_LITERALLY).match(text) else filter(_is_secret_variable, variables(text))
        return
    how = GETS.get(program)
    if how is not None and compiled(how).search(" ".join(words)):
        yield from filter(names_secret, map(_last, words))
    query = compiled(_QUERY).search(text)
    if query is not None:
        yield from (
            name for found in compiled(_PATH).findall(query.group(1)) for name in found if names_secret(name)
        )
    for found in compiled(_CHOSEN).findall(text):
        yield from filter(names_secret, compiled(_PARTS).split(found))
    yield from filter(names_secret, compiled(_PRINTED_BY_CODE).findall(text))


def cuts_out(text: str) -> bool:
    """True for a pipeline that finds values by the name of a secret and cuts them out of their lines."""
    selected = compiled(_SELECTED).search(text)
    if selected is None and compiled(_CUTS_OUT).search(text) is None:
        return False
    words = compiled(_DOTTED).findall(selected.group(1) if selected else text)
    return any(names_secret(_last(word)) for word in words)


def variables(text: str) -> list[str]:
    """The variables whose values a text stands for."""
    return [name for found in compiled(_VARIABLE).findall(text) for name in found if name]


def _is_secret_variable(name: str) -> bool:
    if name in _NOT_OF_SHELL:
        return False
    return names_secret(name) or (
        compiled(_OF_SHELL).match(name) is not None and compiled(_OTHERS).search(name) is None
    )


def _last(word: str) -> str:
    return next(filter(None, reversed(compiled(_PARTS).split(word))), "")
