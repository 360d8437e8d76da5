# SPDX-License-Identifier: Apache-2.0
# A library of pkg-config that a part of Heft can do without.
include_guard(GLOBAL)

# heft_find_module(<found> <module> <version> <part>): sets <found> and, if it is ON, makes the target
# PkgConfig::HEFT_<module>; else prints what is missing for <part>.
function(heft_find_module found module version part)
  find_package(PkgConfig QUIET)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(HEFT_${module} QUIET IMPORTED_TARGET GLOBAL ${module}>=${version})
  endif()
  if(HEFT_${module}_FOUND)
    set(${found} ON PARENT_SCOPE)
  else()
    set(${found} OFF PARENT_SCOPE)
    message(STATUS "heft: no ${part}, missing: ${module} ${version} or newer")
  endif()
endfunction()
