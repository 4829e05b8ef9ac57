#!/bin/sh
# Compiles actr's sources, below ACTR_ROOT, to actr.jar in the build folder.
set -eu
sh actr-version.sh >/dev/null
build=${BUILD:-.build}
classes=$build/actr
mkdir -p "$classes"
find "$ACTR_ROOT/src/main/java" -name '*.java' | LC_ALL=C sort >"$classes.list"
javac --release 17 -encoding UTF-8 -nowarn -Xlint:none -d "$classes" "@$classes.list"
# The same inputs give the same jar.
jar --create --file "$build/actr.jar" --date 2024-01-01T00:00:00Z -C "$classes" com
