# One command builds the book, one passes the tests. `make` alone explains them all.

PYTHON ?= python3
PORT ?= 8000
VENV_PYTHON := .venv/bin/python
STAMP := .venv/.ready

# On Linux, `make book TORCH_INDEX=https://download.pytorch.org/whl/cpu` takes PyTorch's CPU build
# and saves gigabytes of GPU packages. Needed once, when .venv is set up.
TORCH_INDEX ?=
export TORCH_INDEX

.DEFAULT_GOAL := help
.PHONY: help book test lab serve execute benchmark lint portability freeze clean stale

help:  ## this list
	@echo "Machine Learning, Executed. Each command sets up .venv first when it has to."
	@echo
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo "Variables (make book PYTHON=python3.12)"
	@echo "  PYTHON       the Python, 3.11 or newer, that .venv is made with (python3)"
	@echo "  TORCH_INDEX  on Linux, https://download.pytorch.org/whl/cpu takes the CPU build of"
	@echo "               PyTorch and saves gigabytes of GPU packages"
	@echo "  CHAPTER      make execute: one chapter, such as book/linear/linear_regression.ipynb"
	@echo "  FORCE=1      make execute: also chapters that did not change"
	@echo "  TESTS        make test: only these, such as tests/test_house_makefile.py"
	@echo "  PORT         make serve: the port to try first (8000)"

book: $(STAMP)  ## build the HTML into _build/html; any warning is an error
	@$(VENV_PYTHON) -m lib.course.book_build

test: $(STAMP)  ## every notebook, unit, structure and browser test
	$(if $(TESTS),,@$(VENV_PYTHON) -m lib.course.book_build)
	@$(VENV_PYTHON) -m pytest -n auto --dist loadfile --no-loadscope-reorder $(TESTS)

lab: $(STAMP)  ## open the chapters in JupyterLab, on this computer only
	@$(VENV_PYTHON) -m lib.course.lab

serve: $(STAMP)  ## show the built book on 127.0.0.1
	@test -f _build/html/index.html || $(VENV_PYTHON) -m lib.course.book_build
	@$(VENV_PYTHON) -m lib.course.serving --port $(PORT)

execute: $(STAMP)  ## re-execute the chapters that changed, in place
	@$(VENV_PYTHON) -m lib.course.execution $(CHAPTER) $(if $(FORCE),--force)

benchmark: $(STAMP)  ## the speed of lib beside scikit-learn, torch and plain loops
	@$(VENV_PYTHON) -m benchmarks

lint: $(STAMP)  ## ruff, format and lint, over lib, tests, tools and notebook code
	@$(VENV_PYTHON) -m ruff check .
	@$(VENV_PYTHON) -m ruff format --check .

portability: $(STAMP)  ## execute every chapter under other CPU kernels; no text may change
	@$(VENV_PYTHON) -m lib.course.portability $(CHAPTER)

freeze: $(STAMP)  ## pin again: install requirements.in, write requirements.txt
	@$(VENV_PYTHON) -m pip install --upgrade -r requirements.in $(if $(TORCH_INDEX),--extra-index-url $(TORCH_INDEX))
	@$(VENV_PYTHON) tools/freeze.py

clean:  ## remove _build and caches (.venv stays: remove it with rm -r .venv)
	rm -rf _build .pytest_cache .ruff_cache .hypothesis .jupyter_cache
	find book lib tests tools benchmarks -name __pycache__ -o -name .ipynb_checkpoints | xargs rm -rf

# .venv is made again when the pins change, when its Python is gone and when the folder has moved.
STALE := $(shell $(VENV_PYTHON) -c '' 2>/dev/null && grep -qxF '$(CURDIR)' $(STAMP) 2>/dev/null || echo stale)

$(STAMP): requirements.txt pyproject.toml $(STALE)
	@version=$$("$(PYTHON)" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null); \
	if [ -z "$$version" ]; then \
	    echo "No Python found as '$(PYTHON)': install Python 3.11 or newer, or name one with PYTHON=…, for example make book PYTHON=python3.12." >&2; exit 1; \
	elif ! "$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then \
	    echo "'$(PYTHON)' is Python $$version, and the course needs 3.11 or newer: name one with PYTHON=…, for example make book PYTHON=python3.12." >&2; exit 1; \
	elif ! "$(PYTHON)" -c 'import venv' 2>/dev/null; then \
	    echo "'$(PYTHON)' has no venv module: on Debian and Ubuntu install the package python3-venv, then run the command again." >&2; exit 1; \
	fi
	@"$(PYTHON)" tools/prepare.py
