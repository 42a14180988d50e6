"""What commands are for: what was run, on what, and whether it was a check.

A run is known by its key, program plus sub-command plus first argument, so that two spellings of
one command are one row of the ledger.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain, pairwise

from segue.extract.commands import no_verdict
from segue.extract.commands.command_line import SHELLS, Simple, program, simple_commands
from segue.extract.commands.queries import change
from segue.extract.text.prose import word_set
from segue.model.patterns import compiled

_REMEMBERED = 4096
"""Commands that are judged once: the same few run again and again, and each is looked at from several sides."""
SEARCHES = word_set("grep egrep fgrep rg ag")
READERS = SEARCHES | word_set("cat head tail sed nl less more bat wc awk jq file stat diff cmp")
"""Programs that look into files; what they name was read."""

_LOOKING = READERS | word_set("ls cd echo pwd find which tree du df ps sort uniq cut tr head tail test")
_PLUMBING = READERS | word_set(
    """
    ls cd echo pwd find sleep mkdir rm cp mv which true false export sort uniq cut tr xargs tee chmod touch
    test [ [[ printf date set source . tree du df ps kill pkill wait pgrep read basename dirname realpath ln
    type for case return exit unset shopt trap git open man yes seq clear hostname whoami id uname
    gofmt goimports rustfmt black isort prettier shfmt
    """
)
"""Reading, moving, formatting, waiting: any successor does these unasked, so they are no knowledge to hand over."""

_VALUE_FLAGS = word_set(
    """
    --json --jq --repo -R --title --body --body-file --base --head -o --output -C -run --run -timeout
    --timeout -count -tags --tags -k -n -t -f -F --format --template --limit -L --features --package -p
    --manifest-path -H -d -X --config -c --filter --grep -g --workspace -w --prefix --cwd --dir --profile
    --target --bin --test -pl --projects --deselect --ignore --skip -skip --exclude --testPathIgnorePatterns
    """
)
_QUERYING = word_set("gh glab")
"""Programs whose `-q` takes a value; everywhere else it asks for quiet."""
_INLINE = compiled(r"(?:python[\d.]*|node|ruby|perl|deno|bun|php)$")
_ALONE = word_set("make ninja pytest tox just nox rake ctest cargo npm yarn pnpm go patch")
_VERBS = word_set("run run-script exec task x")
"""Sub-commands that say nothing until one knows what they run."""
_OPAQUE = compiled(r"[\s$`]")


@lru_cache(_REMEMBERED)
def key(words: tuple[str, ...]) -> tuple[str, ...]:
    """What identifies a run: `go test -v ./x` is (go, test, ./x). Empty for plumbing and inline scripts."""
    name = program(words[0])
    if compared := _compared(words, name):
        return compared
    if name in _PLUMBING or not re.match(r"[A-Za-z_.][\w./+-]*$", name):
        return ()
    if _INLINE.match(name) and (len(words) < 2 or words[1] in ("-", "-e", "-p") or "-c" in words[1:4]):
        return ()
    module = (name, "-m") if _INLINE.match(name) and "-m" in words[1:3] else ()
    if (lead := _runner(words) or module) and (ran := inner(words)):
        first, *rest = key(ran) or ran[:1]
        return (f"{' '.join(lead)} {first}".strip(), *rest)
    given = [a.rstrip("/") or a for a in arguments(words)]
    if not given and "/" not in name and name not in _ALONE and not _CHECK.fullmatch(name):
        given = [word for word in words[1:] if word and word[0] != "-" and not _OPAQUE.search(word)]
        given = given or [*filter(None, (change(words),))]
        return (name, *given[:2]) if given else ()
    if given and (name in _QUERYING or given[0] in _VERBS):
        return (f"{name} {given[0]}", *given[1 : 3 if name in _QUERYING else 2])
    return (name, *given[:2])


def _compared(words: tuple[str, ...], name: str) -> tuple[str, ...]:
    """The key of a formatter that only compares: it is another command than the one that writes."""
    if no_verdict.MAY_COMPARE.isdisjoint(words) or _runner(words):
        return ()
    tool, *rest = essential(words)
    if tool != bare(name) or not no_verdict.compares(tool, rest):
        return ()
    given = [word for word in arguments(words) if word[:1] != "+"]
    verbs = 0 if tool in no_verdict.FORMATTERS else 2 if given[:1] and given[0] in _VERBS else 1
    return (" ".join((name, *given[:verbs], "--check")), *given[verbs : verbs + 2])


def arguments(words: tuple[str, ...]) -> list[str]:
    """The words that are neither flags nor their values."""
    valued = _VALUE_FLAGS | {"-q"} if program(words[0]) in _QUERYING else _VALUE_FLAGS
    return [
        word
        for before, word in pairwise(words)
        if word and word[0] != "-" and before not in valued and len(word) <= 200 and not _OPAQUE.search(word)
    ]


_RUNNERS: dict[tuple[str, ...], int] = {
    ("npx",): 0,
    ("bunx",): 0,
    ("uvx",): 0,
    **{(tool, "run"): 0 for tool in ("uv", "poetry", "pdm", "pipenv", "hatch", "rye")},
    **{(tool, "exec"): 0 for tool in ("bundle", "pnpm", "yarn", "npm")},
    **{("mise", verb): 0 for verb in ("x", "exec")},
    ("rustup", "run"): 1,
    ("nvm", "exec"): 1,
    ("conda", "run"): 0,
    **{(tool, verb): 1 for tool in ("docker", "podman") for verb in ("exec", "run")},
    **{
        (*compose, verb): 1
        for compose in (("docker", "compose"), ("docker-compose",))
        for verb in ("exec", "run")
    },
}
"""What runs another command, and how many words stand between: the name of a container."""
_RUNNER_VALUES = word_set(
    """
    --with --project --package -p --python --extra --group -e --env -u --user -w --workdir --index-url --directory
    --name -n -v --volume --network --entrypoint --platform --env-file --mount
    """
)


def _runner(words: tuple[str, ...]) -> tuple[str, ...]:
    return next((words[:n] for n in (1, 2, 3) if words[:n] in _RUNNERS), ())


def inner(words: tuple[str, ...]) -> tuple[str, ...]:
    """The command that a runner runs, or the module that `python -m` does; empty for any other command."""
    if "--" in words:
        return words[words.index("--") + 1 :]
    lead = _runner(words)
    if not lead:
        module = _INLINE.match(program(words[0])) and "-m" in words[1:3]
        return words[words.index("-m") + 1 :] if module else ()
    rest = list(words[len(lead) :])
    while rest and rest[0].startswith("-"):
        del rest[: 2 if rest[0] in _RUNNER_VALUES else 1]
    return tuple(rest[_RUNNERS[lead] :])


_RUN_SOURCE = word_set("go cargo dotnet swift deno bun")


def of_project(words: tuple[str, ...]) -> bool:
    """A program that the project itself holds: a script, or source that is run."""
    if not words or is_check(words):
        return False
    if _runner(words):
        return of_project(inner(words))
    name = program(words[0])
    scripted = _INLINE.match(name) or name in SHELLS
    return (
        "/" in name
        or bool(scripted and len(words) > 1 and words[1][:1] != "-")
        or (name in _RUN_SOURCE and words[1:2] == ("run",))
    )


_VERSION_OF_TOOL = compiled(r"[\d.]+$")


_WRAPPED = {"mvnw": "mvn", "gradlew": "gradle"}
_PACKAGE_MANAGERS = word_set("npm yarn pnpm bun")
_SCRIPT_VERBS = word_set("run run-script")
_OF_PACKAGES = word_set("tsc jest vitest mocha eslint prettier biome playwright cypress ava")
"""Programs that packages bring; a package manager runs them by their names."""
_BESIDE_SCRIPTS = word_set("install add i ci remove exec dlx create init publish version x")
_TASKS = _PACKAGE_MANAGERS | word_set("make just task tox nox rake mise poe invoke ant")
"""Programs that run what the project calls so, whatever that is."""


@lru_cache(_REMEMBERED)
def essential(words: tuple[str, ...]) -> tuple[str, ...]:
    """A command without who runs it: no runner, no directory, no version, no toolchain; a script of the project by
    one name, whichever package manager runs it."""
    if (_runner(words) or "-m" in words[1:3]) and (ran := inner(words)):
        return essential(ran)
    name = bare(words[0])
    rest = tuple(word for word in words[1:] if word[:1] != "+")
    if name in _PACKAGE_MANAGERS and rest and rest[0] not in _BESIDE_SCRIPTS:
        if rest[0] in _OF_PACKAGES:
            return rest
        return ("npm", "run", *(rest[1:] if rest[0] in _SCRIPT_VERBS else rest))
    return (_WRAPPED.get(name, name), *rest)


def runs_task(words: tuple[str, ...]) -> bool:
    """It runs what the project calls so; by its words alone nobody knows what that is."""
    return bare(essential(words)[0]) in _TASKS


def tools(commands: list[Simple]) -> frozenset[str]:
    """The programs of a line by their bare names: neither directory nor version, whoever runs them."""
    run = [words for s in commands if s.words for words in (s.words, inner(s.words)) if words]
    return frozenset(bare(words[0]) for words in run)


def bare(tool: str) -> str:
    return _VERSION_OF_TOOL.sub("", tool.rsplit("/", 1)[-1])


_REMOTE = word_set("gh glab curl wget ssh docker kubectl aws gcloud brew apt apt-get pip pip3 uv")
"""Programs whose arguments may be called test or build without their being one."""
_IMAGERS = word_set("docker podman docker-compose")
_IMAGE_VERBS = word_set("compose buildx image")
_CHECK = compiled(
    r"(?<![\w./-])(?:\w*[-:_]?(?:tests?|build|lint|check|vet|clippy|tsc|pytest|jest|vitest|mocha|compile|ci|e2e|typecheck"
    r"|mypy|pyright|ruff|credo|dialyzer|phpstan|psalm|detekt|brakeman|bandit|eslint|flake8|rubocop|tsgo|golangci-lint|tox|nox|ninja|ctest|rspec|phpunit|verify|fmt|make|unittest|playwright|cypress|biome|prettier))(?![\w-])"
)
_TEST = compiled(
    r"(?:tests?\b(?!-?compile)|\bpytest\b|\bjest\b|\bvitest\b|\bmocha\b|\be2e\b|\brspec\b|\bphpunit\b|\bctest\b|\bunittest\b|\btox\b|\bnox\b|\bplaywright\b|\bcypress\b)"
)


@lru_cache(_REMEMBERED)
def is_check(words: tuple[str, ...]) -> bool:
    """A run that judges the work: tests, builds, linters, type checkers."""
    name = program(words[0])
    if not key(words):
        return False
    tool, *given = essential(words)
    if no_verdict.is_formatter(tool, given):
        return no_verdict.compares(tool, given)
    if no_verdict.sets_up(tool, given):
        return False
    if name in _IMAGERS and _builds_image(words):
        return True
    if name not in _REMOTE:
        first = _first_words(words)
        built = _PACKAGERS.fullmatch(name) and not (_GOALS.isdisjoint(words[1:]) and _GOALS.isdisjoint(first))
        if built or any(_CHECK.match(word) or _CHECK.match(word.rpartition(":")[2]) for word in first):
            return True
    ran = _judged(words)
    return bool(ran) and is_check(ran)


def _judged(words: tuple[str, ...]) -> tuple[str, ...]:
    """The command that a runner runs; of a module without the paths that it works on."""
    ran = inner(words)
    return ran if _runner(words) or "--" in words else tuple(word for word in ran if "/" not in word)


def _builds_image(words: tuple[str, ...]) -> bool:
    first, *rest = [*arguments(words[:8]), ""]
    return first == "build" or (first in _IMAGE_VERBS and rest[0] == "build")


@lru_cache(_REMEMBERED)
def is_test(words: tuple[str, ...]) -> bool:
    """A check that runs tests: by its program and verb. What it is given to look at makes no linter a test."""
    if not is_check(words):
        return False
    ran = _judged(words)
    return _says_test(_first_words(words)) or (bool(ran) and _says_test(_first_words(ran)))


def _says_test(named: list[str]) -> bool:
    tool = bare(named[0]) if named else ""
    if tool in _MANY_GOALS:
        return any(_TEST.search(word) for word in named)
    verbs = [word for place, word in enumerate(named) if not place or word[:1] == ":" or "/" not in word]
    decides = next((word for word in verbs if _CHECK.match(word) or _TEST.search(word)), "")
    return _TEST.search(decides) is not None


_MANY_GOALS = word_set("make gmake ninja just task rake mvn mvnw gradle gradlew ant bazel nx turbo")
"""Programs that may be told to do several things in one line."""
_INTERPRETERS = SHELLS | word_set("tsx ts-node")
_MANY_VERBS = word_set("deno bun")
"""Interpreters whose first argument is a verb unless it is a script."""
_SCRIPT = (".py", ".sh", ".bash", ".js", ".mjs", ".cjs", ".ts", ".mts", ".rb", ".pl", ".php", ".ps1")
TAKES_VERB = word_set("manage.py setup.py x.py artisan console ace")
"""Scripts that are known to be told by their first argument what to do; of any other it is only what it works on."""


def _first_words(words: tuple[str, ...]) -> list[str]:
    """The program and its first arguments, where a check says that it is one."""
    if _runner(words):
        ran = inner(words)
        return _first_words(ran) if ran else []
    given = [program(words[0]).removeprefix("bin/"), *arguments(words[:8])]
    if (script := _script_at(given)) >= 0:
        name = given[script].rsplit("/", 1)[-1]
        given = [*given[: script + (2 if name in TAKES_VERB else 1)], name]
    first = [word for word in given[:4] if len(word) < 60]
    if first and _PACKAGERS.fullmatch(first[0]):
        return [first[0], *chain(*map(_task, first[1:]))]
    return first


def _task(word: str) -> list[str]:
    """What a task of many words does, which it says first or last: `assembleRelease`, `testDebugUnitTest`."""
    humps = _HUMP.findall(word.rpartition(":")[2])
    if len(humps) < 2:
        return [word]
    return ["compile" if humps[-1] == "Classes" else humps[0], humps[-1].lower()]


def _script_at(given: list[str]) -> int:
    """Which word names the script that is run; -1 where a program is."""
    name = program(given[0])
    if name.endswith(_SCRIPT):
        return 0
    if name not in _INTERPRETERS and not _INLINE.match(name):
        return -1
    named = (place for place, word in enumerate(given) if place and word.endswith(_SCRIPT))
    return next(named, -1 if name in _MANY_VERBS else min(1, len(given) - 1))


_PACKAGERS = compiled(r"(?:\./)?(?:mvn|mvnw|gradle|gradlew)")
_GOALS = word_set("install package assemble bundle")
_HUMP = compiled(r"(?:^[a-z]|[A-Z])[a-z0-9]+")


_WATCHES = (("gh", "pr", "checks"), ("gh", "run", "watch"), ("gh", "run", "view"), ("glab", "ci", "status"))


def watches(commands: list[Simple]) -> bool:
    """It only looks at checks that run elsewhere."""
    keyed = [simple.words for simple in commands if simple.words and key(simple.words)]
    return bool(keyed) and all(words[:3] in _WATCHES for words in keyed)


_SELECTS = word_set("-run --run -k -t --grep -g --filter --tests --testNamePattern -test.run -Dtest")
_SELECTS_OF = {
    "cargo": word_set("-p --package --test --bin --example"),
    "npm": word_set("-w --workspace"),
    "pytest": word_set("-m"),
}
"""What else a tool takes to run only some, by the word before it."""


NO_TESTS = ("^$",)
"""What is asked for only to see whether tests compile."""


def only_lists(words: tuple[str, ...]) -> bool:
    """A check that tells about itself or what it would do, and does nothing."""
    if not is_check(words):
        return False
    tool, *given = essential(words)
    return no_verdict.only_tells(tool, given)


def only(commands: list[Simple]) -> tuple[str, ...]:
    """The names by which a line's tests were told to run only some; in order, each alternative by itself."""
    tests = [essential(simple.words) for simple in commands if simple.words and is_test(simple.words)]
    if tests and all(
        not no_verdict.RUNS_NONE.isdisjoint(words)
        or only_lists(words)
        or (words[0] == "go" and "-c" in words)
        for words in tests
    ):
        return NO_TESTS
    chosen = [value for simple in commands for _, value in selection(simple.words)]
    parts = (part for value in chosen for part in value.replace(" or ", "|").split("|"))
    return tuple(filter(None, (part.strip("^$() ") or part for part in parts)))


def selection(words: tuple[str, ...]) -> list[tuple[str, str]]:
    """The flags of a test by which only some are run, as they were written up to their values."""
    if not words or not is_test(words):
        return []
    tool, *given = essential(words)
    selects = _SELECTS | _SELECTS_OF[tool] if tool in _SELECTS_OF else _SELECTS
    apart = [(f"{flag} ", value) for flag, value in pairwise(given) if flag in selects]
    joined = (word.partition("=") for word in given)
    return [*apart, *((f"{flag}=", value) for flag, _, value in joined if value and flag in selects)]


def shows_end(commands: list[Simple]) -> bool:
    """The last thing that the line prints is the end of what a check printed."""
    *_, check, last = [Simple(()), Simple(()), *commands]
    return last.words[:1] == ("tail",) and check.then == "|" and bool(check.words) and is_check(check.words)


def sieve(commands: list[Simple]) -> tuple[str, ...]:
    """The search that lets through only some of what the commands before it in the last pipe printed."""
    for before, simple in reversed(list(pairwise(commands))):
        if before.then != "|":
            return ()
        if simple.words and simple.words[0] in SEARCHES:
            return simple.words
    return ()


def gist(line: str) -> str:
    """A line without the plumbing around what it is for; the whole line where it is all plumbing."""
    kept = [s.text for s in simple_commands(line) if s.words and key(s.words)]
    return " && ".join(kept) or " ".join(line.split())


def only_looks(line: str) -> bool:
    """It reads and lists and changes nothing."""
    commands = simple_commands(line)
    return bool(commands) and all(s.words and s.words[0] in _LOOKING and not s.writes for s in commands)
