# What `cmake --install` and the wheels hold.

# ---- The Python package (component "python", which only the wheels ask for).
install(DIRECTORY ${CMAKE_SOURCE_DIR}/python/ferrule DESTINATION .
  COMPONENT python EXCLUDE_FROM_ALL FILES_MATCHING PATTERN "*.py"
  PATTERN "__pycache__" EXCLUDE)
set(modules _runtime)
if(FERRULE_BUILD_COMPILER)
  list(APPEND modules _compiler)
endif()
if(FERRULE_USE_BUILT_MODULES)
  foreach(module ${modules})
    file(GLOB file ${CMAKE_SOURCE_DIR}/python/ferrule/_native/${module}.*.so)
    if(NOT file)
      message(FATAL_ERROR "FERRULE_USE_BUILT_MODULES: found no "
        "python/ferrule/_native/${module}.*.so, run 'make build' first")
    endif()
    install(PROGRAMS ${file} DESTINATION ferrule/_native COMPONENT python
      EXCLUDE_FROM_ALL)
    get_filename_component(name ${file} NAME)
    install(CODE "execute_process(COMMAND ${CMAKE_STRIP} \
\"\${CMAKE_INSTALL_PREFIX}/ferrule/_native/${name}\")"
      COMPONENT python EXCLUDE_FROM_ALL)
  endforeach()
  return()
endif()
if(FERRULE_BUILD_PYTHON)
  install(TARGETS ${modules} LIBRARY DESTINATION ferrule/_native
    COMPONENT python EXCLUDE_FROM_ALL)
endif()

# ---- find_package(Ferrule): the runtime's API, and the compiler as a library
# for targets and passes that live outside this tree.
install(DIRECTORY ${CMAKE_SOURCE_DIR}/runtime/include/ferrule
  DESTINATION include FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(TARGETS ferrule_runtime ferrule_runtime_static ferrule-run
  RUNTIME DESTINATION bin LIBRARY DESTINATION lib ARCHIVE DESTINATION lib)
if(FERRULE_BUILD_COMPILER)
  # The compiler's headers name each other from the root of the tree; a folder
  # of their own keeps "compiler/" out of the prefix's include/.
  set(internal include/ferrule-compiler)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/compiler ${CMAKE_SOURCE_DIR}/runtime
    DESTINATION ${internal} FILES_MATCHING PATTERN "*.h" PATTERN "*.td"
    PATTERN "testing" EXCLUDE PATTERN "include" EXCLUDE)
  install(DIRECTORY ${CMAKE_BINARY_DIR}/compiler ${CMAKE_BINARY_DIR}/runtime
    DESTINATION ${internal} FILES_MATCHING PATTERN "*.h.inc"
    PATTERN "*_generated.h" PATTERN "CMakeFiles" EXCLUDE)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/compiler/CAPI/include/ferrule
    DESTINATION include)
  install(TARGETS ferrule_compiler_shared ferrule-compile ferrule-opt
    ferrule-translate ferrule-check ferrule-lsp-server
    RUNTIME DESTINATION bin LIBRARY DESTINATION lib)
endif()

include(CMakePackageConfigHelpers)
set(package lib/cmake/Ferrule)
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/FerruleConfig.cmake.in
  ${CMAKE_BINARY_DIR}/FerruleConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(
  ${CMAKE_BINARY_DIR}/FerruleConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/FerruleConfig.cmake
  ${CMAKE_BINARY_DIR}/FerruleConfigVersion.cmake DESTINATION ${package})
