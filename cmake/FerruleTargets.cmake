# Functions that turn a folder into a part of the build. Adding a folder (with
# its CMakeLists.txt of one or two lines) is the whole change.

# Includes every folder below the current one that has a CMakeLists.txt.
function(ferrule_add_folders)
  file(GLOB lists CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*/CMakeLists.txt)
  foreach(list ${lists})
    get_filename_component(folder ${list} DIRECTORY)
    add_subdirectory(${folder})
  endforeach()
endfunction()

# Runs mlir-tblgen on a .td of this folder: ferrule_tablegen(Ops.td Ops.h.inc
# -gen-op-decls). The output lies at the same path in the build folder.
function(ferrule_tablegen source output)
  set(td ${CMAKE_CURRENT_SOURCE_DIR}/${source})
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${output})
  file(RELATIVE_PATH rel ${CMAKE_BINARY_DIR} ${out})
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${MLIR_TABLEGEN} ${ARGN} ${td} -I ${CMAKE_SOURCE_DIR}
      -I ${CMAKE_CURRENT_SOURCE_DIR} -I ${FERRULE_MLIR_INCLUDE}
      --write-if-changed -o ${output} -d ${output}.d
    WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}
    DEPENDS ${td} DEPFILE ${out}.d
    COMMENT "Generating ${rel}")
  set_property(GLOBAL APPEND PROPERTY FERRULE_GENERATED ${out})
  # Build rules live in the folder's scope; one target makes them reachable.
  string(MAKE_C_IDENTIFIER "tablegen-${rel}" target)
  add_custom_target(${target} DEPENDS ${out})
  set_property(GLOBAL APPEND PROPERTY FERRULE_TABLEGEN_TARGETS ${target})
endfunction()

# Compiles this folder's sources into the compiler library. All compiler code
# is one library: its parts are told apart by folders and by
# utils/check_tree.py, not by link lines.
function(ferrule_compiler_sources name)
  set(sources ${ARGN})
  if(NOT sources)
    file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  endif()
  add_library(${name} OBJECT ${sources})
  target_compile_options(${name} PRIVATE ${FERRULE_COMPILER_FLAGS}
    -isystem ${FERRULE_MLIR_INCLUDE}
    "SHELL:-include-pch ${FERRULE_PCH}")
  # Plug-ins use what the compiler's shared library exports: all of it.
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON
    CXX_VISIBILITY_PRESET default)
  set_property(SOURCE ${sources} APPEND PROPERTY OBJECT_DEPENDS ${FERRULE_PCH})
  set_property(GLOBAL APPEND PROPERTY FERRULE_COMPILER_PARTS ${name})
endfunction()

# A dialect: the given .td makes declarations and definitions of the dialect,
# its ops, types, attributes and enums. The folder's <Name>.h includes them all
# and declares ferrule::register<Name>Dialect(mlir::DialectRegistry &).
#   ferrule_dialect(StableHLO DIALECT stablehlo TD StableHLOOps.td [ENUMS] [ATTRS] [TYPES] [INTERFACES])
function(ferrule_dialect name)
  cmake_parse_arguments(arg "ENUMS;ATTRS;TYPES;INTERFACES" "DIALECT;TD" "" ${ARGN})
  set(stem ${name}Ops)
  ferrule_tablegen(${arg_TD} ${stem}.h.inc -gen-op-decls)
  ferrule_tablegen(${arg_TD} ${stem}.cpp.inc -gen-op-defs)
  ferrule_tablegen(${arg_TD} ${name}Dialect.h.inc -gen-dialect-decls -dialect=${arg_DIALECT})
  ferrule_tablegen(${arg_TD} ${name}Dialect.cpp.inc -gen-dialect-defs -dialect=${arg_DIALECT})
  if(arg_ENUMS)
    ferrule_tablegen(${arg_TD} ${name}Enums.h.inc -gen-enum-decls)
    ferrule_tablegen(${arg_TD} ${name}Enums.cpp.inc -gen-enum-defs)
  endif()
  if(arg_ATTRS)
    ferrule_tablegen(${arg_TD} ${name}Attrs.h.inc -gen-attrdef-decls -attrdefs-dialect=${arg_DIALECT})
    ferrule_tablegen(${arg_TD} ${name}Attrs.cpp.inc -gen-attrdef-defs -attrdefs-dialect=${arg_DIALECT})
  endif()
  if(arg_TYPES)
    ferrule_tablegen(${arg_TD} ${name}Types.h.inc -gen-typedef-decls -typedefs-dialect=${arg_DIALECT})
    ferrule_tablegen(${arg_TD} ${name}Types.cpp.inc -gen-typedef-defs -typedefs-dialect=${arg_DIALECT})
  endif()
  if(arg_INTERFACES)
    ferrule_tablegen(${name}Interfaces.td ${name}Interfaces.h.inc -gen-op-interface-decls)
    ferrule_tablegen(${name}Interfaces.td ${name}Interfaces.cpp.inc -gen-op-interface-defs)
  endif()
  ferrule_compiler_sources(Ferrule${name}IR)
  file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  set_property(GLOBAL APPEND PROPERTY FERRULE_DIALECTS "${folder}/${name}")
endfunction()

# A pass (or several of one subject) in a folder of its own: <Name>.td, <Name>.h,
# *.cpp. The header declares what tablegen makes; registration is automatic.
function(ferrule_pass name)
  ferrule_tablegen(${name}.td ${name}.h.inc -gen-pass-decls -name=${name})
  ferrule_compiler_sources(Ferrule${name})
  file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  set_property(GLOBAL APPEND PROPERTY FERRULE_PASSES "${folder}/${name}")
endfunction()

# A target: the folder's <Name>.h declares
# std::unique_ptr<ferrule::Target> ferrule::create<Name>Target().
function(ferrule_target name)
  ferrule_compiler_sources(FerruleTarget${name})
  file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  set_property(GLOBAL APPEND PROPERTY FERRULE_TARGETS "${folder}/${name}")
endfunction()

# Gathers the parts into ferrule_compiler and writes AllPasses.h.inc,
# AllDialects.h.inc and AllTargets.h.inc.
function(ferrule_finish_compiler)
  get_property(passes GLOBAL PROPERTY FERRULE_PASSES)
  set(includes "")
  set(calls "")
  foreach(pass ${passes})
    get_filename_component(name ${pass} NAME)
    string(APPEND includes "#include \"${pass}.h\"\n")
    string(APPEND calls "  register${name}Passes();\n")
  endforeach()
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/compiler/AllPasses.h.inc CONTENT
"// Generated by cmake/FerruleTargets.cmake from the folders of passes.
${includes}
namespace ferrule {
inline void registerFolderPasses() {
${calls}}
} // namespace ferrule
")
  get_property(dialects GLOBAL PROPERTY FERRULE_DIALECTS)
  set(includes "")
  set(calls "")
  foreach(dialect ${dialects})
    get_filename_component(name ${dialect} NAME)
    string(APPEND includes "#include \"${dialect}.h\"\n")
    string(APPEND calls "  register${name}Dialect(registry);\n")
  endforeach()
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/compiler/AllDialects.h.inc CONTENT
"// Generated by cmake/FerruleTargets.cmake from the folders of dialects.
${includes}
namespace ferrule {
inline void registerFolderDialects(mlir::DialectRegistry &registry) {
${calls}}
} // namespace ferrule
")
  get_property(targets GLOBAL PROPERTY FERRULE_TARGETS)
  set(includes "")
  set(calls "")
  foreach(target ${targets})
    get_filename_component(name ${target} NAME)
    string(APPEND includes "#include \"${target}.h\"\n")
    string(APPEND calls "  targets.push_back(create${name}Target());\n")
  endforeach()
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/compiler/AllTargets.h.inc CONTENT
"// Generated by cmake/FerruleTargets.cmake from the folders of targets.
${includes}
namespace ferrule {
inline std::vector<std::unique_ptr<Target>> createFolderTargets() {
  std::vector<std::unique_ptr<Target>> targets;
${calls}  return targets;
}
} // namespace ferrule
")
  get_property(parts GLOBAL PROPERTY FERRULE_COMPILER_PARTS)
  get_property(tablegen GLOBAL PROPERTY FERRULE_TABLEGEN_TARGETS)
  add_custom_target(ferrule-generated DEPENDS ferrule-pch)
  if(tablegen)
    add_dependencies(ferrule-generated ${tablegen})
  endif()
  set(objects "")
  foreach(part ${parts})
    add_dependencies(${part} ferrule-generated)
    list(APPEND objects $<TARGET_OBJECTS:${part}>)
  endforeach()
  add_library(ferrule_compiler STATIC ${objects})
  target_link_libraries(ferrule_compiler PUBLIC ferrule_runtime_static
    lldELF lldCommon z zstd)
  target_link_directories(ferrule_compiler PUBLIC ${LLVM_LIBRARY_DIRS})

  # The same for the tools, for users of the C API and for plug-ins, which must
  # all share one copy of the dialects, MLIR and LLVM.
  add_library(ferrule_compiler_shared SHARED ${objects}
    $<TARGET_OBJECTS:ferrule_runtime_objects>)
  set_target_properties(ferrule_compiler_shared PROPERTIES
    OUTPUT_NAME ferrule_compiler INSTALL_RPATH_USE_LINK_PATH ON)
  target_link_libraries(ferrule_compiler_shared
    PRIVATE lldELF lldCommon z zstd PUBLIC MLIR LLVM)
  target_link_directories(ferrule_compiler_shared PUBLIC ${LLVM_LIBRARY_DIRS})
  target_link_options(ferrule_compiler_shared PRIVATE -Wl,-z,defs
    -Wl,-Bsymbolic -Wl,--exclude-libs,liblldELF.a:liblldCommon.a)
endfunction()

# A compiler tool: one main file. Its libraries lie beside it, here as after
# installing.
function(ferrule_compiler_tool name)
  add_executable(${name} ${ARGN})
  # The precompiled header was made with -fPIC; CMake would say -fPIE here.
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE -fPIC ${FERRULE_COMPILER_FLAGS}
    -isystem ${FERRULE_MLIR_INCLUDE}
    "SHELL:-include-pch ${FERRULE_PCH}")
  set_property(SOURCE ${ARGN} APPEND PROPERTY OBJECT_DEPENDS ${FERRULE_PCH})
  add_dependencies(${name} ferrule-generated)
  target_link_libraries(${name} PRIVATE ferrule_compiler_shared)
  set_target_properties(${name} PROPERTIES
    BUILD_RPATH_USE_ORIGIN ON INSTALL_RPATH "$ORIGIN/../lib"
    INSTALL_RPATH_USE_LINK_PATH ON)
endfunction()
