#!/bin/sh
# Builds the unit tests, and runs them.
set -e
cd "$(dirname "$0")/.."
cmake --preset test >/dev/null
cmake --build --preset test >/dev/null
.build/test/vectors tests/vectors.json
.build/test/histogram
.build/test/log
.build/test/nodes
