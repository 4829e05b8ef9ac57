#!/bin/sh
# Unit tests, and the small runs of the chapters. What they build goes below BUILD.
exec cargo test --quiet --locked --target-dir "${BUILD:-.build}/check"
