# SPDX-License-Identifier: Apache-2.0
# The description of the public headers, api.json, from which the bindings of other languages and the tests of the
# interface are made (tools/api.py). It needs Python 3; the libraries themselves do without.
include_guard(GLOBAL)

find_program(HEFT_PYTHON python3)
mark_as_advanced(HEFT_PYTHON)
if(NOT HEFT_PYTHON)
  return()
endif()
set(HEFT_API_JSON "${PROJECT_BINARY_DIR}/api.json")
set(HEFT_API_TOOL "${PROJECT_SOURCE_DIR}/tools/api.py")
file(GLOB _public CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/heft/*.h")
# and of the rooms that are not installed (tools/layers.txt)
file(STRINGS "${PROJECT_SOURCE_DIR}/tools/layers.txt" _open REGEX "^open headers:")
string(REGEX REPLACE "^open headers: *" "" _open "${_open}")
separate_arguments(_open)
list(TRANSFORM _open PREPEND "${PROJECT_SOURCE_DIR}/src/")
add_custom_command(OUTPUT "${HEFT_API_JSON}"
  COMMAND "${HEFT_PYTHON}" -B "${HEFT_API_TOOL}" "${HEFT_API_JSON}" "${PROJECT_SOURCE_DIR}/include/heft"
  DEPENDS "${HEFT_API_TOOL}" ${_public} ${_open})
add_custom_target(heft_api DEPENDS "${HEFT_API_JSON}")
