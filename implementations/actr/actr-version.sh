# Prints the version of actr's sources below ACTR_ROOT, if they are those that this program is for.
commit=384a18ebc4a9f19438eb00c27e3f71586442c070
clone="git clone https://github.com/zakgof/actr DIR && git -C DIR checkout $commit && export ACTR_ROOT=DIR"
if [ -z "$ACTR_ROOT" ]; then
  echo "ACTR_ROOT is not set: $clone" >&2
  exit 1
fi
if [ ! -d "$ACTR_ROOT/src/main/java/com/zakgof/actr" ]; then
  echo "ACTR_ROOT, $ACTR_ROOT, has no sources of actr: $clone" >&2
  exit 1
fi
here() { git -C "$ACTR_ROOT" "$@"; }
# What git does not know would be compiled as well.
if [ "$(here rev-parse HEAD 2>&1)" != "$commit" ] ||
  [ -n "$(here status --porcelain --ignored -- src/main 2>&1)" ]; then
  echo "ACTR_ROOT, $ACTR_ROOT, is not that commit, unchanged: $clone" >&2
  exit 1
fi
sed -n "s/^version = '\([0-9.]*\).*/\1/p" "$ACTR_ROOT/build.gradle"
