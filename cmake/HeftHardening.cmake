# SPDX-License-Identifier: Apache-2.0
# Flags against misuse of mistakes in memory: none changes a result. Programs are position independent, tables of the
# linker are read-only after the start, returns are guarded by canaries and, on x86-64, by the processor; calls of the C
# library with buffers of known sizes are checked. Sanitizers check more, and do not go with fortified functions.
# packaging/check_hardening.sh looks at what was built; docs/decisions/161-supply-chain.md gives the cost.
option(HEFT_HARDENING "Compile and link with hardening flags" ON)
if(NOT HEFT_HARDENING OR HEFT_SANITIZE OR HEFT_WASM OR NOT UNIX OR APPLE)
  return()
endif()

# In the core, where canaries would cost 1 to 4 % of a step, only what reads models, snapshots, sessions and problems, or is not
# called in a step.
set(_canaries -fstack-protector-strong -fstack-clash-protection)
target_compile_options(heft_flags INTERFACE
  "$<$<NOT:$<STREQUAL:$<TARGET_PROPERTY:NAME>,heft_objects>>:${_canaries}>")
set(_reading contact/problem.c world/snapshot.c world/transfer.c world/clone.c collision/draw.c interact/session.c)
list(TRANSFORM _reading PREPEND "${PROJECT_SOURCE_DIR}/src/")
foreach(room IN ITEMS base model world/access world/batch)
  file(GLOB _sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${room}/*.c")
  list(APPEND _reading ${_sources})
endforeach()
set_property(SOURCE ${_reading} APPEND PROPERTY COMPILE_OPTIONS ${_canaries})
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|i.86")
  target_compile_options(heft_flags INTERFACE -fcf-protection=full)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  target_compile_options(heft_flags INTERFACE -mbranch-protection=standard)
endif()
# Needs optimisation. Debian's compilers define another level by themselves in some builds.
if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
  target_compile_options(heft_flags INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
endif()
set(CMAKE_EXE_LINKER_FLAGS "${CMAKE_EXE_LINKER_FLAGS} -pie")
add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack)
# The note that return addresses may be guarded by a shadow stack. Linkers leave it out because the start files of Debian 12 lack it;
# they return as usual, so it is true. The note on indirect jumps (IBT) would not be: _init has no landing mark there.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|i.86")
  add_link_options(-Wl,-z,shstk)
endif()
