#!/bin/sh
# lint.sh [NAME...]: style, types and what may import what, in each language by its own tools; of
# implementations these alone, or all.
set -eu
cd "$(dirname "$0")/../.."

say() { printf 'lint: %s\n' "$*" >&2; }

ruff() { .venv/bin/ruff "$@" --config harness/pyproject.toml harness implementations/reference implementations/asyncio conformance spec; }
ruff check --quiet
ruff format --quiet --check
(cd harness && ../.venv/bin/mypy --no-error-summary)
layers=$(cd harness && ../.venv/bin/lint-imports --no-logo --no-cache) || { say "$layers"; exit 1; }
(cd implementations/asyncio && ../../.venv/bin/mypy --no-error-summary)
(cd conformance/mutants && ../../.venv/bin/mypy --no-error-summary)
.venv/bin/buf lint proto
harness/scripts/lint-ci.sh
.venv/bin/shellcheck -x -P SCRIPTDIR docs/findings/*/run docs/findings/lib.sh
./dramaturg table --check >/dev/null || { say "tables are out of date: ./dramaturg table --update"; exit 1; }

.venv/bin/python harness/scripts/lines.py --check || exit 1
.venv/bin/python harness/scripts/wrong_harnesses.py || exit 1

claims=$(./dramaturg claims --check) || { say "$claims"; exit 1; }

harness/scripts/languages.sh lint "$@"
