#!/bin/sh
# Unit tests: the arithmetic held against the specification's vectors, names, watches, and what
# becomes of actors on each mailbox. What they build goes below BUILD.
set -eu
export DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1
BUILD=${BUILD:-.build}/check
export BUILD
./build tests tests/Tests.fs
exec dotnet "$BUILD/tests.dll" ../../spec/vectors.json
