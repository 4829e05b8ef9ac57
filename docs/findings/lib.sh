# Read by each program's `run`: looks for toolchains, and gives it a folder to build in.
# shellcheck shell=sh
set -eu

# need COMMAND...: ends with 3 where a command is missing, and says which.
need() {
  for command in "$@"; do
    command -v "$command" >/dev/null 2>&1 || missing "$command is not here"
  done
}

# missing WHY: nothing was shown, since what the program needs is not here.
missing() {
  echo "toolchain missing: $*" >&2
  exit 3
}

# Names the published program's or library's checkout in variable $1, which has file $2.
checkout() {
  eval "place=\${$1:-}"
  [ -n "$place" ] || missing "$1 is not set: git clone $3 DIR && git -C DIR checkout $4 && export $1=DIR"
  [ -e "$place/$2" ] || missing "$1 names $place, which has no $2"
}

# Prints the class path of Akka 2.6.21; Maven fetches it from its registry the first time.
akka() {
  mvn -q -B -f ../akka.pom.xml dependency:build-classpath \
    -Dmdep.outputFile="$build/classpath" >"$build/maven.log" 2>&1 ||
    missing "Maven did not get Akka 2.6.21: $(grep -m 1 ERROR "$build/maven.log")"
  cat "$build/classpath"
}

build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
trap 'exit 130' INT TERM
