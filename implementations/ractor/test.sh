#!/bin/sh
# Unit tests, and the small runs of the chapters, of one node alone and of several. What they build
# goes below BUILD.
set -eu
for features in "" cluster; do
    cargo test --quiet --locked --features "$features" --target-dir "${BUILD:-.build}/check"
done
