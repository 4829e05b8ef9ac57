#!/bin/sh
# Checks what runs elsewhere: the action, workflows, shell scripts and the container's recipe.
# Takes the folder to look at; default: this repository.
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
cd "${1:-$here}"
bin=$here/.venv/bin

"$bin/zizmor" --quiet --offline --no-progress --persona pedantic --format plain action.yml .github
"$bin/hadolint" --config "$here/.hadolint.yaml" Containerfile
"$bin/shellcheck" -x action/*.sh harness/scripts/*.sh
if command -v actionlint >/dev/null 2>&1; then
    # 1.7.12 does not know job.workflow_repository and job.workflow_sha yet.
    actionlint -shellcheck "$bin/shellcheck" \
        -ignore 'property "workflow_(repository|sha)" is not defined' .github/workflows/*.yml
else
    echo "lint-ci: actionlint is not here, and no package of pip's installs it: not run" >&2
fi
