# Finds MLIR 22 and builds the one precompiled header of all compiler code.
find_package(MLIR REQUIRED CONFIG)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "Ferrule needs LLVM and MLIR 22; ${MLIR_DIR} holds "
    "version ${LLVM_PACKAGE_VERSION}. Set MLIR_DIR to "
    "/usr/lib/llvm-22/lib/cmake/mlir or run utils/setup.sh.")
endif()
set(LLVM_LINK_LLVM_DYLIB ON)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
find_program(MLIR_TABLEGEN mlir-tblgen
  HINTS ${LLVM_TOOLS_BINARY_DIR} NO_DEFAULT_PATH REQUIRED)

separate_arguments(definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
set(FERRULE_COMPILER_FLAGS ${definitions} -fno-exceptions -fno-rtti -Wno-deprecated-declarations)
# The system's headers never change under a build, and -isystem keeps their
# warnings out of ours.
set(FERRULE_COMPILER_INCLUDES -isystem ${MLIR_INCLUDE_DIRS})
list(GET MLIR_INCLUDE_DIRS 0 FERRULE_MLIR_INCLUDE)

set(pch_dir ${CMAKE_BINARY_DIR}/pch)
set(pch_source ${CMAKE_SOURCE_DIR}/compiler/Support/Precompiled.h)
set(FERRULE_PCH ${pch_dir}/Precompiled.h.pch)
separate_arguments(release NATIVE_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${CMAKE_BUILD_TYPE}} ${CMAKE_CXX_FLAGS_RELEASE}")
get_directory_property(options COMPILE_OPTIONS)
set(pch_flags ${release} -std=c++20 -fPIC -fvisibility=hidden
  -fvisibility-inlines-hidden ${options} ${FERRULE_COMPILER_FLAGS}
  -isystem ${FERRULE_MLIR_INCLUDE})
file(MAKE_DIRECTORY ${pch_dir})
add_custom_command(
  OUTPUT ${FERRULE_PCH} ${FERRULE_PCH}.sum
  COMMAND ${CMAKE_CXX_COMPILER} ${pch_flags} -x c++-header ${pch_source}
    -Xclang -fno-pch-timestamp -o ${FERRULE_PCH}
  COMMAND ${CMAKE_CXX_COMPILER} ${pch_flags} -x c++-header ${pch_source} -E -P
    -o ${pch_dir}/Precompiled.ii
  COMMAND ${CMAKE_COMMAND} -E sha256sum Precompiled.ii > ${FERRULE_PCH}.sum
  WORKING_DIRECTORY ${pch_dir}
  DEPENDS ${pch_source}
  COMMENT "Precompiling the MLIR headers")
add_custom_target(ferrule-pch DEPENDS ${FERRULE_PCH} ${FERRULE_PCH}.sum)
