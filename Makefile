# Two commands do everything: `make run` and `make test`. Both set up what is missing.

PYTHON := .venv/bin/python

# Whom `make run` is about: the actor systems of the study behind this project. Names, or `all`.
# Each more takes a minute or two.
IMPLEMENTATIONS ?= erlang akka caf pony
ifeq ($(IMPLEMENTATIONS),all)
override IMPLEMENTATIONS := $(notdir $(patsubst %/dramaturg.toml,%,$(wildcard implementations/*/dramaturg.toml)))
endif

# The levels that certified takes. Level 4, over several nodes, takes longer than these together.
export LEVELS ?= 0 1 2 3

.DEFAULT_GOAL := help
.PHONY: help setup run test lint format golden survivors bench-harness bench-tracing wheel clean

help: ## Show this.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## Install what is missing: system packages, virtual environment, toolchains.
	@harness/scripts/setup.sh

run: setup ## Certify IMPLEMENTATIONS (names, or all), time a first suite, write results/latest/.
	@harness/scripts/run.sh $(IMPLEMENTATIONS)

test: setup ## Run all tests (WHOLE=1: those too that only some commits run).
	@harness/scripts/test.sh

lint: setup ## Check style and types, in each language by its own tools.
	@harness/scripts/lint.sh

format: setup ## Put Python code into its form.
	@.venv/bin/ruff check --quiet --fix --config harness/pyproject.toml harness implementations/reference implementations/asyncio conformance spec
	@.venv/bin/ruff format --quiet --config harness/pyproject.toml harness implementations/reference implementations/asyncio conformance spec

golden: setup ## Regenerate the golden traces from the model.
	@./dramaturg golden

survivors: setup ## Mutate what judges: which changes does no test notice? An hour or two.
	@$(PYTHON) harness/tests/survivors/survivors.py

bench-harness: setup ## Measure the harness itself: replay, codec, gateway, judging.
	@$(PYTHON) harness/benchmarks/bench_harness.py
	@$(PYTHON) harness/benchmarks/bench_judging.py

bench-tracing: setup ## Measure what watching costs: nobody, a few, everybody.
	@$(PYTHON) harness/benchmarks/bench_tracing.py

wheel: setup ## Build the package that is installed elsewhere, into dist/.
	@$(PYTHON) -m pip -q --disable-pip-version-check wheel --no-deps --no-build-isolation --wheel-dir dist ./harness

clean: ## Remove what was built and measured.
	rm -rf .venv .survivors dist results implementations/*/.build harness/dramaturg/v2
