# shellcheck shell=sh
# What the steps share. Sourced, never run.

# Whatever others say is text: a line of theirs that looks like a command of the runner's is none
# between these two. What is not theirs goes without: all of it through one pipe, since the runner
# reads two in any order.
token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
quiet() { printf '::stop-commands::%s\n' "$token"; }
heard() { printf '\n::%s::\n' "$token"; }

# A text in the log. The runner takes a line for a command that begins with two colons, after a line
# feed or a carriage return, and one with ##[ anywhere.
shown() {
    tr '\r' ' ' | sed -e 's/##\[/## [/g' -e '2,$s/^/  | /'
}

# A line for the log, and an error that GitHub shows at the top of the job.
fail() {
    printf 'dramaturg: %s\n' "$(printf '%s' "$1" | shown)" >&2
    printf '::error title=Dramaturg::%s\n' "$(printf '%s' "$1" | escaped)"
    exit 2
}

# What a workflow command takes as data: without it a text could begin a command of its own.
escaped() {
    sed -e 's/%/%25/g' -e "s/$(printf '\r')/%0D/g" | awk 'NR > 1 { printf "%%0A" } { printf "%s", $0 }'
}

# Sets an output of the step. Values are of one line: what could end one is refused.
output() {
    case $2 in
        *"
"* | *"$(printf '\r')"*) fail "the output $1 has more than one line" ;;
    esac
    printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"
}

# Whether a switch is on; anything but true and false is an error.
is_on() {
    case $2 in
        true) return 0 ;;
        false | '') return 1 ;;
        *) fail "the input $1 is '$2'; it is true or false" ;;
    esac
}
