#!/bin/sh
# Formatter and linter. What they build goes below BUILD.
set -eu
cargo fmt --check
exec cargo clippy --quiet --locked --all-targets --target-dir "${BUILD:-.build}/check" \
    -- --deny warnings
