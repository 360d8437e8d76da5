# SPDX-License-Identifier: Apache-2.0
# The libraries. A room is a folder src/<room>, with folders in it where it is large; drop a .c file into it
# and it is built.
#   heft         the core, from libc and libm alone            heft::heft    heft::heft_static
#   heft_device  devices, robots: sockets, dlopen, threads     heft::device  heft::device_static
#   heft_plugin  plug-ins: dlopen, files                     heft::plugin  heft::plugin_static
#   heft_io      files, logs; expat, libpng, qhull_r, zstd     heft::io      heft::io_static
#   heft_view    pictures and the window (HeftView.cmake)      heft::view    heft::view_static

# Programs of one minor version run with another from 1.0 on (docs/manual/compatibility.md).
set(HEFT_SOVERSION ${PROJECT_VERSION_MAJOR})
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(HEFT_SOVERSION 0.${PROJECT_VERSION_MINOR})
endif()

# heft_add_library(<name> <alias> ROOMS <room>... LINK <library>... PRIVATE_LINK <library>...
#                  [ROOT <folder of the rooms>] [LANGUAGE <language of the linker>] [EXCLUDE <file to leave out>])
# Compiles the rooms once and makes a shared <name> and a static <name>_static of them; the static one alone where
# there are no shared libraries. Nothing is made when the rooms hold no source file.
get_property(HEFT_HAS_SHARED GLOBAL PROPERTY TARGET_SUPPORTS_SHARED_LIBS)
function(heft_add_library name alias)
  cmake_parse_arguments(arg "" "ROOT;LANGUAGE;EXCLUDE" "ROOMS;LINK;PRIVATE_LINK" ROOT src LANGUAGE C ${ARGN})
  set(root "${PROJECT_SOURCE_DIR}/${arg_ROOT}")
  set(sources "")
  foreach(room IN LISTS arg_ROOMS)
    file(GLOB found CONFIGURE_DEPENDS "${root}/${room}/*.c" "${root}/${room}/*/*.c"
      "${root}/${room}/*.cpp")
    list(APPEND sources ${found})
  endforeach()
  if(NOT sources)
    return()
  endif()
  if(arg_EXCLUDE)
    list(REMOVE_ITEM sources "${root}/${arg_EXCLUDE}")
  endif()

  add_library(${name}_objects OBJECT ${sources})
  target_link_libraries(${name}_objects PRIVATE heft_flags ${arg_PRIVATE_LINK})
  target_compile_options(${name}_objects PRIVATE "$<$<COMPILE_LANGUAGE:C>:${HEFT_STRICT_WARNINGS}>"
    -fno-semantic-interposition
    "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")  # the assert hook names files as seen from here
  target_compile_definitions(${name}_objects PRIVATE HEFT_BUILDING)
  target_include_directories(${name}_objects PRIVATE
    "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src" "${root}")

  set(kinds "_static")
  add_library(${name}_static STATIC $<TARGET_OBJECTS:${name}_objects>)
  set_target_properties(${name}_static PROPERTIES
    EXPORT_NAME ${alias}_static LINKER_LANGUAGE ${arg_LANGUAGE} OUTPUT_NAME ${name})
  if(HEFT_HAS_SHARED)
    list(PREPEND kinds "")
    add_library(${name} SHARED $<TARGET_OBJECTS:${name}_objects>)
    set_target_properties(${name} PROPERTIES
      EXPORT_NAME ${alias} LINKER_LANGUAGE ${arg_LANGUAGE} INSTALL_RPATH "$ORIGIN"
      VERSION ${PROJECT_VERSION} SOVERSION ${HEFT_SOVERSION})
  endif()
  if(UNIX AND NOT APPLE)
    set(map "${PROJECT_SOURCE_DIR}/cmake/heft.map")
    target_link_options(${name} PRIVATE -Wl,-Bsymbolic-functions "-Wl,--version-script=${map}")
    set_target_properties(${name} PROPERTIES LINK_DEPENDS "${map}")
    if(NOT HEFT_SANITIZE)
      target_link_options(${name} PRIVATE -Wl,--no-undefined)
    endif()
  endif()
  foreach(kind IN LISTS kinds)
    set(target ${name}${kind})
    set(public ${arg_LINK})
    list(TRANSFORM public APPEND "${kind}")
    target_link_libraries(${target} PUBLIC ${public}
      PRIVATE $<BUILD_INTERFACE:heft_flags> ${arg_PRIVATE_LINK})
    if(UNIX)  # public: inline functions of the headers call sqrt
      target_link_libraries(${target} PUBLIC m)
    endif()
    target_include_directories(${target} PUBLIC
      "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
      "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
    target_compile_features(${target} PUBLIC c_std_99)
    add_library(heft::${alias}${kind} ALIAS ${target})
  endforeach()
endfunction()

heft_add_library(heft heft
  ROOMS base math model dynamics collision contact world control interact)

# Identification; for the command and the tests, not installed.
file(GLOB _identify CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/identify/*.c")
add_library(heft_identify STATIC ${_identify})
target_link_libraries(heft_identify PUBLIC heft_static PRIVATE heft_flags)
target_compile_options(heft_identify PRIVATE ${HEFT_STRICT_WARNINGS})
target_include_directories(heft_identify PUBLIC "${PROJECT_SOURCE_DIR}/src")

if(NOT HEFT_WASM)  # which has no sockets and no dlopen
include(HeftSodium)
heft_add_library(heft_device device ROOMS device robot LINK heft PRIVATE_LINK ${CMAKE_DL_LIBS} ${HEFT_SODIUM_LINK}
  EXCLUDE ${HEFT_SODIUM_EXCLUDE})
if(HEFT_HAVE_SODIUM)
  target_include_directories(heft_device_objects SYSTEM PRIVATE "${HEFT_SODIUM_INCLUDE_DIR}")
  target_compile_definitions(heft_device_static INTERFACE $<BUILD_INTERFACE:HEFT_HAVE_SODIUM>)
endif()
heft_add_library(heft_plugin plugin ROOMS plugin LINK heft PRIVATE_LINK ${CMAKE_DL_LIBS})

# Controllers in other processes; for the command and the tests, not installed.
file(GLOB _link CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/link/*.c")
add_library(heft_link STATIC ${_link})
target_link_libraries(heft_link PUBLIC heft_device_static heft_plugin_static PRIVATE heft_flags)
target_compile_options(heft_link PRIVATE ${HEFT_STRICT_WARNINGS})
target_include_directories(heft_link PUBLIC "${PROJECT_SOURCE_DIR}/src")
endif()

# heft_host_plugins(<program>): a program that is linked with the static libraries and loads plug-ins. It
# holds the whole core and exports it, so that program and plug-ins use the same functions.
function(heft_host_plugins program)
  target_link_options(${program} PRIVATE -Wl,--export-dynamic-symbol=heft_*)
  target_sources(${program} PRIVATE $<TARGET_OBJECTS:heft_objects>)
endfunction()

file(GLOB _io CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/io/*.c")
if(_io)
  if(NOT HEFT_WASM)  # HeftWasm.cmake compiles them
    find_package(EXPAT REQUIRED)
    find_package(PNG REQUIRED)
  endif()
  find_library(HEFT_QHULL_LIBRARY qhull_r REQUIRED)
  find_path(HEFT_QHULL_INCLUDE_DIR libqhull_r/libqhull_r.h REQUIRED)
  mark_as_advanced(HEFT_QHULL_LIBRARY HEFT_QHULL_INCLUDE_DIR)
  include(HeftZstd)
  set(_zstd "")
  if(HEFT_ZSTD_LIBRARY AND HEFT_ZSTD_INCLUDE_DIR)
    set(_zstd $<BUILD_INTERFACE:${HEFT_ZSTD_LIBRARY}> $<INSTALL_INTERFACE:zstd>)
    set(HEFT_IO_LIBS_PRIVATE -lzstd)  # of heft_io.pc
  elseif(TARGET zstd_reader)
    set(_zstd zstd_reader)
  endif()
  heft_add_library(heft_io io ROOMS io record LINK heft PRIVATE_LINK EXPAT::EXPAT PNG::PNG
    $<BUILD_INTERFACE:${HEFT_QHULL_LIBRARY}> $<INSTALL_INTERFACE:qhull_r> ${_zstd})
  target_include_directories(heft_io_objects PRIVATE "${HEFT_QHULL_INCLUDE_DIR}")
  heft_use_zstd(heft_io_objects)
endif()
