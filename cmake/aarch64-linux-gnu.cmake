# Builds the runtime for 64-bit Arm on another machine:
#   cmake --preset aarch64 && cmake --build build-aarch64
# with the Debian packages libc6-dev-arm64-cross and libstdc++-12-dev-arm64-cross.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
foreach(language C CXX)
  set(CMAKE_${language}_COMPILER_TARGET aarch64-linux-gnu)
endforeach()
# Also for the compiler's first test; the system's linker knows no Arm.
set(CMAKE_EXE_LINKER_FLAGS_INIT -fuse-ld=lld)
set(CMAKE_SHARED_LINKER_FLAGS_INIT -fuse-ld=lld)
set(CMAKE_C_COMPILER clang-22)
set(CMAKE_CXX_COMPILER clang++-22)
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
# Tests and tools run under emulation.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static;-L;/usr/aarch64-linux-gnu)
# Libraries that are headers alone are the build machine's, without the rest of
# its headers.
set(ferrule_headers ${CMAKE_BINARY_DIR}/headers)
foreach(library flatbuffers CLI)
  if(NOT EXISTS ${ferrule_headers}/${library} AND EXISTS /usr/include/${library})
    file(MAKE_DIRECTORY ${ferrule_headers})
    file(CREATE_LINK /usr/include/${library} ${ferrule_headers}/${library}
      SYMBOLIC)
  endif()
endforeach()
include_directories(SYSTEM ${ferrule_headers})
