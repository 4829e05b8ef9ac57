#!/bin/sh
# Certify the implementations given at LEVELS, time a first suite of those that are certified,
# write the report. Goes on where a toolchain is missing, and says so.
set -eu
cd "$(dirname "$0")/../.."

folder=results/$(date +%Y%m%d-%H%M%S)
mkdir -p "$folder"
ln -sfn "$(basename "$folder")" results/latest

set -f
levels=""
for level in ${LEVELS:-0 1 2 3}; do levels="$levels --level $level"; done
left=""
for level in 0 1 2 3 4; do
    case "$levels " in *" --level $level "*) ;; *) left="$left --level $level" ;; esac
done

status=0
# shellcheck disable=SC2086
./dramaturg certify "$@" $levels --output "$folder" || status=$?
case "$status" in
    0 | 6) ;;
    2 | 130) exit "$status" ;;
    *) echo "run: not everything is certified; only what is will be timed" >&2 ;;
esac

# Those that are there to be read are timed only if there is nobody else.
fast=""
for name in "$@"; do
    case "$name" in reference | asyncio) ;; *) fast="$fast $name" ;; esac
done
each=""
for name in ${fast:-$*}; do each="$each -i $name"; done

timed=0
# shellcheck disable=SC2086
./dramaturg bench first $each --output "$folder" || timed=$?
[ "$timed" -ne 130 ] || exit 130

echo
echo "report   $folder/report.html"
echo "summary  $folder/summary.json"
[ -z "$left" ] || echo "not run  ./dramaturg certify $*$left"
[ "$status" -eq 0 ] || [ "$status" -eq 6 ] || exit "$status"
case "$timed" in 0 | 5 | 6) exit 0 ;; *) exit "$timed" ;; esac
