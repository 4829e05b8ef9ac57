#!/bin/sh
# Style, and what javac warns of. DRAMATURG_PROTO says where the protocol is.
set -eu
cd "$(dirname "$0")"
./actr.sh
exec mvn -B -q -Plint test-compile
