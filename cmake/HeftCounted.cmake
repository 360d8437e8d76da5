# SPDX-License-Identifier: Apache-2.0
# apps/counted: the Delassus methods with a number type that counts (library heft_counted, for the command and the
# tests; not installed). The number type needs C++; without a compiler for it there are no counts.
include_guard(GLOBAL)

include(CheckLanguage)
check_language(CXX)
if(CMAKE_CXX_COMPILER)
  enable_language(CXX)
  add_library(heft_counted STATIC "${PROJECT_SOURCE_DIR}/apps/counted/counted.cpp")
  set_target_properties(heft_counted PROPERTIES CXX_STANDARD 17 CXX_EXTENSIONS ON)
  target_include_directories(heft_counted BEFORE PRIVATE "${PROJECT_SOURCE_DIR}/apps/counted/shadow")
  target_include_directories(heft_counted PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/include")
  target_compile_options(heft_counted PRIVATE -Wall -Wextra -Wno-psabi -fno-exceptions -fno-rtti -ffp-contract=off)
else()
  add_library(heft_counted STATIC "${PROJECT_SOURCE_DIR}/apps/counted/counted_none.c")
endif()
target_link_libraries(heft_counted PUBLIC heft_static)
target_include_directories(heft_counted PUBLIC "${PROJECT_SOURCE_DIR}/apps")
