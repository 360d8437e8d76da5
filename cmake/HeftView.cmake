# SPDX-License-Identifier: Apache-2.0
# The viewer, apps/view: library heft_view, pictures with and without a window, and the panels. Made only where everything it needs is installed; without it the verbs view and render say
# what to install. Nothing of it is installed as a library: the program is.
#   Debian: libepoxy-dev libegl-dev libpng-dev libsdl2-dev libimgui-dev and a C++ compiler
include_guard(GLOBAL)

option(HEFT_BUILD_VIEWER "Build the viewer where its libraries are installed" ON)
set(HEFT_VIEW_MISSING "")
if(HEFT_BUILD_VIEWER)
  find_package(PkgConfig QUIET)
  if(PKG_CONFIG_FOUND)
    foreach(module epoxy egl libpng sdl2 imgui)
      pkg_check_modules(HEFT_${module} QUIET IMPORTED_TARGET ${module})
      if(NOT HEFT_${module}_FOUND)
        list(APPEND HEFT_VIEW_MISSING ${module})
      endif()
    endforeach()
  else()
    list(APPEND HEFT_VIEW_MISSING pkg-config)
  endif()
  include(CheckLanguage)
  check_language(CXX)
  if(NOT CMAKE_CXX_COMPILER)
    list(APPEND HEFT_VIEW_MISSING "a C++ compiler")
  endif()
else()
  set(HEFT_VIEW_MISSING "HEFT_BUILD_VIEWER=ON")
endif()

if(HEFT_VIEW_MISSING)
  list(JOIN HEFT_VIEW_MISSING ", " _missing)
  message(STATUS "heft: no viewer, missing: ${_missing}")
else()
  enable_language(CXX)
  find_package(Threads REQUIRED)
  file(GLOB _view CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/apps/view/*.c"
    "${PROJECT_SOURCE_DIR}/apps/view/*.cpp")
  add_library(heft_view STATIC ${_view})
  # Flags of C stay with C: panels.cpp and letters.cpp see ImGui's headers.
  target_compile_options(heft_view PRIVATE
    "$<$<COMPILE_LANGUAGE:C>:${HEFT_STRICT_WARNINGS}>")
  target_link_libraries(heft_view PUBLIC heft_device_static PRIVATE heft_flags
    PkgConfig::HEFT_imgui PkgConfig::HEFT_sdl2 PkgConfig::HEFT_libpng PkgConfig::HEFT_egl
    PkgConfig::HEFT_epoxy Threads::Threads)
  target_include_directories(heft_view PRIVATE "${PROJECT_SOURCE_DIR}/apps")
  set_target_properties(heft_view PROPERTIES CXX_STANDARD 17 CXX_EXTENSIONS OFF)
endif()
