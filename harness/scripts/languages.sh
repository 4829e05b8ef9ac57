#!/bin/sh
# languages.sh lint|test [NAME...]: the checks of these implementations, or of all, by their own
# tools. What is not there is installed where that can be done; what cannot be had, and what was not
# asked for, is named and skipped, never taken for passed.
set -eu
cd "$(dirname "$0")/../.."
wish=$1
shift
only=" $* "
DRAMATURG_PROTO=$PWD/proto
export DRAMATURG_PROTO

say() { printf '%s: %s\n' "$wish" "$*" >&2; }

# Debian's packages, each with the command that shows that it is there.
packages=""
for pair in clang-format:clang-format clang-tidy:clang-tidy dialyzer:erlang-dialyzer \
    rebar3:rebar3 mix:elixir cmake:cmake mvn:maven cargo:cargo rustfmt:rustfmt cargo-clippy:rust-clippy; do
    command -v "${pair%%:*}" >/dev/null 2>&1 || packages="$packages ${pair#*:}"
done
if [ -n "$packages" ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
    say "installing$packages"
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends --no-upgrade install $packages \
        >/dev/null || say "could not install$packages"
fi

# asked NAME...: whether one of these is to be checked.
asked() {
    [ "$only" != "  " ] || return 0
    for name in "$@"; do
        case "$only" in *" $name "*) return 0 ;; esac
    done
    case "${left:-} " in *" $1 "*) ;; *) left="${left:-} $1" ;; esac
    return 1
}

# in_folder NAME "TOOLS" COMMAND...
in_folder() {
    case $1 in sockets) ;; *) asked "$1" || return 0 ;; esac
    folder=implementations/$1 tools=$2
    shift 2
    for tool in $tools; do
        command -v "$tool" >/dev/null 2>&1 || {
            say "$folder: skipped: $tool is missing"
            return 0
        }
    done
    begun=$(date +%s)
    (cd "$folder" && "$@") || {
        say "$folder: failed: $*"
        exit 1
    }
    say "$folder: $(($(date +%s) - begun)) s"
}

# in_go COMMAND...: where the modules of go.sum are here, or can be had; and in what
# `dramaturg new` makes, which has a table of benchmarks of its own.
in_go() {
    asked go || return 0
    if command -v go >/dev/null 2>&1 &&
        ! (cd implementations/go && go list -deps -test ./... >/dev/null 2>&1); then
        say "implementations/go: skipped: modules of its go.sum are neither here nor to be had"
        return 0
    fi
    in_folder go "go" "$@"
    from_template go "go" "$@"
}

# in_protoactor COMMAND...: the same, with the modules of its own go.sum.
in_protoactor() {
    asked protoactor || return 0
    if command -v go >/dev/null 2>&1 &&
        ! (cd implementations/protoactor && ./with go list -deps -test ./... >/dev/null 2>&1); then
        say "implementations/protoactor: skipped: modules of its go.sum are neither here nor to be had"
        return 0
    fi
    in_folder protoactor "go" "$@"
}

# in_sockets "TOOLS" COMMAND...: what is shared by C's messaging libraries, where all are here.
in_sockets() {
    asked sockets zeromq nanomsg nng || return 0
    for header in jansson zmq nanomsg/nn nng/nng; do
        echo "#include <$header.h>" | cc -E - >/dev/null 2>&1 || {
            say "implementations/sockets: skipped: $header.h is missing"
            return 0
        }
    done
    in_folder sockets "$@"
}

# in_crate NAME "TOOLS" COMMAND...: the same, where cargo has or can get what Cargo.lock names.
in_crate() {
    asked "$1" || return 0
    if command -v cargo >/dev/null 2>&1 &&
        ! (cd "implementations/$1" && cargo fetch --locked --quiet) 2>/dev/null; then
        say "implementations/$1: skipped: cargo cannot fetch what Cargo.lock names"
        return 0
    fi
    in_folder "$@"
}

# in_actr COMMAND...: where its sources are, which come from no registry.
in_actr() {
    asked actr || return 0
    if [ -z "${ACTR_ROOT:-}" ]; then
        say "implementations/actr: skipped: ACTR_ROOT is not set, see its README.md"
        return 0
    fi
    in_folder actr "mvn javac" "$@"
}

# from_template LANGUAGE "TOOLS" COMMAND...: in what `dramaturg new` makes. For languages that
# have no implementation here, or whose template has sources of its own.
from_template() {
    language=$1 tools=$2
    shift 2
    for tool in $tools; do
        command -v "$tool" >/dev/null 2>&1 || {
            say "template $language: skipped: $tool is missing"
            return 0
        }
    done
    made=$(mktemp -d)
    launcher=$PWD/dramaturg
    (cd "$made" && "$launcher" new made --language "$language" >/dev/null && cd made && "$@") || {
        rm -rf "$made"
        say "template $language: failed: $*"
        exit 1
    }
    rm -rf "$made"
}

case $wish in
    lint)
        in_folder erlang "rebar3 dialyzer" rebar3 as lint 'do' xref, dialyzer
        in_folder elixir "mix erl" mix format --check-formatted
        in_folder akka "mvn" mvn -B -q -Plint process-test-classes
        in_folder pekko "mvn" mvn -B -q -Plint validate
        in_folder caf "cmake clang-format clang-tidy" cmake/lint.sh
        in_folder pony "make" make -s lint
        in_go ./lint.sh
        in_protoactor ./lint.sh
        in_sockets "clang-format clang-tidy" ./lint.sh
        in_crate rust "cargo rustfmt cargo-clippy" ./lint.sh
        in_crate ractor "cargo rustfmt cargo-clippy" ./lint.sh
        in_folder fsharp "dotnet" ./lint.sh
        in_actr ./lint.sh
        if asked akka; then from_template java "mvn" mvn -B -q -Plint test-compile; fi
        ;;
    test)
        in_folder erlang "rebar3" rebar3 eunit
        in_folder elixir "mix erl" mix test
        in_folder akka "mvn" mvn -B -q test
        in_folder pekko "mvn" mvn -B -q test
        in_folder caf "cmake" cmake/test.sh
        in_folder pony "make ponyc" make -s test
        in_go go test ./...
        in_protoactor ./test.sh
        in_sockets "cc" ./test.sh
        in_crate rust "cargo" ./test.sh
        in_crate ractor "cargo" ./test.sh
        in_folder fsharp "dotnet" ./test.sh
        in_actr ./test.sh
        in_folder asyncio ".venv/bin/python" ../../.venv/bin/python -m pytest -q -p no:cacheprovider
        if asked akka; then from_template java "mvn" mvn -B -q test; fi
        ;;
    *)
        say "usage: languages.sh lint|test [NAME...]"
        exit 2
        ;;
esac
[ -z "${left:-}" ] || say "not run (WHOLE=1 runs all):$left"
