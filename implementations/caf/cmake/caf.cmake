# The target `caf`: the one in CAF_ROOT (which the preset takes from the
# environment), or else the system's. CAF 0.17 brings no package file of its own,
# so headers and libraries are looked for, anew at each configuration, since
# CAF_ROOT may have changed.
set(CAF_ROOT "" CACHE PATH "Where CAF is installed; empty for the system's")
set(search)
if(CAF_ROOT)
  set(search HINTS "${CAF_ROOT}" NO_DEFAULT_PATH)
endif()

foreach(variable CAF_INCLUDE_DIR CAF_CORE_LIBRARY CAF_IO_LIBRARY)
  unset(${variable} CACHE)
endforeach()
find_path(CAF_INCLUDE_DIR caf/all.hpp PATH_SUFFIXES include ${search} REQUIRED)
find_library(CAF_CORE_LIBRARY caf_core PATH_SUFFIXES lib lib64 ${search} REQUIRED)
find_library(CAF_IO_LIBRARY caf_io PATH_SUFFIXES lib lib64 ${search} REQUIRED)
message(STATUS "CAF: ${CAF_CORE_LIBRARY}")

add_library(caf INTERFACE)
target_include_directories(caf SYSTEM INTERFACE "${CAF_INCLUDE_DIR}")
target_link_libraries(caf INTERFACE "${CAF_IO_LIBRARY}" "${CAF_CORE_LIBRARY}")
