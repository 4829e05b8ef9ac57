#!/bin/sh
# Holds what is shared, and each library's part, to .clang-format and .clang-tidy.
set -eu
cd "$(dirname "$0")"
clang-format --style=file:.clang-format --dry-run -Werror src/*.[ch] src/*/*.[ch] tests/*.c \
    ../zeromq/src/*.[ch] ../nanomsg/src/*.[ch] ../nng/src/*.[ch]
# What is shared includes a library's header: that of the first will do.
tidy() { clang-tidy --quiet --config-file=.clang-tidy "$@" -- -std=c11 -D_GNU_SOURCE -DLIBRARY_VERSION='""' -I src -I "$folder"; }
folder=../zeromq/src
tidy src/*.c src/*/*.c ../zeromq/src/*.c
for library in nanomsg nng; do
    folder=../$library/src
    tidy ../$library/src/*.c
done
