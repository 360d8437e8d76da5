# SPDX-License-Identifier: Apache-2.0
# The Python package heft: python/heft/*.py and the extension modules beside them.
#   python/src/core/*.c   heft._core   model, world, batch, files: with heft and heft_io
#                                      and what python/python_bindings.py makes from the description of the headers
#   python/src/view/*.c   heft._view   pictures and the window: with heft_view, where it is built
# The modules use the limited API of Python 3.11, so that one file runs with every later version. The
# package is complete in the build folder:
#   PYTHONPATH=build/ci/python python3 -c 'import heft'
#   Debian: python3-dev, python3-numpy; for the tests python3-pytest and mypy
include_guard(GLOBAL)

# The interpreter of the tests and of the headers: the first python3 that has NumPy, otherwise the first.
function(heft_find_python result)
  set(first "")
  find_program(on_path python3 NO_CACHE)
  foreach(python IN ITEMS "${on_path}" /usr/bin/python3)
    if(NOT EXISTS "${python}")
      continue()
    endif()
    execute_process(COMMAND "${python}" -c "import sys; sys.exit(sys.version_info < (3, 11))"
      RESULT_VARIABLE old OUTPUT_QUIET ERROR_QUIET)
    if(NOT old EQUAL 0)
      continue()
    endif()
    if(NOT first)
      set(first "${python}")
    endif()
    execute_process(COMMAND "${python}" -c "import numpy" RESULT_VARIABLE poor OUTPUT_QUIET ERROR_QUIET)
    if(poor EQUAL 0)
      set(${result} "${python}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${result} "${first}" PARENT_SCOPE)
endfunction()

if(NOT HEFT_PACKAGE_PYTHON)
  heft_find_python(_python)
  set(HEFT_PACKAGE_PYTHON "${_python}" CACHE FILEPATH "Python 3.11 or later, with its headers" FORCE)
endif()
set(_headers "")
if(HEFT_PACKAGE_PYTHON)
  execute_process(COMMAND "${HEFT_PACKAGE_PYTHON}" -c "import sysconfig; print(sysconfig.get_path('include'))"
    OUTPUT_VARIABLE _headers OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
set(HEFT_PYTHON_INCLUDE_DIR "${_headers}" CACHE PATH "Folder of Python.h, 3.11 or later")
mark_as_advanced(HEFT_PACKAGE_PYTHON HEFT_PYTHON_INCLUDE_DIR)
if(TEST docs/snippets)  # the manual has programs in Python
  set_tests_properties(docs/snippets PROPERTIES ENVIRONMENT "HEFT_PACKAGE_PYTHON=${HEFT_PACKAGE_PYTHON}")
endif()

set(_found OFF)
if(HEFT_PACKAGE_PYTHON AND EXISTS "${HEFT_PYTHON_INCLUDE_DIR}/Python.h" AND TARGET heft_io)
  set(_found ON)
endif()
option(HEFT_BUILD_PYTHON "Build the Python package (needs Python, Python.h and heft_io)" ${_found})
if(NOT HEFT_BUILD_PYTHON)
  message(STATUS "heft: no Python package (it needs Python 3.11 or later with Python.h, and heft_io)")
  return()
endif()
if(NOT _found)
  message(FATAL_ERROR "HEFT_BUILD_PYTHON is ON, but there is no Python, no Python.h in \"${HEFT_PYTHON_INCLUDE_DIR}\" or no "
    "heft_io; install python3-dev, or name the folder with -DHEFT_PYTHON_INCLUDE_DIR=...")
endif()

set(HEFT_PYTHON_DIR "${PROJECT_BINARY_DIR}/python")  # for PYTHONPATH

# Sources that follow from the public headers, of the module _core and of the package.
if(NOT HEFT_PYTHON)
  set(HEFT_PYTHON "${HEFT_PACKAGE_PYTHON}" CACHE FILEPATH "Python 3 of the build" FORCE)
endif()
include(HeftApi)
set(_made "${PROJECT_BINARY_DIR}/python-core")
set(_made_sources "${_made}/tables.c" "${_made}/functions.c" "${_made}/signatures.c")
set(_made_package "")
foreach(file IN ITEMS _core.pyi _enums.py _functions.py _structs.py math.py)
  list(APPEND _made_package "${HEFT_PYTHON_DIR}/heft/${file}")
endforeach()
set(_bindings "${PROJECT_SOURCE_DIR}/python/python_bindings.py")
file(GLOB_RECURSE _by_hand CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/python/src/*.c")
add_custom_command(OUTPUT ${_made_sources} "${_made}/tables.h" ${_made_package}
  COMMAND "${HEFT_PYTHON}" -B "${_bindings}" "${HEFT_API_JSON}" "${_made}" "${HEFT_PYTHON_DIR}/heft"
  DEPENDS "${_bindings}" "${PROJECT_SOURCE_DIR}/python/python_functions.py" "${HEFT_API_TOOL}" "${HEFT_API_JSON}"
    "${PROJECT_SOURCE_DIR}/python/unreachable.txt" "${PROJECT_SOURCE_DIR}/python/examples.txt" "${PROJECT_SOURCE_DIR}/python/heft/_errors.py"
    "${PROJECT_SOURCE_DIR}/python/src/core/core.pyi.in" ${_by_hand})
add_custom_target(heft_python_sources DEPENDS ${_made_sources} "${_made}/tables.h" ${_made_package})
add_dependencies(heft_python_sources heft_api)

# heft_add_python_module(<name> LINK <library>... SOURCES <file>...): heft.<name> from the folder without the underscore.
# Names of the module are hidden but for its init function; Python's are found when it is loaded.
function(heft_add_python_module name)
  cmake_parse_arguments(arg "" "" "LINK;SOURCES" ${ARGN})
  string(REGEX REPLACE "^_" "" folder ${name})
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/python/src/${folder}/*.c")
  if(NOT sources)
    return()
  endif()
  set(target heft_python${name})
  add_library(${target} MODULE ${sources} ${arg_SOURCES})
  add_dependencies(${target} heft_python_sources)
  target_link_libraries(${target} PRIVATE heft_flags ${arg_LINK})
  target_compile_definitions(${target} PRIVATE Py_LIMITED_API=0x030B0000)
  target_compile_options(${target} PRIVATE ${HEFT_STRICT_WARNINGS}
    "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=" "-fmacro-prefix-map=${PROJECT_BINARY_DIR}/=")
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/python/src/${folder}" "${PROJECT_BINARY_DIR}/python-core")
  target_include_directories(${target} SYSTEM PRIVATE "${HEFT_PYTHON_INCLUDE_DIR}")
  set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME ${name} SUFFIX .abi3.so
    LIBRARY_OUTPUT_DIRECTORY "${HEFT_PYTHON_DIR}/heft" INSTALL_RPATH "$ORIGIN/../heft.libs")
  install(TARGETS ${target} LIBRARY DESTINATION heft COMPONENT python EXCLUDE_FROM_ALL)
  add_dependencies(heft_python ${target})
endfunction()

add_custom_target(heft_python ALL)
heft_add_python_module(_core LINK heft heft_io SOURCES ${_made_sources})
if(TARGET heft_view)
  heft_add_python_module(_view LINK heft_view)
endif()

# The rest of the package is beside the modules as links, so that an edit needs no build.
file(GLOB _package CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/python/heft"
  "${PROJECT_SOURCE_DIR}/python/heft/*.py" "${PROJECT_SOURCE_DIR}/python/heft/*.pyi"
  "${PROJECT_SOURCE_DIR}/python/heft/py.typed")
file(MAKE_DIRECTORY "${HEFT_PYTHON_DIR}/heft")
foreach(file IN LISTS _package)
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/python/heft/${file}" "${HEFT_PYTHON_DIR}/heft/${file}" SYMBOLIC)
  install(FILES "${PROJECT_SOURCE_DIR}/python/heft/${file}" DESTINATION heft COMPONENT python
    EXCLUDE_FROM_ALL)
endforeach()
install(FILES ${_made_package} DESTINATION heft COMPONENT python EXCLUDE_FROM_ALL)
# The scenes and robots that heft.models finds by name.
foreach(folder scenes models)
  file(MAKE_DIRECTORY "${HEFT_PYTHON_DIR}/heft/data")
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${folder}" "${HEFT_PYTHON_DIR}/heft/data/${folder}" SYMBOLIC)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}" DESTINATION heft/data COMPONENT python
    EXCLUDE_FROM_ALL PATTERN "*.[ch]" EXCLUDE)
endforeach()
# The page that `python3 -m heft` opens, where it was built (web/README.md).
file(CREATE_LINK "${PROJECT_SOURCE_DIR}/build/web" "${HEFT_PYTHON_DIR}/heft/data/web" SYMBOLIC)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/build/web" DESTINATION heft/data COMPONENT python EXCLUDE_FROM_ALL OPTIONAL)

if(NOT HEFT_BUILD_TESTS OR NOT TARGET heft_python_core)
  return()
endif()
set(_folder "${PROJECT_SOURCE_DIR}/python/tests")
file(GLOB _tests CONFIGURE_DEPENDS "${_folder}/test_*.py")
set(_environment "PYTHONPATH=${HEFT_PYTHON_DIR}" PYTHONDONTWRITEBYTECODE=1
  "HEFT_SOURCE_DIR=${PROJECT_SOURCE_DIR}" "HEFT_SHARED_DIR=${HEFT_SHARED_DIR}" "CC=${CMAKE_C_COMPILER}")

# heft_add_python_test(<name> <argument of Python>...): a test that sees the package of this build.
function(heft_add_python_test name)
  add_test(NAME python/${name} COMMAND "${HEFT_PACKAGE_PYTHON}" ${ARGN}
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(python/${name} PROPERTIES LABELS python TIMEOUT 900 SKIP_RETURN_CODE 77
    ENVIRONMENT "${_environment}")
endfunction()

if(NOT HEFT_SANITIZE)
  # python/tests/test_<thing>.py is python/<thing>.
  foreach(source IN LISTS _tests)
    cmake_path(GET source STEM stem)
    string(REGEX REPLACE "^test_" "" thing ${stem})
    heft_add_python_test(${thing} "${_folder}/run.py" "${source}")
  endforeach()

  set(_tools "${PROJECT_SOURCE_DIR}/python")
  heft_add_python_test(doctests "${_folder}/doctests.py")
  heft_add_python_test(types "${_folder}/types_strict.py" "${PROJECT_BINARY_DIR}/mypy" "${HEFT_PYTHON_DIR}")
  heft_add_python_test(limited_api "${_tools}/check_abi3.py" --include "${HEFT_PYTHON_INCLUDE_DIR}"
    $<TARGET_FILE:heft_python_core> $<$<TARGET_EXISTS:heft_python_view>:$<TARGET_FILE:heft_python_view>>)
  if(TARGET heft_view)  # the list has a line for every library
    heft_add_python_test(reach "${_tools}/check_python_reach.py" "${PROJECT_SOURCE_DIR}/python/unreachable.txt"
      "${PROJECT_BINARY_DIR}/lib" "${HEFT_PYTHON_DIR}/heft")
  endif()
  heft_add_python_test(wheel "${PROJECT_SOURCE_DIR}/tests/install/wheel.py" "${PROJECT_SOURCE_DIR}"
    "${PROJECT_BINARY_DIR}/python-wheel" "${PROJECT_BINARY_DIR}")
elseif(HEFT_SANITIZE MATCHES "address")
  # All of them in one process, which has the sanitizer from its start; and a leak that must be found.
  set(_asan libasan.so)
  if(CMAKE_C_COMPILER_ID MATCHES "Clang")
    set(_asan libclang_rt.asan-${CMAKE_SYSTEM_PROCESSOR}.so)
  endif()
  execute_process(COMMAND "${CMAKE_C_COMPILER}" -print-file-name=${_asan}
    OUTPUT_VARIABLE _asan OUTPUT_STRIP_TRAILING_WHITESPACE)
  list(FILTER _tests EXCLUDE REGEX "test_(examples|same_model|torch)")  # long, and without calls of their own
  heft_add_python_test(sanitized "${_folder}/sanitized.py" "${_asan}" ${_tests})
  heft_add_python_test(sanitized_leak "${_folder}/sanitized.py" "${_asan}" "${_folder}/planted/leak.py")
  set_tests_properties(python/sanitized python/sanitized_leak PROPERTIES LABELS sanitized)
  set_tests_properties(python/sanitized_leak PROPERTIES PASS_REGULAR_EXPRESSION "[1-9] leaks of Heft")
endif()
