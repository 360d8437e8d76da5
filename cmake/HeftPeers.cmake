# SPDX-License-Identifier: Apache-2.0
# bench/peers/peer_*: other engines behind a pipe, for `heft validate --peers`; motion_* and batch_*: for
# `heft bench motion` and `heft bench batch`. Each is
# built where its library is found.
include(HeftScenes)
if(HEFT_SANITIZE OR NOT TARGET heft_io_static)
  return()
endif()

# heft_add_peer(<program> <source> [MORE <source>] LIBRARIES <library>... INCLUDE <folder>... DEFINE <name>...)
function(heft_add_peer program source)
  cmake_parse_arguments(arg "" "" "MORE;LIBRARIES;INCLUDE;DEFINE" ${ARGN})
  list(TRANSFORM arg_MORE PREPEND "${PROJECT_SOURCE_DIR}/bench/peers/")
  add_executable(${program} "${PROJECT_SOURCE_DIR}/bench/peers/${source}" ${arg_MORE})
  target_link_libraries(${program} PRIVATE ${HEFT_PROGRAM_LIBRARIES} ${arg_LIBRARIES} m)
  target_include_directories(${program} SYSTEM PRIVATE ${arg_INCLUDE})
  target_compile_definitions(${program} PRIVATE _POSIX_C_SOURCE=200809L ${arg_DEFINE})
  set_target_properties(${program} PROPERTIES CXX_STANDARD 17)
endfunction()

if(TARGET heft_validation)
  heft_add_peer(heft_peer_heft peer_heft.c MORE force.c LIBRARIES heft_validation INCLUDE ${PROJECT_SOURCE_DIR})
endif()

find_library(HEFT_MUJOCO_LIBRARY mujoco)
find_path(HEFT_MUJOCO_INCLUDE_DIR mujoco/mujoco.h)
if(HEFT_MUJOCO_LIBRARY AND HEFT_MUJOCO_INCLUDE_DIR)
  set(_peer_more force.c)
  foreach(use peer motion batch)
    heft_add_peer(heft_${use}_mujoco ${use}_mujoco.c MORE ${_${use}_more} LIBRARIES ${HEFT_MUJOCO_LIBRARY}
      INCLUDE ${HEFT_MUJOCO_INCLUDE_DIR})
  endforeach()
  if(TARGET heft_experiments)
    heft_add_peer(heft_open_mujoco open_mujoco.c LIBRARIES heft_experiments ${HEFT_MUJOCO_LIBRARY}
      INCLUDE ${HEFT_MUJOCO_INCLUDE_DIR})
  endif()
endif()

find_library(HEFT_BOX3D_LIBRARY box3d)
find_path(HEFT_BOX3D_INCLUDE_DIR box3d/box3d.h)
if(HEFT_BOX3D_LIBRARY AND HEFT_BOX3D_INCLUDE_DIR)
  find_package(Threads REQUIRED)
  heft_add_peer(heft_peer_box3d peer_box3d.c MORE cannot.c LIBRARIES ${HEFT_BOX3D_LIBRARY} Threads::Threads
    INCLUDE ${HEFT_BOX3D_INCLUDE_DIR})
endif()
mark_as_advanced(HEFT_BOX3D_LIBRARY HEFT_BOX3D_INCLUDE_DIR)

find_library(HEFT_ODE_LIBRARY ode)
if(HEFT_ODE_LIBRARY)
  heft_add_peer(heft_peer_ode peer_ode.c MORE cannot.c force.c LIBRARIES ${HEFT_ODE_LIBRARY})
endif()

include(CheckLanguage)
check_language(CXX)
if(NOT CMAKE_CXX_COMPILER)
  return()
endif()
enable_language(CXX)

find_path(HEFT_BULLET_INCLUDE_DIR btBulletDynamicsCommon.h PATH_SUFFIXES bullet)
find_library(HEFT_BULLET_DYNAMICS_LIBRARY BulletDynamics-float64)
find_library(HEFT_BULLET_COLLISION_LIBRARY BulletCollision-float64)
find_library(HEFT_BULLET_MATH_LIBRARY LinearMath-float64)
if(HEFT_BULLET_INCLUDE_DIR AND HEFT_BULLET_DYNAMICS_LIBRARY AND HEFT_BULLET_COLLISION_LIBRARY
   AND HEFT_BULLET_MATH_LIBRARY)
  heft_add_peer(heft_peer_bullet peer_bullet.cpp MORE cannot.c force.c INCLUDE ${HEFT_BULLET_INCLUDE_DIR}
    LIBRARIES ${HEFT_BULLET_DYNAMICS_LIBRARY} ${HEFT_BULLET_COLLISION_LIBRARY} ${HEFT_BULLET_MATH_LIBRARY}
    DEFINE BT_USE_DOUBLE_PRECISION)
endif()

find_path(HEFT_DART_INCLUDE_DIR dart/dart.hpp)
find_path(HEFT_IKFAST_INCLUDE_DIR dart/external/ikfast/ikfast.h)  # dart.hpp includes it; a package of its own
find_path(HEFT_EIGEN_INCLUDE_DIR Eigen/Core PATH_SUFFIXES eigen3)
find_library(HEFT_DART_LIBRARY dart)
find_library(HEFT_DART_ODE_LIBRARY dart-collision-ode)
find_library(HEFT_FCL_LIBRARY fcl)
find_library(HEFT_ASSIMP_LIBRARY assimp)
if(HEFT_DART_INCLUDE_DIR AND HEFT_IKFAST_INCLUDE_DIR AND HEFT_EIGEN_INCLUDE_DIR AND HEFT_DART_LIBRARY AND HEFT_DART_ODE_LIBRARY
   AND HEFT_FCL_LIBRARY AND HEFT_ASSIMP_LIBRARY)
  heft_add_peer(heft_peer_dart peer_dart.cpp MORE cannot.c force.c INCLUDE ${HEFT_DART_INCLUDE_DIR} ${HEFT_EIGEN_INCLUDE_DIR}
    LIBRARIES ${HEFT_DART_ODE_LIBRARY} ${HEFT_DART_LIBRARY} ${HEFT_FCL_LIBRARY} ${HEFT_ASSIMP_LIBRARY})
endif()
find_path(HEFT_SICONOS_FOLDER kernel/TimeStepping.hpp PATH_SUFFIXES siconos)
find_library(HEFT_SICONOS_MECHANICS_LIBRARY siconos_mechanics)
find_library(HEFT_SICONOS_KERNEL_LIBRARY siconos_kernel)
find_library(HEFT_SICONOS_NUMERICS_LIBRARY siconos_numerics)
if(HEFT_SICONOS_FOLDER AND HEFT_SICONOS_MECHANICS_LIBRARY AND HEFT_SICONOS_KERNEL_LIBRARY
   AND HEFT_SICONOS_NUMERICS_LIBRARY AND HEFT_BULLET_INCLUDE_DIR)
  heft_add_peer(heft_peer_siconos peer_siconos.cpp MORE cannot.c force.c
    INCLUDE ${HEFT_SICONOS_FOLDER} ${HEFT_SICONOS_FOLDER}/kernel ${HEFT_SICONOS_FOLDER}/mechanics
            ${HEFT_SICONOS_FOLDER}/numerics ${HEFT_BULLET_INCLUDE_DIR}
    LIBRARIES ${HEFT_SICONOS_MECHANICS_LIBRARY} ${HEFT_SICONOS_KERNEL_LIBRARY}
              ${HEFT_SICONOS_NUMERICS_LIBRARY}
    DEFINE BT_USE_DOUBLE_PRECISION)
endif()
mark_as_advanced(HEFT_SICONOS_FOLDER HEFT_SICONOS_MECHANICS_LIBRARY HEFT_SICONOS_KERNEL_LIBRARY
  HEFT_SICONOS_NUMERICS_LIBRARY HEFT_BULLET_INCLUDE_DIR HEFT_BULLET_DYNAMICS_LIBRARY HEFT_BULLET_COLLISION_LIBRARY
  HEFT_BULLET_MATH_LIBRARY HEFT_DART_INCLUDE_DIR HEFT_IKFAST_INCLUDE_DIR HEFT_EIGEN_INCLUDE_DIR HEFT_DART_LIBRARY
  HEFT_DART_ODE_LIBRARY HEFT_FCL_LIBRARY HEFT_ASSIMP_LIBRARY)
