# SPDX-License-Identifier: Apache-2.0
# The viewer, apps/view: the library heft_view with <heft/view.h>, for pictures with and without a window.
# It is built and installed only where all libraries that it needs are installed; without it the verbs view
# and render of the command print what to install.
#   Debian: libepoxy-dev libegl-dev libpng-dev libsdl2-dev libimgui-dev and a C++ compiler
include_guard(GLOBAL)

option(HEFT_BUILD_VIEWER "Build the viewer where its libraries are installed" ${HEFT_BUILD_APPS})
set(HEFT_VIEW_MODULES epoxy egl libpng sdl2 imgui)  # of pkg-config
set(HEFT_VIEW_MISSING "")
if(HEFT_BUILD_VIEWER)
  find_package(PkgConfig QUIET)
  if(PKG_CONFIG_FOUND)
    foreach(module IN LISTS HEFT_VIEW_MODULES)
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
  set(CMAKE_CXX_VISIBILITY_PRESET hidden)
  heft_add_library(heft_view view ROOT apps ROOMS view LANGUAGE CXX LINK heft_device heft_plugin PRIVATE_LINK
    PkgConfig::HEFT_imgui PkgConfig::HEFT_sdl2 PkgConfig::HEFT_libpng PkgConfig::HEFT_egl
    PkgConfig::HEFT_epoxy Threads::Threads)
  set_target_properties(heft_view_objects PROPERTIES CXX_STANDARD 17 CXX_EXTENSIONS OFF)
endif()
