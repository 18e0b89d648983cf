# Everything starts here: `make demo` and `make test` need Python 3.11+, make and a checkout, nothing else.
# Each target makes `.venv` when it is missing, and installs again when pyproject.toml or a lock has changed.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# The first Python that is new enough; override it with `make PYTHON=/path/to/python3.12 …`.
PYTHON ?= $(shell for each in python3 python3.13 python3.12 python3.11 python; do \
	"$$each" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$each" && break; done)
# How many test processes run side by side. Quick tests wait now and then, for limits and for children: there is one more.
JOBS ?= 2
test: JOBS = 3

BIN := .venv/bin
# Bytecode is left to the first import: most installed modules are never imported. It has to be kept, though: where it
# may not be, each of the hundreds of processes that tests and pages start compiles all of its modules anew.
unexport PYTHONDONTWRITEBYTECODE
PIP_INSTALL := $(BIN)/python -m pip --disable-pip-version-check install -qq --no-input --no-compile
# Locks are complete, so pip need not look at dependencies; the package itself is built with what is locked.
LOCKED := $(PIP_INSTALL) --require-hashes --no-deps
EDITABLE := $(PIP_INSTALL) --no-deps --no-build-isolation --editable .
# Test processes share the processors; with threads of their own for every product of matrices they would fight for them.
PYTEST = OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n $(JOBS) --dist worksteal
OFFLINE := not network and not api and not docker and not gpu
NOW := $(OFFLINE) and not release

##@ Two commands on a fresh machine

.PHONY: demo
demo: .venv/.demo ## run the demo without any key and write its report to demo/site/
	@sh tools/system_packages.sh "web tasks in the demo are stopped" chromium
	$(BIN)/cutscore demo

.PHONY: test
test: .venv/.dev ## run the tests that need no network and nothing but Python
	$(PYTEST) -m "not real and $(NOW)"

##@ Work on cutscore

.PHONY: test-real
test-real: real-parts ## run the tests that need Chromium or time; what is missing is skipped and named
	$(PYTEST) -rs -m "real and $(NOW)"

.PHONY: test-release
test-release: real-parts ## run the tests that only a release waits for, an hour of them
	$(PYTEST) -rs -m "release and $(OFFLINE)"

.PHONY: real-parts
real-parts: .venv/.dev
	@sh tools/system_packages.sh "tests that need it will be skipped" chromium espeak-ng bubblewrap ffmpeg
	@# By itself: not every distribution has it among its packages, and the others are wanted all the same.
	@sh tools/system_packages.sh "no test opens the report in Firefox" firefox-esr
	@sh tools/speech_sample.sh
	@sh tools/page_types.sh
	@sh tools/sample_film.sh
	@sh tools/ray_package.sh
	@sh tools/hub_packages.sh
	@sh tools/web_software.sh
	@sh tools/agent_packages.sh

.PHONY: check
check: .venv/.dev ## lint, types, import contracts, spelling, licences
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell
	$(BIN)/python tools/licences.py --check

.PHONY: format
format: .venv/.dev ## let ruff mend what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.PHONY: licences
licences: .venv/.dev ## check the licences of the plain install and write THIRD_PARTY.md
	$(BIN)/python tools/licences.py

.PHONY: lock
lock: ## pin all requirements with hashes (UPGRADE=1 takes the newest that pyproject.toml allows)
	@$(need-python)
	$(PYTHON) tools/lock.py $(if $(UPGRADE),--upgrade)

.PHONY: size
size: .venv/.plain ## download the plain install to a temporary folder and say how large it is
	$(BIN)/python tools/download_size.py

.PHONY: bench
bench: .venv/.dev ## measure speed and memory (see bench/README.md)
	@set -e; for each in bench/*.py; do echo "== $$each"; $(BIN)/python "$$each"; done

.PHONY: attack
attack: .venv/.dev ## try the hostile library on cutscore itself and count how it ended (see SECURITY.md)
	$(BIN)/python tools/attack.py $(if $(KIND),--kind $(KIND))

.PHONY: wheel
wheel: .venv/.dev ## build wheel and source archive into dist/
	$(BIN)/python -m build --no-isolation

.PHONY: changelog
changelog: .venv/.dev ## gather changes/ into CHANGELOG.md for VERSION=x.y.z
	$(BIN)/python tools/changelog.py "$(VERSION)"

.PHONY: clean
clean: ## remove what make made, .venv and the demo included; runs of your own stay
	rm -rf .venv demo dist build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find src tests tools bench examples -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: help
help: ## list the targets
	@awk 'BEGIN { FS = ":.*## " } /^##@ / { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# The environment.

need-python = test -n "$(PYTHON)" || { \
	echo "cutscore needs Python 3.11 or newer and found none; install it or say make PYTHON=/path/to/python" >&2; exit 3; }

# --clear: a folder whose interpreter is gone holds packages of another Python.
$(BIN)/python:
	@$(need-python)
	@echo "making .venv with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv --clear .venv || { \
		echo "$(PYTHON) cannot make virtual environments; on Debian and Ubuntu install python3-venv" >&2; exit 3; }

.venv/.plain: pyproject.toml requirements/plain.txt requirements/build.txt | $(BIN)/python
	@echo "installing the plain set"
	@$(LOCKED) -r requirements/plain.txt -r requirements/build.txt
	@$(EDITABLE)
	@touch $@

.venv/.demo: .venv/.plain requirements/demo.txt
	@echo "installing what drives a browser"
	@$(LOCKED) -r requirements/demo.txt
	@touch $@

.venv/.dev: pyproject.toml requirements/plain.txt requirements/build.txt requirements/dev.txt | $(BIN)/python
	@echo "installing the development set"
	@$(LOCKED) -r requirements/dev.txt
	@$(EDITABLE)
	@touch .venv/.plain .venv/.demo $@
