# SPDX-License-Identifier: Apache-2.0
# Everything CTest runs:
#   tests/<room>/test_<thing>.c   a cmocka program each, named <room>/<thing>; may see private headers
#   tests/support/*.c             helpers linked to every test
#   tests/tools/test_*.sh         tests of the scripts in tools/
#   tests/install                 programs that use an installed Heft
#   examples/*.c                  compiled and run: an example that returns non-zero fails
#   bench/*.c                     compiled, not run
include(HeftScenes)
find_package(cmocka REQUIRED)

# Large reference data lives beside the repository, not in it. Tests that want it must skip, and say
# so, when the folder is absent.
set(_shared "${PROJECT_SOURCE_DIR}/../shared")
if(NOT EXISTS "${_shared}" AND EXISTS "${PROJECT_SOURCE_DIR}/../../shared")
  set(_shared "${PROJECT_SOURCE_DIR}/../../shared")  # the source is a Git worktree one level down
endif()
cmake_path(NORMAL_PATH _shared)
set(HEFT_SHARED_DIR "${_shared}" CACHE PATH "Reference data used by some tests")

# Assertions of tests and examples must bite in a Release build too.
add_library(heft_test_flags INTERFACE)
target_link_libraries(heft_test_flags INTERFACE heft_flags)
target_compile_options(heft_test_flags INTERFACE -UNDEBUG)
target_compile_definitions(heft_test_flags INTERFACE
  HEFT_SHARED_DIR="${HEFT_SHARED_DIR}" HEFT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")

file(GLOB _support CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/support/*.c")
set(HEFT_TEST_LIBRARIES ${HEFT_PROGRAM_LIBRARIES})
if(_support)
  add_library(heft_test_support STATIC ${_support})
  target_link_libraries(heft_test_support PUBLIC ${HEFT_PROGRAM_LIBRARIES} PRIVATE heft_test_flags)
  target_include_directories(heft_test_support PRIVATE
    "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests" ${CMOCKA_INCLUDE_DIR})
  list(PREPEND HEFT_TEST_LIBRARIES heft_test_support)
endif()

if(TARGET cmocka::cmocka)
  set(_cmocka cmocka::cmocka)
else()
  set(_cmocka ${CMOCKA_LIBRARIES})
endif()

file(GLOB _tests CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/*/test_*.c")
foreach(source IN LISTS _tests)
  cmake_path(GET source PARENT_PATH folder)
  cmake_path(GET folder FILENAME room)
  cmake_path(GET source STEM stem)
  string(REGEX REPLACE "^test_" "" thing ${stem})
  set(target test_${room}_${thing})
  add_executable(${target} ${source})
  target_link_libraries(${target} PRIVATE heft_test_flags ${HEFT_TEST_LIBRARIES} ${_cmocka} m)
  target_include_directories(${target} PRIVATE
    "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests" ${CMOCKA_INCLUDE_DIR})
  add_test(NAME ${room}/${thing} COMMAND ${target} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(${room}/${thing} PROPERTIES LABELS ${room} TIMEOUT 300)
endforeach()

file(GLOB _examples CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/*.c")
foreach(source IN LISTS _examples)
  cmake_path(GET source STEM stem)
  add_executable(example_${stem} ${source})
  target_link_libraries(example_${stem} PRIVATE heft_test_flags ${HEFT_PROGRAM_LIBRARIES} m)
  add_test(NAME examples/${stem} COMMAND example_${stem} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(examples/${stem} PROPERTIES LABELS examples TIMEOUT 300)
endforeach()

file(GLOB _benches CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/*.c")
foreach(source IN LISTS _benches)
  cmake_path(GET source STEM stem)
  add_executable(bench_${stem} ${source})
  target_link_libraries(bench_${stem} PRIVATE heft_flags ${HEFT_PROGRAM_LIBRARIES} m)
endforeach()
