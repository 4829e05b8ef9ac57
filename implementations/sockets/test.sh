#!/bin/sh
# test.sh [FILE]: the unit tests; FILE has the vectors, spec/vectors.json unless it is named.
set -eu
cd "$(dirname "$0")"
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
# library.h is any library's; nothing of it is used.
printf 'struct parcel { void *frame; };\n' >"$made/library.h"
# make_test NAME SOURCES...
make_test() {
    name=$1
    shift
    # shellcheck disable=SC2046
    "${CC:-cc}" -std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Wpedantic -Werror -I src -I "$made" \
        "tests/$name.c" src/control/report.c src/addresses.c src/actor.c src/control/log.c "$@" \
        -o "$made/$name" $(pkg-config --cflags --libs jansson) -pthread
}
make_test actors
make_test addresses
make_test vectors src/control/describe.c src/benchmarks/fibonacci.c src/benchmarks/payload.c
"$made/actors"
"$made/addresses"
"$made/vectors" "${1:-../../spec/vectors.json}"
