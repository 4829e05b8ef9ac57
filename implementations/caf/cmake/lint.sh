#!/bin/sh
# Holds the sources to .clang-format and .clang-tidy.
set -e
cd "$(dirname "$0")/.."
clang-format --dry-run -Werror src/*.[ch]pp src/*/*.[ch]pp tests/*.cpp
cmake --preset lint >/dev/null
cmake --build --preset lint >/dev/null
# What is to be compiled are the protocol's files and one of all that is ours.
clang-tidy --quiet -p .build/lint .build/lint/CMakeFiles/dramaturg-caf.dir/Unity/*.cxx
