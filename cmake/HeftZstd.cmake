# SPDX-License-Identifier: Apache-2.0
# zstd, where it is installed: compresses MCAP logs (docs/decisions/096-logs-that-show-anywhere.md).
#   Debian: libzstd-dev
include_guard(GLOBAL)

find_library(HEFT_ZSTD_LIBRARY zstd)
find_path(HEFT_ZSTD_INCLUDE_DIR zstd.h)
mark_as_advanced(HEFT_ZSTD_LIBRARY HEFT_ZSTD_INCLUDE_DIR)
if(NOT HEFT_WASM AND NOT (HEFT_ZSTD_LIBRARY AND HEFT_ZSTD_INCLUDE_DIR))
  message(STATUS "libzstd was not found: logs will not be compressed")
endif()

# heft_use_zstd(<target>): defines HEFT_HAVE_ZSTD and HEFT_READ_ZSTD where there is zstd, the latter alone where
# only its reader is compiled (HeftWasm.cmake).
function(heft_use_zstd target)
  if(HEFT_ZSTD_LIBRARY AND HEFT_ZSTD_INCLUDE_DIR)
    target_link_libraries(${target} PRIVATE ${HEFT_ZSTD_LIBRARY})
    target_include_directories(${target} SYSTEM PRIVATE "${HEFT_ZSTD_INCLUDE_DIR}")
    target_compile_definitions(${target} PRIVATE HEFT_HAVE_ZSTD HEFT_READ_ZSTD)
  elseif(TARGET zstd_reader)
    target_link_libraries(${target} PRIVATE zstd_reader)
    target_compile_definitions(${target} PRIVATE HEFT_READ_ZSTD)
  endif()
endfunction()
