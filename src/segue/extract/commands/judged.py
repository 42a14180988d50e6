"""Which sort of file a check can judge: a compiler reads its own language, and no settings of another program.

What is in no table here, a task of the project above all, may judge anything, and so may tests of what lies beside them.
"""

from __future__ import annotations

from functools import lru_cache

from segue.extract.commands import shell
from segue.extract.commands.concern import subject, tests
from segue.extract.text.prose import word_set

_GO = word_set("go mod sum s")
_RUST = word_set("rs toml lock")
_PYTHON = word_set("py pyi pyx toml cfg ini txt")
_SCRIPTS = word_set("ts tsx js jsx mts cts mjs cjs vue svelte json")
_RUBY = word_set("rb erb haml slim rake lock")
_BEAM = word_set("ex exs eex heex leex erl lock")
_HASKELL = word_set("hs lhs cabal project")
_APPLE = word_set("swift m mm h c cpp storyboard xib plist pbxproj strings xcstrings")
_NET = word_set("cs fs vb csproj fsproj vbproj sln props razor cshtml xaml resx")
_PHP = word_set("php phtml twig xml neon")
_JVM = word_set("java kt kts scala groovy xml gradle properties")
_READS = {
    **dict.fromkeys(("go", "gofmt", "golangci-lint", "staticcheck"), _GO),
    **dict.fromkeys(("cargo", "rustc"), _RUST),
    **dict.fromkeys(("pytest", "unittest", "mypy", "pyright", "ruff", "flake8", "tox", "nox"), _PYTHON),
    **dict.fromkeys(("tsc", "tsgo", "vue-tsc", "svelte-check", "eslint"), _SCRIPTS),
    **dict.fromkeys(("rspec", "rubocop"), _RUBY),
    "mix": _BEAM,
    **dict.fromkeys(("cabal", "stack"), _HASKELL),
    **dict.fromkeys(("swift", "xcodebuild"), _APPLE),
    "dotnet": _NET,
    **dict.fromkeys(("phpunit", "phpstan", "psalm"), _PHP),
    **dict.fromkeys(("mvn", "gradle"), _JVM),
}
"""The endings of what a tool reads."""
_NAMED = 4
"""Letters by which a file of settings names the program that it sets up."""
_REMEMBERED = 1024


@lru_cache(_REMEMBERED)
def can_judge(words: tuple[str, ...], path: str) -> bool:
    """The check reads files of this sort, or is set up by this one."""
    tool = shell.bare(shell.essential(words)[0])
    endings = _READS.get(tool)
    if endings is None or path.rpartition(".")[2].lower() in endings or tests(path):
        return True
    name = subject(path)
    return len(name) >= _NAMED and tool.startswith(name)
