#!/bin/sh
# Style and types, in each language by its own tools. What is not there is installed where
# that can be done; what cannot be had is named and skipped, never taken for passed.
set -eu
cd "$(dirname "$0")/../.."

say() { printf 'lint: %s\n' "$*" >&2; }

ruff() { .venv/bin/ruff "$@" --config harness/pyproject.toml harness implementations/reference conformance spec; }
ruff check --quiet
ruff format --quiet --check
(cd harness && ../.venv/bin/mypy --no-error-summary)
.venv/bin/buf lint proto
./dramaturg table --check >/dev/null || { say "tables are out of date: ./dramaturg table --update"; exit 1; }

# The languages' own tools are Debian's; each with the command that shows it is there.
packages=""
for pair in clang-format:clang-format clang-tidy:clang-tidy dialyzer:erlang-dialyzer \
    rebar3:rebar3 cmake:cmake mvn:maven; do
    command -v "${pair%%:*}" >/dev/null 2>&1 || packages="$packages ${pair#*:}"
done
if [ -n "$packages" ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
    say "installing$packages"
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install $packages \
        >/dev/null || say "could not install$packages"
fi

# lint_in FOLDER "TOOLS" COMMAND...
lint_in() {
    folder=implementations/$1 tools=$2
    shift 2
    for tool in $tools; do
        command -v "$tool" >/dev/null 2>&1 || {
            say "$folder: skipped: $tool is missing"
            return 0
        }
    done
    (cd "$folder" && "$@") || { say "$folder: failed: $*"; exit 1; }
}

lint_in erlang "rebar3 dialyzer" rebar3 as lint do xref, dialyzer
lint_in akka "mvn" mvn -B -q -Plint process-test-classes
lint_in caf "cmake clang-format clang-tidy" cmake/lint.sh
lint_in pony "make" make -s lint
