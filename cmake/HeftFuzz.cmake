# SPDX-License-Identifier: Apache-2.0
# Fuzz targets: tests/fuzz/fuzz_<thing>.c with the function LLVMFuzzerTestOneInput.
#   always                  replay_<thing>, run by CTest as fuzz/<thing> over tests/fuzz/corpus/<thing>
#   HEFT_BUILD_FUZZERS=ON   fuzz_<thing>, a libFuzzer program; clang only, preset "fuzz"
# See docs/internals/fuzzing.md.
option(HEFT_BUILD_FUZZERS "Build the fuzz targets with libFuzzer (clang)" OFF)
option(HEFT_FUZZ_COMPARISONS "Tell the fuzzer what is compared: finds more in an execution, takes most of its time" ON)

if(HEFT_BUILD_FUZZERS)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "HEFT_BUILD_FUZZERS needs clang; use the preset \"fuzz\"")
  endif()
  # The library tells the fuzzer which branches were taken.
  target_compile_options(heft_flags INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(heft_flags INTERFACE -fsanitize=fuzzer-no-link)
  # Bytes that are compared with each other lead a reader of files onward; in what computes they are counters of
  # loops and checks of the sanitizer, and watching them takes half of the time and more.
  set(_computing "")
  foreach(room math model/field collision dynamics contact/core contact/newton contact/sweep contact/certificate contact world
      world/actuation world/models control interact io/piece io/solid io/lattice_hull io/region io/decompose io/hull base/hash base/decimal)
    if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/src/${room}")
      file(GLOB _sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${room}/*.c")
    else()
      file(GLOB _sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${room}*.c")
    endif()
    list(APPEND _computing ${_sources})
  endforeach()
  list(REMOVE_ITEM _computing "${PROJECT_SOURCE_DIR}/src/contact/problem_file.c")  # a reader
  set_source_files_properties(${_computing} PROPERTIES COMPILE_OPTIONS "-O2;-fno-sanitize-coverage=trace-cmp")
  if(NOT HEFT_FUZZ_COMPARISONS)
    target_compile_options(heft_flags INTERFACE -fno-sanitize-coverage=trace-cmp)
  endif()
endif()

file(GLOB _fuzzers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/fuzz/fuzz_*.c")
foreach(source IN LISTS _fuzzers)
  cmake_path(GET source STEM stem)
  string(REGEX REPLACE "^fuzz_" "" thing ${stem})
  set(_programs replay_${thing})
  if(thing STREQUAL "serve" AND NOT TARGET heft_serve)
    continue()
  endif()
  if(thing STREQUAL "snapshot" AND NOT TARGET heft_experiments)
    continue()
  endif()
  if(thing STREQUAL "mcap")  # the reader of logs belongs to the command
    list(APPEND source "${PROJECT_SOURCE_DIR}/apps/heft/run_read.c")
  endif()
  add_executable(replay_${thing} ${source} "${PROJECT_SOURCE_DIR}/tests/fuzz/replay.c")
  if(HEFT_BUILD_FUZZERS)
    add_executable(${stem} ${source})
    target_link_options(${stem} PRIVATE -fsanitize=fuzzer)
    list(APPEND _programs ${stem})
  endif()
  foreach(program IN LISTS _programs)
    target_link_libraries(${program} PRIVATE heft_test_flags ${HEFT_TEST_LIBRARIES} m)
    target_include_directories(${program} PRIVATE
      "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests" "${PROJECT_SOURCE_DIR}")
    if(thing STREQUAL "mcap")
      heft_use_zstd(${program})
    elseif(thing STREQUAL "plan")
      include(HeftSweep)
      target_link_libraries(${program} PRIVATE heft_sweep)
    elseif(thing STREQUAL "queue")
      include(HeftQueue)
      target_link_libraries(${program} PRIVATE heft_queue)
    elseif(thing STREQUAL "snapshot")
      target_link_libraries(${program} PRIVATE heft_experiments)
    elseif(thing STREQUAL "serve")
      target_link_libraries(${program} PRIVATE heft_serve)
    endif()
  endforeach()
  add_test(NAME fuzz/${thing} COMMAND replay_${thing} "tests/fuzz/corpus/${thing}"
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(fuzz/${thing} PROPERTIES LABELS fuzz TIMEOUT 900 SKIP_RETURN_CODE 77)
endforeach()
