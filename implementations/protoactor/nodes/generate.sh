#!/bin/sh
# Makes wire.pb.go from wire.proto. Needs protoc.
set -eu
cd "$(dirname "$0")"
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
GOBIN=$tools go install google.golang.org/protobuf/cmd/protoc-gen-go@v1.33.0
protoc --plugin="$tools/protoc-gen-go" --go_out=. --go_opt=module=dramaturg/internal/nodes wire.proto
