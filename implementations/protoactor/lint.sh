#!/bin/sh
# Form and doubtful constructs, by Go's own tools.
set -eu
cd "$(dirname "$0")"
formed=$(gofmt -l main.go actors benchmarks control nodes)
[ -z "$formed" ] || { echo "not formatted by gofmt: $formed" >&2; exit 1; }
exec ./with go vet ./...
