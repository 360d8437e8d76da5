# SPDX-License-Identifier: Apache-2.0
# libsodium, where it is installed: version 2 of the UDP protocols of devices and controllers
# (docs/decisions/150-device-protocol-2.md).
#   Debian: libsodium-dev
include_guard(GLOBAL)

option(HEFT_USE_SODIUM "Build version 2 of the UDP protocols where libsodium is installed" ON)
find_library(HEFT_SODIUM_LIBRARY sodium)
find_path(HEFT_SODIUM_INCLUDE_DIR sodium.h)
mark_as_advanced(HEFT_SODIUM_LIBRARY HEFT_SODIUM_INCLUDE_DIR)
set(HEFT_HAVE_SODIUM OFF)
set(HEFT_SODIUM_EXCLUDE device/tunnel.c)
if(HEFT_USE_SODIUM AND HEFT_SODIUM_LIBRARY AND HEFT_SODIUM_INCLUDE_DIR)
  set(HEFT_HAVE_SODIUM ON)
  set(HEFT_SODIUM_EXCLUDE device/tunnel_absent.c)
  set(HEFT_SODIUM_LINK $<BUILD_INTERFACE:${HEFT_SODIUM_LIBRARY}> $<INSTALL_INTERFACE:sodium>)
  set(HEFT_DEVICE_LIBS_PRIVATE -lsodium)  # of heft_device.pc
else()
  message(STATUS "heft: UDP devices and controllers with version 1 of their protocols alone, missing: libsodium (libsodium-dev)")
endif()
