#!/bin/sh
# All set-up: system packages where they can be installed, the virtual environment,
# the protocol's generated code, toolchains. Safe to run again; does only what is missing.
set -eu
cd "$(dirname "$0")/../.."

say() { printf 'setup: %s\n' "$*" >&2; }

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"
    elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then sudo -n "$@"
    else return 1
    fi
}

# venv for the system's Python, since that is the one which Debian's mininet is for.
packages="python3 python3-venv mininet bridge-utils net-tools iproute2 ethtool gcc libc6-dev make"
if command -v apt-get >/dev/null 2>&1; then
    missing=""
    for package in $packages; do
        dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
            missing="$missing $package"
    done
    if [ -n "$missing" ]; then
        say "installing$missing"
        # shellcheck disable=SC2086
        if ! { as_root apt-get -qq update &&
               as_root env DEBIAN_FRONTEND=noninteractive \
                   apt-get -qq -y --no-install-recommends --no-upgrade install $missing >/dev/null; }; then
            say "could not install$missing (no root?); going on without"
        fi
    fi
else
    say "no apt-get here; needed are: $packages"
fi

python=/usr/bin/python3
[ -x "$python" ] || python=$(command -v python3)
"$python" -I -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    say "$python is $("$python" --version); Python 3.11 or newer is needed"
    exit 2
}

lock=harness/requirements.lock
stamp=.venv/.installed
if [ ! -e "$stamp" ] || ! cmp -s "$lock" "$stamp"; then
    say "making the virtual environment"
    "$python" -I -m venv --clear --system-site-packages .venv
    .venv/bin/python -I -m pip -q --disable-pip-version-check install -r "$lock"
    cp "$lock" "$stamp"
fi

# The version and the commands of the package stand there.
project=harness/pyproject.toml
if ! cmp -s "$project" .venv/.project; then
    .venv/bin/python -I -m pip -q --disable-pip-version-check install --no-deps --no-build-isolation -e harness
    cp "$project" .venv/.project
fi

generated=harness/dramaturg/v2/control_pb2.py
if [ ! -e "$generated" ] || [ -n "$(find proto -name '*.proto' -newer "$generated")" ]; then
    .venv/bin/python -I harness/hatch_build.py
fi

# Machine code of the model; without a compiler the model runs as it is written.
.venv/bin/python -I -m dramaturg.compiled.machine_code ||
    say "the model could not be translated, as said above; it runs uncompiled"

# Only packages that our own manifests list, each shown before it is installed.
names=$(for manifest in implementations/*/dramaturg.toml; do basename "$(dirname "$manifest")"; done)
# shellcheck disable=SC2086
./dramaturg doctor --install --yes $names >/dev/null || say "some toolchains are missing; ./dramaturg doctor says which"
