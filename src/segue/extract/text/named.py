"""Which words name a file, in a command or in a sentence.

Nothing is looked up: a word is a file by the way it is written. Methods, hosts, versions, globs and the bare
suffixes by which people speak of a kind of files are none.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from segue.extract.text.prose import word_set
from segue.model.patterns import compiled

_PATH = compiled(r"(?:~|\.{1,2})?/?(?:[\w@.+-]+/)*[\w@.+-]*\w(?::\d+(?:-\d+)?){0,2}$")
_EXTENSION = compiled(r"\.[a-z]\w{0,9}$")
_PLACE = compiled(r"(?::\d+(?:-\d+)?){1,2}$")
_VERSION = compiled(r"v?\d[\d.]*\w*$")
_KNOWN_ENDINGS = word_set(
    """
    astro bash bat bzl c cc cfg cjs clj cmake conf cpp cs css csv cue dart dockerfile edn el elm env erb erl ex exs fish
    fs fsx gemspec gleam go gradle graphql groovy h hbs hcl heex hpp hs html http ini ipynb java jinja jl js json json5
    jsonc jsonl jsx kdl kt kts less lock log lua m md mdx mjs mk ml mli mod mts nim nix nu patch php pl plist png proto
    ps1 pug py pyi pyx r rb rego rkt rmd rs rst sass sbt scala scm scss sh snap sol sql sqlite sum sv svelte svg swift
    tera tex tf tfvars tmpl toml ts tsv tsx txt typ usage vala vb vim vue wasm wat xml yaml yml zig zsh
    """
)
"""Endings by which a bare name is a file rather than a method or a host."""
_SUFFIX = compiled(r"[-_](?:tests?|spec|mock|gen|pb)\.")
_INFIXES = word_set("test tests spec stories module min e2e mock gen pb d")
"""What stands before the ending in the names of a kind of files."""
NAMED = word_set("Makefile Dockerfile Justfile justfile Gemfile Rakefile Procfile Caddyfile LICENSE")


_REFS = ("refs/heads/", "refs/tags/", "refs/remotes/")


@lru_cache(1 << 12)
def as_path(word: str) -> str:
    """The file a word names, without its line numbers; empty if it does not look like a file."""
    if (
        not word
        or word[0] == "-"
        or len(word) > 300
        or word.startswith(_REFS)
        or "//" in word
        or ".." in word.lstrip("./")
        or not _PATH.match(word)
    ):
        return ""
    word = _PLACE.sub("", word)
    name = word.rsplit("/", 1)[-1]
    if name in NAMED:
        return word
    ending = _EXTENSION.search(name)
    if not ending or len(name) < 4 or _VERSION.match(name) or "@" in name or _is_suffix(name):
        return ""
    known = ending.group()[1:] in _KNOWN_ENDINGS
    return word if known or ("/" in word and ending.group() != ".git") else ""


def _is_suffix(name: str) -> bool:
    """`_test.go`, `.d.ts`: how the names of a kind of files end, not one of them."""
    if name[0] in "_-":
        return _SUFFIX.match(name) is not None
    first = name[1:].split(".", 1)[0]
    return name[0] == "." and first != "env" and (first in _INFIXES or first in _KNOWN_ENDINGS)


def named_paths(words: tuple[str, ...]) -> list[str]:
    """The files that a command names as arguments; `git show REV:path` names the path."""
    found = []
    for before, word in pairwise(words):
        if before == "-m":
            continue
        if words[0] == "git" and ":" in word and not word.startswith("-"):
            word = word.split(":", 1)[1]
        if path := as_path(word):
            found.append(path)
    return found
