# Prints the version of CAF that the build would find (see caf.cmake). Older
# headers compute its parts from one number, so they are expressions.
case $PRESET in
v0-18*)
  if [ -z "$CAF_0_18_ROOT" ]; then
    echo "build CAF 0.18 from https://github.com/actor-framework/actor-framework" \
      "and set CAF_0_18_ROOT to where it is installed" >&2
    exit 1
  fi
  CAF_ROOT=$CAF_0_18_ROOT
  ;;
esac
parts=$(
  printf '%s\n' '#include <caf/config.hpp>' \
    'parts= CAF_MAJOR_VERSION CAF_MINOR_VERSION CAF_PATCH_VERSION' |
    c++ -std=c++17 -E -P ${CAF_ROOT:+-I "$CAF_ROOT/include"} -x c++ - |
    sed -n 's/^parts= //p' | sed 's/ *\([/%]\) */\1/g'
)
[ -n "$parts" ] || exit 1
set -- $parts
version=$(($1)).$(($2)).$(($3))
case $PRESET-$version in
v0-18*-0.18.*) ;;
v0-18*)
  echo "CAF_0_18_ROOT has CAF $version, and this variant is of 0.18" >&2
  exit 1
  ;;
esac
echo "$version"
