#!/bin/sh
# The compiler's warnings are errors (build), those that are off by default as well. Layout is
# Fantomas's, where it is there: it is a tool of NuGet's, which no build here needs.
set -eu
BUILD=${BUILD:-.build}/lint
export BUILD
STRICT="--warnon:1182 --warnon:3180" ./build
if command -v fantomas >/dev/null 2>&1; then
    fantomas --check --recurse src tests
else
    echo "lint.sh: layout not looked at: there is no fantomas" >&2
fi
