#!/bin/sh
# Unit tests: the arithmetic held against the specification's vectors, names, watches, what becomes
# of actors on each mailbox, the clock, and the small run of the open load. What they build goes
# below BUILD.
set -eu
export DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1
BUILD=${BUILD:-.build}/check
export BUILD
./build tests tests/Tests.fs
exec dotnet "$BUILD/tests.dll" ../../spec/vectors.json
