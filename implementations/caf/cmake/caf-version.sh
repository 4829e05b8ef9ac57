# Prints the version of CAF that the build would find (see caf.cmake). Older
# headers compute its parts from one number, so they are expressions.
parts=$(
  printf '%s\n' '#include <caf/config.hpp>' \
    'parts= CAF_MAJOR_VERSION CAF_MINOR_VERSION CAF_PATCH_VERSION' |
    c++ -std=c++17 -E -P ${CAF_ROOT:+-I "$CAF_ROOT/include"} -x c++ - |
    sed -n 's/^parts= //p' | sed 's/ *\([/%]\) */\1/g'
)
[ -n "$parts" ] || exit 1
set -- $parts
echo "$(($1)).$(($2)).$(($3))"
