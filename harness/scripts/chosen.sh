#!/bin/sh
# chosen.sh whole|part|rest: the implementations that `make test` holds to all levels, those that it
# holds to levels 0 to 2, and those that it leaves out. The commit chooses, so that each has its
# turn; no implementation is left out that was changed lately, in its sources, those that it takes
# from others, or the protocol. Outside of a repository, and with WHOLE, all have all levels.
set -eu
cd "$(dirname "$0")/../.."

# At all levels, and at levels 0 to 2 beside these and what was changed.
AT_ALL=2 AT_FIRST=3
# Changes in the work tree and in so many commits count as late ones.
LATELY=20

commit=$(git rev-parse --verify --quiet HEAD 2>/dev/null || true)

changed=$(
    {
        git diff --name-only HEAD 2>/dev/null
        git ls-files --others --exclude-standard 2>/dev/null
        git log --max-count="$LATELY" --first-parent -m --name-only --format= 2>/dev/null
    } | sed -n -e 's,^implementations/\([^/]*\)/.*,\1,p' -e 's,^proto/.*,proto,p' | sort -u
)

# was_changed NAME: in a folder that its manifest names, its own among them, or in the protocol.
was_changed() {
    for folder in $changed; do
        [ "$folder" != "$1" ] && [ "$folder" != proto ] || return 0
        grep -q "^\(beside = { \)\?$folder = \[" "implementations/$1/dramaturg.toml" && return 0
    done
    return 1
}

# All names, in an order that depends on the commit.
shuffled() {
    for manifest in implementations/*/dramaturg.toml; do
        name=$(basename "$(dirname "$manifest")")
        printf '%s %s\n' "$(printf '%s %s' "$name" "$commit" | sha256sum)" "$name"
    done | sort | sed 's/.* //'
}

place=0
for name in $(shuffled); do
    place=$((place + 1)) group=rest
    [ "$place" -gt $((AT_ALL + AT_FIRST)) ] || group=part
    ! was_changed "$name" || group=part
    [ "$place" -gt "$AT_ALL" ] || group=whole
    [ -z "${WHOLE:-}" ] && [ -n "$commit" ] || group=whole
    [ "$group" != "$1" ] || echo "$name"
done
