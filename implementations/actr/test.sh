#!/bin/sh
# The unit tests. DRAMATURG_PROTO says where the protocol is.
set -eu
cd "$(dirname "$0")"
./actr.sh
exec mvn -B -q test
