# The target `caf`: the one in CAF_ROOT, if the environment names one, or else
# the system's. CAF 0.17 brings no package file of its own, so headers and
# libraries are looked for. Nothing is taken from the cache, since CAF_ROOT may
# be another one than at the last configuration.
set(caf_hints)
set(caf_search)
if(DEFINED ENV{CAF_ROOT} AND NOT "$ENV{CAF_ROOT}" STREQUAL "")
  set(caf_hints "$ENV{CAF_ROOT}")
  set(caf_search NO_DEFAULT_PATH)
endif()

foreach(variable CAF_INCLUDE_DIR CAF_CORE_LIBRARY CAF_IO_LIBRARY)
  unset(${variable} CACHE)
endforeach()
find_path(CAF_INCLUDE_DIR caf/all.hpp HINTS ${caf_hints} PATH_SUFFIXES include REQUIRED
          ${caf_search})
find_library(CAF_CORE_LIBRARY caf_core HINTS ${caf_hints} PATH_SUFFIXES lib lib64 REQUIRED
             ${caf_search})
find_library(CAF_IO_LIBRARY caf_io HINTS ${caf_hints} PATH_SUFFIXES lib lib64 REQUIRED
             ${caf_search})
message(STATUS "CAF: ${CAF_CORE_LIBRARY}")

add_library(caf INTERFACE)
target_include_directories(caf SYSTEM INTERFACE "${CAF_INCLUDE_DIR}")
target_link_libraries(caf INTERFACE "${CAF_IO_LIBRARY}" "${CAF_CORE_LIBRARY}")
