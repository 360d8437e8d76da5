# SPDX-License-Identifier: Apache-2.0
# HEFT_COVERAGE=ON (gcc): the files of tests/fuzz/readers.txt count their lines, for tools/coverage.py. All
# others are compiled as in the preset ci, so that a cache of its objects serves both.
option(HEFT_COVERAGE "Count the lines of readers that are reached (gcc)" OFF)

if(HEFT_COVERAGE)
  add_link_options(--coverage)
  file(STRINGS "${PROJECT_SOURCE_DIR}/tests/fuzz/readers.txt" _lines REGEX "^[a-z]")
  foreach(line IN LISTS _lines)
    separate_arguments(_words UNIX_COMMAND "${line}")
    list(POP_FRONT _words _target)
    if(_target MATCHES "^(collision|step)$")  # what computes, not what reads
      continue()
    endif()
    foreach(pattern IN LISTS _words)
      file(GLOB _sources "${PROJECT_SOURCE_DIR}/${pattern}")
      set_source_files_properties(${_sources} PROPERTIES COMPILE_OPTIONS "-Og;--coverage;-Wno-error")
    endforeach()
  endforeach()
endif()
