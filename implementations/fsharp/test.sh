#!/bin/sh
# Unit tests: the arithmetic held against the specification's vectors, names, watches, what becomes
# of actors on each mailbox, the clock, the small run of the open load, and the control port. What
# they build goes below BUILD.
set -eu
export DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1
BUILD=${BUILD:-.build}/check
export BUILD
./build tests tests/Tests.fs
exec dotnet "$BUILD/tests.dll" ../../spec/vectors.json
