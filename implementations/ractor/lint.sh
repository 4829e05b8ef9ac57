#!/bin/sh
# Formatter and linter. What they build goes below BUILD.
set -eu
cargo fmt --check
for features in "" cluster; do
    cargo clippy --quiet --locked --all-targets --features "$features" \
        --target-dir "${BUILD:-.build}/check" -- --deny warnings
done
