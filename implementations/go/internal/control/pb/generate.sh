#!/bin/sh
# Makes the Go files of this folder from the protocol's files. Needs protoc.
set -eu
: "${DRAMATURG_PROTO:?is not set: dramaturg proto prints the folder}"
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
GOBIN=$tools go install google.golang.org/protobuf/cmd/protoc-gen-go@v1.33.0
GOBIN=$tools go install google.golang.org/grpc/cmd/protoc-gen-go-grpc@v1.4.0
files="options trace benchmarks control"
set -- --plugin="$tools/protoc-gen-go" --plugin="$tools/protoc-gen-go-grpc" \
    --go_out=. --go-grpc_out=. -I "$DRAMATURG_PROTO"
for file in $files; do
    mapping="Mdramaturg/v2/$file.proto=dramaturg/internal/control/pb"
    set -- "$@" "--go_opt=$mapping" "--go-grpc_opt=$mapping"
done
for file in $files; do
    set -- "$@" "dramaturg/v2/$file.proto"
done
protoc "$@" --go_opt=module=dramaturg/internal/control/pb --go-grpc_opt=module=dramaturg/internal/control/pb
