# Flags that every target shares, and the compiler cache.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
# Compile time counts for more than the speed of the compiler's own passes;
# the runtime raises this to -O2 for itself.
set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
add_compile_options(-Wall -Wextra -Wno-unused-parameter -fno-semantic-interposition)
add_link_options(-fuse-ld=lld)
include_directories(${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})

if(FERRULE_SANITIZE)
  add_compile_options(-fsanitize=${FERRULE_SANITIZE} -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${FERRULE_SANITIZE})
endif()

# ccache must hit from another folder, so paths are made relative and the
# precompiled header is identified by the hash of its path-free text.
find_program(FERRULE_CCACHE ccache)
if(FERRULE_CCACHE)
  set(launcher ${CMAKE_COMMAND} -E env
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_PCH_EXTSUM=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${FERRULE_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()
