# SPDX-License-Identifier: Apache-2.0
# Flags against misuse of mistakes in memory: none changes a result. Programs are position independent, tables of the
# linker are read-only after the start, returns are guarded by canaries and, on x86-64, by the processor; calls of the C
# library with buffers of known sizes are checked. Sanitizers check more, and do not go with fortified functions.
# tools/check_hardening.sh looks at what was built; docs/decisions/161-supply-chain.md gives the cost.
option(HEFT_HARDENING "Compile and link with hardening flags" ON)
if(NOT HEFT_HARDENING OR HEFT_SANITIZE OR HEFT_WASM OR NOT UNIX OR APPLE)
  return()
endif()

# Not in the core, which reads no file and no packet: there canaries cost 1 to 4 % of a step.
target_compile_options(heft_flags INTERFACE
  "$<$<NOT:$<STREQUAL:$<TARGET_PROPERTY:NAME>,heft_objects>>:-fstack-protector-strong;-fstack-clash-protection>")
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
