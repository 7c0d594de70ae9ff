# Two commands do everything: make book, make test.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
UV := $(shell command -v uv)
ifdef UV
# Compiled once here: where Python may not write bytecode, every start would compile everything again.
INSTALL := $(UV) pip install --quiet --compile-bytecode --python $(BIN)/python
else
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
endif

INPUTS ?= 100000
SEED ?= 0

.PHONY: help setup book test quick slow lint coverage architecture versions bench fuzz sweep serve clean lock

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: $(VENV)/.ready ## create .venv from the lock (book and test do this by themselves)

$(VENV)/bin/python:
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || \
	  { echo "The lock is for Python 3.11, but $(PYTHON) is $$($(PYTHON) --version 2>&1). Install python3.11 or call make PYTHON=/path/to/python3.11"; exit 2; }
	@echo "creating $(VENV)"
ifdef UV
	@$(UV) venv --quiet --allow-existing --python "$(PYTHON)" $(VENV)
else
	@"$(PYTHON)" -m venv $(VENV) || { rm -rf $(VENV); echo "No venv module: on Debian, apt-get install python3.11-venv"; exit 2; }
endif

$(VENV)/.ready: requirements.lock pyproject.toml | $(VENV)/bin/python
	@echo "installing the packages of requirements.lock"
	@$(INSTALL) -r requirements.lock
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.peers: requirements-peers.lock $(VENV)/.ready
	@echo "installing the tools that tests and benchmarks compare with"
	@$(INSTALL) -r requirements-peers.lock
	@touch $@

book: setup ## set up and build the HTML; prints the page to open
	@$(BIN)/jupyter-book build . -W -n --keep-going
	@echo "open file://$(CURDIR)/_build/html/index.html"

test: $(VENV)/.peers ## set up and run the whole test suite
	@$(BIN)/python -m pytest --numprocesses auto --dist loadfile

quick: lint ## lint, and the tests that take under a minute in all: no data, no browser, nothing slow
	@$(BIN)/python -m pytest -m "not slow and not browser and not realdata" --numprocesses 2 --dist loadfile -r fE

slow: $(VENV)/.peers ## run the whole suite and write down which tests are slow (tests/slow.txt)
	@$(BIN)/python -m pytest --numprocesses 2 --dist loadfile --note-slow

lint: $(VENV)/.peers ## ruff, mypy --strict and the contract for imports
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo --no-cache

coverage: $(VENV)/.peers ## run the suite (not the tests of built pages) under coverage and keep the sums for the status page
	@$(BIN)/coverage erase
	@$(BIN)/coverage run -m pytest -m "not browser" --numprocesses auto --dist loadfile
	@$(BIN)/coverage combine --quiet
	@$(BIN)/coverage json --quiet -o .coverage.json
	@$(BIN)/python -c "from pathlib import Path; from ltrlib.book.coverage import write; print(f'{write(Path(\".coverage.json\")).total.percent:.1f} % of the statements')"

architecture: setup ## write the generated parts of ARCHITECTURE.md
	@$(BIN)/python -c "from ltrlib.book.architecture import update; print('changed' if update() else 'up to date')"

# The tool, not the book: metrics, readers and comparison on other Pythons, with the newest packages and no peers.
VERSIONS ?= 3.12 3.13
VERSION_TESTS := tests/test_compiled.py tests/metrics/test_engine.py tests/metrics/test_golden.py tests/metrics/test_notation.py \
  tests/metrics/test_kendall.py tests/metrics/test_significance.py tests/datasets/test_letor_reader.py tests/comparison/test_winning.py \
  tests/comparison/test_pareto.py tests/cli/test_meta.py
# A shim of pyenv is found but does not start unless its version is chosen, so the first that starts is taken.
versions: ## test metrics, readers and comparison on the other Pythons that are here
	@for version in $(VERSIONS); do \
	  python=; \
	  for found in $$(command -v python$$version) $$(ls -d $${PYENV_ROOT:-$$HOME/.pyenv}/versions/$$version.*/bin/python 2> /dev/null | tail -1); do \
	    if "$$found" -c 'import venv' 2> /dev/null; then python=$$found; break; fi; \
	  done; \
	  if [ -z "$$python" ]; then echo "Python $$version is not here: not tested"; continue; fi; \
	  folder=$(VENV)-$$version; \
	  if [ ! -f $$folder/.ready ] || [ pyproject.toml -nt $$folder/.ready ]; then \
	    "$$python" -m venv $$folder && $$folder/bin/python -m pip install --quiet --disable-pip-version-check \
	      "numpy>=2.0" "numba>=0.60" pyyaml tqdm pooch pandas scipy scikit-learn pytest hypothesis && touch $$folder/.ready \
	    || { echo "Python $$version: its packages cannot be installed here: not tested"; continue; }; \
	  fi; \
	  echo "Python $$version"; \
	  $$folder/bin/python -m pytest -q -m "not slow and not realdata" -p no:cacheprovider $(VERSION_TESTS) || exit 1; \
	done

bench: $(VENV)/.peers ## compare the speed with the peers, in one run (some minutes)
	@$(BIN)/python -m tests.bench

fuzz: $(VENV)/.peers ## fuzz every command (INPUTS=100000 SEED=0; an hour or so)
	@nice -n 10 $(BIN)/python -m tests.fuzz $(INPUTS) $(SEED)

FILE ?= conventions
sweep: setup ## run a small sweep and show its table; make sweep FILE=my.yml runs yours
	@$(BIN)/ltrlib sweep $(FILE)
	@$(BIN)/ltrlib sweep show $(FILE)

serve: book ## build, then serve the book on http://127.0.0.1:8000
	@$(BIN)/python -m http.server --bind 127.0.0.1 --directory _build/html 8000

clean: ## remove what a build writes; keeps .venv and data/raw
	@rm -rf _build

lock: ## resolve the pins again (needs uv)
	@uv pip compile --quiet --no-header --upgrade --python-version 3.11 --extra book --extra test pyproject.toml -o requirements.lock
	@uv pip compile --quiet --no-header --upgrade --python-version 3.11 --extra peers -c requirements.lock pyproject.toml -o requirements-peers.lock
