#!/bin/sh
# The unit tests: those of the runtime are this folder's, and all others are Go's.
set -eu
cd "$(dirname "$0")"
exec ./with go test "$@" ./...
