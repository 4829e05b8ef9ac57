#!/bin/sh
# Decides whether level 4 is run: it takes root and Mininet. On a runner of GitHub's, where
# nobody else works, Mininet is installed; anywhere else nothing is, and what is there counts.
# Without a network the level is left out, and the summary says why.
#
# Reads   INPUT_NETWORK        auto or none
# Outputs sudo                 true if the cases are to run as root by sudo
set -eu
# shellcheck source=action/common.sh
. "$(dirname "$0")/common.sh"

case ${INPUT_NETWORK:-auto} in
    auto) ;;
    none) output sudo false; exit 0 ;;
    *) fail "the input network is '$INPUT_NETWORK'; it is auto or none" ;;
esac

if [ "$(id -u)" -eq 0 ]; then
    output sudo false
    exit 0
fi
if [ "${RUNNER_ENVIRONMENT:-}" != github-hosted ] || [ "${RUNNER_OS:-}" != Linux ]; then
    echo "level 4: not as root, and this runner is not one of GitHub's with Linux"
    output sudo false
    exit 0
fi
if ! sudo -n true 2>/dev/null || ! command -v apt-get >/dev/null 2>&1; then
    echo "level 4: sudo or apt-get is missing"
    output sudo false
    exit 0
fi
packages="mininet bridge-utils net-tools iproute2 ethtool"
# shellcheck disable=SC2086
if sudo -n apt-get -qq update &&
    sudo -n env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq -y --no-install-recommends --no-upgrade install $packages >/dev/null; then
    output sudo true
else
    echo "level 4: Mininet could not be installed"
    output sudo false
fi
