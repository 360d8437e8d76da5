# SPDX-License-Identifier: Apache-2.0
# apps/queue: sweeps through NATS JetStream (library heft_queue, for the command and the tests; not installed).
# message.c needs no network; the other files need libnats. Without it the verbs print what to install.
#   Debian: libnats-dev
include_guard(GLOBAL)
include(HeftModule)
include(HeftSweep)

option(HEFT_BUILD_QUEUE "Build heft work and heft sweep serve where libnats is installed" ON)
set(HEFT_HAVE_NATS OFF)
if(HEFT_BUILD_QUEUE)
  heft_find_module(HEFT_HAVE_NATS libnats 3.4 "verb work")
endif()

file(GLOB _queue CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/apps/queue/*.c")
if(NOT HEFT_HAVE_NATS)
  list(FILTER _queue INCLUDE REGEX "/message\\.c$")
endif()
find_package(Threads REQUIRED)
add_library(heft_queue STATIC ${_queue})
target_link_libraries(heft_queue PUBLIC heft_sweep Threads::Threads PRIVATE heft_flags)
target_compile_options(heft_queue PRIVATE ${HEFT_STRICT_WARNINGS})
target_compile_definitions(heft_queue PRIVATE _DEFAULT_SOURCE)
target_include_directories(heft_queue PUBLIC "${PROJECT_SOURCE_DIR}/apps" PRIVATE "${PROJECT_SOURCE_DIR}/src")
if(HEFT_HAVE_NATS)
  target_link_libraries(heft_queue PUBLIC PkgConfig::HEFT_libnats)
  target_compile_definitions(heft_queue PUBLIC HEFT_HAVE_NATS)
endif()
