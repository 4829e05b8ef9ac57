#!/bin/sh
# What an older package made, read by a newer one: upgrade.sh OLD NEW FOLDER.
#
# OLD and NEW are two programs `dramaturg`. In FOLDER, which must be new, OLD makes a repository,
# certifies it, and times it twice beside itself. NEW reads each. Prints a line for each reading, with
# its exit code, and ends with 1 where one of them is not in the table of docs/releasing.md.
set -eu
old=$1 new=$2 folder=$3
mkdir "$folder"
cd "$folder"
odd=0

# made WHAT COMMAND...: by the old package.
made() {
    what=$1
    shift
    "$@" >"$what.made" 2>&1 || { echo "upgrade: the old package made no $what:" && tail -n 5 "$what.made"; exit 1; }
}

# reads WHAT EXIT-CODES WORDS COMMAND...: by the new one. It may end with one of these codes, and says WORDS.
reads() {
    what=$1 codes=$2 words=$3
    shift 3
    status=0
    "$new" "$@" >"$what.read" 2>&1 || status=$?
    said=$(grep -m 1 -E "$words" "$what.read" || :)
    case " $codes " in
        *" $status "*) ;;
        *) odd=1; said="UNEXPECTED: $(tail -n 1 "$what.read")" ;;
    esac
    [ -n "$said" ] || { odd=1; said="UNEXPECTED: it did not say /$words/: $(tail -n 1 "$what.read")"; }
    if grep -q '^Traceback' "$what.read"; then odd=1; said="UNEXPECTED: a traceback"; fi
    echo "upgrade: $what: exit code $status: $said"
}

made repository "$old" new mine --language python
git -C mine init -q
git -C mine add -A
git -C mine -c user.name=a -c user.email=a@example.org commit -qm "As it was made"
made results "$old" certify mine --output results
# A package before 0.2.0 has another name for it.
baseline=--baseline
"$old" bench --help | grep -q -- "$baseline" || baseline=--against
for session in one two; do
    made "history-$session" "$old" bench pingpong --scale tiny -i mine "$baseline" mine@HEAD --invocations 2 \
        --iterations 2 --output "history/$session"
done

reads repository "0 1" . update mine
reads build 0 . doctor mine
reads results "0 2" . report results
reads certificate "0 1 2 7 9" . verify results/certificate.json --no-run
reads certificate-again "0 1 2 9" . verify results/certificate.json -i mine
reads history "0 2" . history history
exit "$odd"
