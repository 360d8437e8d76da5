# SPDX-License-Identifier: Apache-2.0
# A world behind a WebSocket, src/serve: the library heft_serve, for the command and the tests, not installed. The file
# server.c and guest.c need libwebsockets; without it the verb serve of the command prints what to install.
#   Debian: libwebsockets-dev
include_guard(GLOBAL)
include(HeftModule)
if(NOT HEFT_BUILD_APPS AND NOT HEFT_BUILD_TESTS)
  return()
endif()

option(HEFT_BUILD_SERVE "Build heft serve where libwebsockets is installed" ON)
set(HEFT_HAVE_SERVE OFF)
if(HEFT_BUILD_SERVE)
  heft_find_module(HEFT_HAVE_SERVE libwebsockets 4.1 "verb serve")
endif()

if(TARGET heft_io_static)  # which has the writer of JSON
  file(GLOB _serve CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/serve/*.c")
  if(NOT HEFT_HAVE_SERVE)
    list(FILTER _serve EXCLUDE REGEX "/(server|guest)\\.c$")
  endif()
  find_package(Threads REQUIRED)
  add_library(heft_serve STATIC ${_serve})
  target_link_libraries(heft_serve PUBLIC heft_link heft_io_static Threads::Threads PRIVATE heft_flags)
  target_compile_options(heft_serve PRIVATE ${HEFT_STRICT_WARNINGS})
  target_include_directories(heft_serve PUBLIC "${PROJECT_SOURCE_DIR}/src")
  if(HEFT_HAVE_SERVE)
    target_link_libraries(heft_serve PRIVATE PkgConfig::HEFT_libwebsockets)
    target_compile_definitions(heft_serve PUBLIC HEFT_HAVE_SERVE)
  endif()
endif()
