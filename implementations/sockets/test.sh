#!/bin/sh
# The unit tests.
set -eu
cd "$(dirname "$0")"
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
# library.h is any library's; nothing of it is used.
printf 'struct parcel { void *frame; };\n' >"$made/library.h"
# shellcheck disable=SC2046
"${CC:-cc}" -std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Wpedantic -Werror -I src -I "$made" \
    tests/vectors.c src/control/describe.c src/control/report.c src/addresses.c src/actor.c \
    src/control/log.c src/benchmarks/fibonacci.c -o "$made/vectors" \
    $(pkg-config --cflags --libs jansson) -pthread
"$made/vectors" "${1:-../../spec/vectors.json}"
