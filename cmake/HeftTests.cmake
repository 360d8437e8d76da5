# SPDX-License-Identifier: Apache-2.0
# Everything CTest runs:
#   tests/<room>/test_<thing>.c   a cmocka program each, named <room>/<thing>; may see private headers
#   tests/support/*.c             helpers linked to every test
#   tests/tools/test_*.sh         tests of the scripts in tools/
#   tests/determinism             the library built in many ways, for the same bits from all
#   tests/install                 programs that use an installed Heft
#   examples/*.c                  compiled and run: an example that returns non-zero fails
#   bench/*.c                     compiled, not run
#   bench/peers/<peer>_*.c        the same where that peer is installed
include(HeftScenes)
if(NOT TARGET cmocka::cmocka)
  find_package(cmocka REQUIRED)
endif()

# Large reference data lives beside the repository, not in it. Tests that want it must skip, and say
# so, when the folder is absent.
set(_shared "${PROJECT_SOURCE_DIR}/../shared")
if(NOT EXISTS "${_shared}" AND EXISTS "${PROJECT_SOURCE_DIR}/../../shared")
  set(_shared "${PROJECT_SOURCE_DIR}/../../shared")  # the source is a Git worktree one level down
endif()
cmake_path(NORMAL_PATH _shared)
set(HEFT_SHARED_DIR "${_shared}" CACHE PATH "Reference data used by some tests")

# Assertions of tests and examples must bite in a Release build too. The library under test has the level of
# the build; the tests themselves have a low one, which halves the time to compile them. Sanitizers at the lowest
# level find the same in a test and compile it in a fifth of the time.
add_library(heft_test_flags INTERFACE)
target_link_libraries(heft_test_flags INTERFACE heft_flags)
target_compile_options(heft_test_flags INTERFACE -UNDEBUG $<$<CONFIG:Release>:-O1>
  $<$<BOOL:${HEFT_SANITIZE}>:-O0>)
target_compile_definitions(heft_test_flags INTERFACE
  HEFT_SHARED_DIR="${HEFT_SHARED_DIR}" HEFT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")

file(GLOB _support CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/support/*.c")
set(HEFT_TEST_LIBRARIES ${HEFT_PROGRAM_LIBRARIES})
if(_support)
  add_library(heft_test_support STATIC ${_support})
  target_link_libraries(heft_test_support PUBLIC ${HEFT_PROGRAM_LIBRARIES} PRIVATE heft_test_flags)
  target_include_directories(heft_test_support PRIVATE
    "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests" ${CMOCKA_INCLUDE_DIR})
  if(HEFT_WASM)  # whose headers are not those of the machine
    target_link_libraries(heft_test_support PUBLIC cmocka::cmocka)
  endif()
  list(PREPEND HEFT_TEST_LIBRARIES heft_test_support)
endif()

if(TARGET cmocka::cmocka)
  set(_cmocka cmocka::cmocka)
else()
  set(_cmocka ${CMOCKA_LIBRARIES})
endif()

file(GLOB _tests CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/*/test_*.c")
foreach(source IN LISTS _tests)
  cmake_path(GET source PARENT_PATH folder)
  cmake_path(GET folder FILENAME room)
  cmake_path(GET source STEM stem)
  string(REGEX REPLACE "^test_" "" thing ${stem})
  if((room STREQUAL "view" AND NOT TARGET heft_view) OR (room MATCHES "^(check|counted|generate|judge|ros2|sweep|queue|why)$" AND HEFT_WASM) OR
      (room STREQUAL "serve" AND (NOT TARGET heft_serve OR
        (thing MATCHES "^(server|hostile|starved)$" AND NOT HEFT_HAVE_SERVE))) OR
      (HEFT_TESTS_LEFT_OUT AND "${room}/${thing}" MATCHES "${HEFT_TESTS_LEFT_OUT}"))
    continue()
  endif()
  set(target test_${room}_${thing})
  add_executable(${target} ${source})
  target_link_libraries(${target} PRIVATE heft_test_flags ${HEFT_TEST_LIBRARIES} ${_cmocka} m)
  target_include_directories(${target} PRIVATE
    "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests" ${CMOCKA_INCLUDE_DIR})
  if(room STREQUAL "view")
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/apps")
    target_link_libraries(${target} PRIVATE heft_view_static)
  endif()
  if(room STREQUAL "serve")
    target_link_libraries(${target} PRIVATE heft_serve)
  endif()
  if(room STREQUAL "counted")
    include(HeftCounted)
    target_link_libraries(${target} PRIVATE heft_counted)
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C)
  endif()
  if(room STREQUAL "check")  # the program without its main()
    file(GLOB _checker CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/apps/check/*.c")
    list(FILTER _checker EXCLUDE REGEX "main.c$")
    target_sources(${target} PRIVATE ${_checker} "${PROJECT_SOURCE_DIR}/apps/heft/evidence.c")
  endif()
  if(room STREQUAL "ros2")  # what needs no DDS
    target_sources(${target} PRIVATE "${PROJECT_SOURCE_DIR}/apps/ros2/handover.c" "${PROJECT_SOURCE_DIR}/apps/ros2/commands.c")
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/apps")
  endif()
  if(room STREQUAL "judge")
    include(HeftJudge)
    target_link_libraries(${target} PRIVATE heft_judge)
    target_compile_definitions(${target} PRIVATE HEFT_MODEL_DIR="${PROJECT_SOURCE_DIR}/models")
  endif()
  if(room STREQUAL "why")
    include(HeftWhy)
    target_link_libraries(${target} PRIVATE heft_why)
  endif()
  if(room STREQUAL "generate")
    include(HeftGenerate)
    target_link_libraries(${target} PRIVATE heft_generate)
  endif()
  if(room STREQUAL "queue")
    include(HeftQueue)
    target_link_libraries(${target} PRIVATE heft_queue)
  endif()
  if(room STREQUAL "sweep")
    include(HeftSweep)
    target_link_libraries(${target} PRIVATE heft_sweep)
    if(thing STREQUAL "hdf5")  # what libhdf5 thinks of the files
      find_library(HEFT_HDF5_LIBRARY NAMES hdf5_serial hdf5)
      find_path(HEFT_HDF5_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
      if(HEFT_HDF5_LIBRARY AND HEFT_HDF5_INCLUDE_DIR)
        target_link_libraries(${target} PRIVATE ${HEFT_HDF5_LIBRARY})
        target_include_directories(${target} SYSTEM PRIVATE "${HEFT_HDF5_INCLUDE_DIR}")
        target_compile_definitions(${target} PRIVATE HEFT_HAVE_HDF5 _DEFAULT_SOURCE)
      endif()
    endif()
  endif()
  # MuJoCo, which some tests load, throws. The sanitizer of clang searches for that function at the start of a program only.
  if(HEFT_SANITIZE MATCHES "address" AND room MATCHES "^(io|world)$")
    target_link_options(${target} PRIVATE -Wl,--no-as-needed -lstdc++ -Wl,--as-needed)
  endif()
  if(thing STREQUAL "starved")  # the heap of the test fails
    target_sources(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tests/faults/starved.c")
    target_link_options(${target} PRIVATE
      -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc)
  endif()
  set(test ${HEFT_TEST_PREFIX}${room}/${thing})
  add_test(NAME ${test} COMMAND ${target} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(${test} PROPERTIES LABELS ${room} TIMEOUT 900 SKIP_RETURN_CODE 77)
  if(target MATCHES "^test_view_(picture|starved)$")  # Mesa's drivers keep some bytes until the end
    set_tests_properties(${test} PROPERTIES ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0")
  endif()
endforeach()

if(TARGET heft_io_static)
  add_executable(determinism_hashes
    "${PROJECT_SOURCE_DIR}/tests/determinism/hashes.c" "${PROJECT_SOURCE_DIR}/tests/determinism/cuts.c")
  target_link_libraries(determinism_hashes PRIVATE heft_flags heft_scenes heft_io_static heft_static m)
  target_include_directories(determinism_hashes PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}")
endif()
if(HEFT_WASM)  # what follows needs processes, sockets or dlopen
  return()
endif()

# Every build has the stored bits.
if(TARGET determinism_hashes)
  add_test(NAME determinism/bits COMMAND sh "${PROJECT_SOURCE_DIR}/tests/determinism/compare.sh" "${PROJECT_SOURCE_DIR}"
    --program $<TARGET_FILE:determinism_hashes>)
  set_tests_properties(determinism/bits PROPERTIES LABELS determinism TIMEOUT 900)
endif()

# The longest begin first, so that none of them is left alone at the end.
foreach(test IN ITEMS io/models experiments/short io/urdf_write validation/cases)
  if(TEST ${test})
    set_tests_properties(${test} PROPERTIES COST 80)
  endif()
endforeach()

# Devices that are not there, for the drivers under test.
include(HeftEmulate)
foreach(target IN ITEMS test_device_haply test_device_sdk test_device_secure test_device_udp)
  if(TARGET ${target})
    target_link_libraries(${target} PRIVATE heft_emulate)
    target_compile_definitions(${target} PRIVATE HEFT_MODULE_DIR="${HEFT_MODULE_DIR}")
    add_dependencies(${target} ${HEFT_MODULES})
  endif()
endforeach()

# Logs, read by the reader of the command.
if(TARGET test_record_run_log)
  foreach(part run_read)
    target_sources(test_record_run_log PRIVATE "${PROJECT_SOURCE_DIR}/apps/heft/${part}.c")
  endforeach()
  heft_use_zstd(test_record_run_log)
endif()

# Plug-ins in several versions, for the test that loads them.
set(_modules "${PROJECT_BINARY_DIR}/plugin-modules")
foreach(module pulse_1 pulse_2 pulse_3 pulse_4 pulse_5 stranger)
  string(REGEX REPLACE "_.*" "" source ${module})
  string(REGEX REPLACE "[^0-9]" "" version ${module})
  add_library(plugin_${module} MODULE "${PROJECT_SOURCE_DIR}/tests/plugin/modules/${source}.c")
  set_target_properties(plugin_${module} PROPERTIES PREFIX "" OUTPUT_NAME ${module}
    LIBRARY_OUTPUT_DIRECTORY "${_modules}")
  target_include_directories(plugin_${module} PRIVATE "${PROJECT_SOURCE_DIR}/include")
  target_compile_definitions(plugin_${module} PRIVATE "PULSE_VERSION=${version}")
  add_dependencies(test_plugin_reload plugin_${module})
endforeach()
target_compile_definitions(test_plugin_reload PRIVATE PULSE_DIR="${_modules}" _POSIX_C_SOURCE=200809L)
heft_host_plugins(test_plugin_reload)
target_compile_definitions(test_device_starved PRIVATE PULSE="$<TARGET_FILE:plugin_pulse_1>")
add_dependencies(test_device_starved plugin_pulse_1)
heft_host_plugins(test_device_starved)

# The validation set, which the heft command shares.
include(HeftValidation)
if(TARGET test_validation_cases AND TARGET heft_validation)
  target_link_libraries(test_validation_cases PRIVATE heft_validation)
endif()

# Experiments and the controllers that they use.
include(HeftExperiments)
foreach(target IN ITEMS test_control_biped test_control_legged test_control_rise test_control_parts test_control_whole_body
    test_experiments_hands test_experiments_measured test_experiments_mirror test_experiments_short test_experiments_bodies test_experiments_acts test_experiments_paper_values test_experiments_snatch)
  if(TARGET ${target} AND TARGET heft_experiments)
    target_link_libraries(${target} PRIVATE heft_experiments)
  endif()
endforeach()

# Many watchers of a served world; a measurement, not run by CTest.
if(HEFT_HAVE_SERVE AND TARGET heft_serve)
  add_executable(serve_load "${PROJECT_SOURCE_DIR}/tests/serve/load.c")
  target_link_libraries(serve_load PRIVATE heft_test_flags heft_serve ${HEFT_PROGRAM_LIBRARIES} m)
  target_include_directories(serve_load PRIVATE "${PROJECT_SOURCE_DIR}/tests")
endif()

# The window, used as a monkey would; the script describes the long form.
if(TARGET heft_view AND TARGET heft_command AND HEFT_SANITIZE MATCHES "address")
  add_test(NAME view/monkey COMMAND bash "${PROJECT_SOURCE_DIR}/tests/view/monkey.sh"
    $<TARGET_FILE:heft_command> "${PROJECT_BINARY_DIR}/view-monkey" 8)
  set_tests_properties(view/monkey PROPERTIES LABELS view TIMEOUT 900 SKIP_RETURN_CODE 77 RESOURCE_LOCK screen)
endif()

# Every scene and model runs in real time on a nominal core. Alone: a busy neighbour on the same core disturbs the measure.
if(TARGET heft_command AND NOT HEFT_SANITIZE)
  add_test(NAME scenes/speed COMMAND heft_command bench scenes --seconds 1 --min 0.9)
  set_tests_properties(scenes/speed PROPERTIES LABELS scenes TIMEOUT 300 RUN_SERIAL TRUE
    ENVIRONMENT "HEFT_SCENES=${PROJECT_SOURCE_DIR}/scenes")
endif()

# The window, used as a person would.
if(TARGET heft_view AND TARGET heft_command AND NOT HEFT_SANITIZE)
  add_test(NAME view/window COMMAND bash "${PROJECT_SOURCE_DIR}/tests/view/window.sh"
    $<TARGET_FILE:heft_command> "${PROJECT_BINARY_DIR}/view-window")
  add_test(NAME view/start COMMAND bash "${PROJECT_SOURCE_DIR}/tests/view/start.sh"
    $<TARGET_FILE:heft_command> "${PROJECT_BINARY_DIR}/view-start")
  set_tests_properties(view/start PROPERTIES LABELS "view;window" TIMEOUT 200 SKIP_RETURN_CODE 77 RESOURCE_LOCK screen)
  add_test(NAME view/fits COMMAND bash "${PROJECT_SOURCE_DIR}/tests/view/fits.sh"
    $<TARGET_FILE:heft_command> "${PROJECT_BINARY_DIR}/view-fits")
  set_tests_properties(view/fits PROPERTIES LABELS "view;window" TIMEOUT 200 SKIP_RETURN_CODE 77 RESOURCE_LOCK screen)
  add_test(NAME view/plugin COMMAND bash "${PROJECT_SOURCE_DIR}/tests/view/plugin.sh"
    $<TARGET_FILE:heft_command> "${PROJECT_BINARY_DIR}/view-plugin")
  add_test(NAME view/acts COMMAND bash "${PROJECT_SOURCE_DIR}/tests/view/acts.sh"
    $<TARGET_FILE:heft_command> "${PROJECT_BINARY_DIR}/view-acts" walk delassus)  # all without a name
  add_test(NAME view/log COMMAND bash "${PROJECT_SOURCE_DIR}/tests/view/log.sh"
    $<TARGET_FILE:heft_command> "${PROJECT_BINARY_DIR}/view-log")
  set_tests_properties(view/log PROPERTIES LABELS "view;window" TIMEOUT 900 SKIP_RETURN_CODE 77 RESOURCE_LOCK screen)
  add_test(NAME view/refusals COMMAND bash "${PROJECT_SOURCE_DIR}/tests/view/refusals.sh"
    $<TARGET_FILE:heft_command> "${PROJECT_BINARY_DIR}/view-refusals")
  set_tests_properties(view/refusals PROPERTIES LABELS "view;window" TIMEOUT 900
    SKIP_RETURN_CODE 77 RESOURCE_LOCK screen)
  add_test(NAME view/objects COMMAND bash "${PROJECT_SOURCE_DIR}/tests/view/objects.sh"
    $<TARGET_FILE:heft_command> "${PROJECT_BINARY_DIR}/view-objects")
  set_tests_properties(view/objects PROPERTIES LABELS "view;window" TIMEOUT 200 SKIP_RETURN_CODE 77
    RESOURCE_LOCK screen)
  add_test(NAME view/late COMMAND bash "${PROJECT_SOURCE_DIR}/tests/view/late.sh"
    $<TARGET_FILE:heft_command> "${PROJECT_BINARY_DIR}/view-late")
  set_tests_properties(view/late PROPERTIES LABELS "view;window" TIMEOUT 200 SKIP_RETURN_CODE 77 RESOURCE_LOCK screen)
  add_test(NAME view/feel COMMAND bash "${PROJECT_SOURCE_DIR}/tests/view/feel.sh"
    $<TARGET_FILE:heft_command> "${PROJECT_BINARY_DIR}/view-feel")
  set_tests_properties(view/feel PROPERTIES LABELS "view;window" TIMEOUT 200 SKIP_RETURN_CODE 77 RESOURCE_LOCK screen)
  set_tests_properties(view/acts PROPERTIES LABELS "view;window" TIMEOUT 200 SKIP_RETURN_CODE 77 RESOURCE_LOCK screen)
  set_tests_properties(view/plugin PROPERTIES LABELS "view;window" TIMEOUT 200 SKIP_RETURN_CODE 77
    RESOURCE_LOCK screen ENVIRONMENT "CC=${CMAKE_C_COMPILER}")
  set_tests_properties(view/window PROPERTIES LABELS "view;window" TIMEOUT 600 SKIP_RETURN_CODE 77 RESOURCE_LOCK screen)
  # One has the screen at a time, so that the row of them begins first.
  set_tests_properties(view/window view/start view/fits view/plugin view/acts view/log view/refusals view/objects view/late view/feel
    PROPERTIES COST 100)
endif()

# Other libraries that collision is held against, where they are installed.
find_library(HEFT_ODE_LIBRARY ode)
find_library(HEFT_CCD_LIBRARY ccd)
mark_as_advanced(HEFT_ODE_LIBRARY HEFT_CCD_LIBRARY)
if(TARGET test_collision_peers AND HEFT_ODE_LIBRARY AND HEFT_CCD_LIBRARY)
  target_compile_definitions(test_collision_peers PRIVATE HEFT_HAVE_PEERS)
  target_link_libraries(test_collision_peers PRIVATE ${HEFT_ODE_LIBRARY} ${HEFT_CCD_LIBRARY})
endif()

# Every public header stands on its own, in C and in C++.
file(GLOB _headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/include"
  "${PROJECT_SOURCE_DIR}/include/heft/*.h")
include(CheckLanguage)
check_language(CXX)
set(_languages c)
if(CMAKE_CXX_COMPILER)
  enable_language(CXX)
  list(APPEND _languages cpp)
endif()
if(HEFT_SANITIZE)  # of no use for headers
  set(_languages "")
endif()
foreach(language IN LISTS _languages)
  set(_probes "")
  foreach(header IN LISTS _headers)
    string(MAKE_C_IDENTIFIER "${header}" probe)
    set(probe "${PROJECT_BINARY_DIR}/headers/${probe}.${language}")
    file(CONFIGURE OUTPUT "${probe}" CONTENT "#include <${header}>\n#include <${header}>\n")
    list(APPEND _probes "${probe}")
  endforeach()
  add_library(heft_headers_${language} OBJECT ${_probes})
  target_link_libraries(heft_headers_${language} PRIVATE heft_static)
  target_compile_options(heft_headers_${language} PRIVATE -Wall -Wextra -Wshadow -Werror)
endforeach()

file(GLOB _scripts CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/tools/test_*.sh")
foreach(script IN LISTS _scripts)
  cmake_path(GET script STEM stem)
  string(REGEX REPLACE "^test_" "" thing ${stem})
  add_test(NAME tools/${thing} COMMAND sh "${script}" WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(tools/${thing} PROPERTIES LABELS tools TIMEOUT 900 SKIP_RETURN_CODE 77
    ENVIRONMENT "CC=${CMAKE_C_COMPILER}")
endforeach()

# The command: logs of its runs, read by a reader of its own; contact models side by side; sessions with
# emulated people, and their replay; contact problems in HDF5; the form of a benchmark.
if(TARGET heft_command)
  set(_scripts run_logs run_status compare feel_replay fclib names help bench_motion plugins completion live
    robots json controller serve shared sweep generate identify measured predict full_disk check referee)
  if(NOT HEFT_SANITIZE)
    # many calls of the command: slow with sanitizers, which find nothing in them but leaks of Mesa
    list(APPEND _scripts options ten_tasks)
  endif()
  foreach(script IN LISTS _scripts)
    add_test(NAME apps/${script} COMMAND sh "${PROJECT_SOURCE_DIR}/tests/tools/${script}.sh"
      $<TARGET_FILE:heft_command> "${PROJECT_SOURCE_DIR}/scenes")
    set_tests_properties(apps/${script} PROPERTIES LABELS apps TIMEOUT 900 SKIP_RETURN_CODE 77)
  endforeach()
  if(NOT HEFT_SANITIZE)
    add_test(NAME apps/hold COMMAND sh "${PROJECT_SOURCE_DIR}/tests/tools/hold.sh" $<TARGET_FILE:heft_command>
      $<TARGET_FILE:test_world_margin_scenes>)
    set_tests_properties(apps/hold PROPERTIES LABELS apps TIMEOUT 900)
  endif()
  # An importer of FMI that steps what heft convert writes. A module with a sanitizer needs a program with it.
  if(NOT HEFT_SANITIZE)
    add_executable(fmu_importer "${PROJECT_SOURCE_DIR}/tests/fmu/importer.c")
    target_include_directories(fmu_importer PRIVATE "${PROJECT_SOURCE_DIR}/apps")
    target_link_libraries(fmu_importer PRIVATE heft_test_flags heft_io_static heft_static ${CMAKE_DL_LIBS} m)
    target_compile_definitions(fmu_importer PRIVATE _DEFAULT_SOURCE)
    add_test(NAME apps/fmu COMMAND sh "${PROJECT_SOURCE_DIR}/tests/fmu/fmu.sh" $<TARGET_FILE:heft_command>
      $<TARGET_FILE:fmu_importer> "${PROJECT_SOURCE_DIR}/scenes")
    set_tests_properties(apps/fmu PROPERTIES LABELS apps TIMEOUT 300)
  endif()
  # Foxglove's reader, from npm; a reader in another language sees no difference between compilers.
  add_test(NAME tools/foxglove COMMAND sh "${PROJECT_SOURCE_DIR}/tests/tools/foxglove.sh"
    $<TARGET_FILE:heft_command> "${PROJECT_SOURCE_DIR}/scenes" "${PROJECT_BINARY_DIR}/npm")
  set_tests_properties(tools/foxglove PROPERTIES LABELS tools TIMEOUT 900 SKIP_RETURN_CODE 77)
  set_tests_properties(apps/generate PROPERTIES ENVIRONMENT "HEFT_SHARED=${HEFT_SHARED_DIR};CC=${CMAKE_C_COMPILER}")
  set_tests_properties(apps/bench_motion PROPERTIES ENVIRONMENT "HEFT_ROBOTS=${HEFT_SHARED_DIR}/models")
  add_executable(example_hold "${PROJECT_SOURCE_DIR}/examples/controller/hold.c")
  target_link_libraries(example_hold PRIVATE heft_test_flags heft_device_static m)
  add_executable(example_balance "${PROJECT_SOURCE_DIR}/examples/controller/balance.c")
  target_link_libraries(example_balance PRIVATE heft_test_flags heft_device_static ${HEFT_PROGRAM_LIBRARIES} m)
  set_tests_properties(apps/controller PROPERTIES ENVIRONMENT
    "HEFT_SHARED=${HEFT_SHARED_DIR};CC=${CMAKE_C_COMPILER};HOLD=$<TARGET_FILE:example_hold>;BALANCE=$<TARGET_FILE:example_balance>")
endif()

include(HeftApi)  # finds Python, which the tests from here on need

# A node on Fast DDS, in a network namespace.
find_library(HEFT_FASTRTPS_LIBRARY fastrtps)
find_library(HEFT_FASTCDR_LIBRARY fastcdr)
mark_as_advanced(HEFT_FASTRTPS_LIBRARY HEFT_FASTCDR_LIBRARY)
if(TARGET heft_ros2 AND HEFT_PYTHON AND CMAKE_CXX_COMPILER AND HEFT_FASTRTPS_LIBRARY AND HEFT_FASTCDR_LIBRARY AND NOT HEFT_SANITIZE)
  add_executable(ros2_peer "${PROJECT_SOURCE_DIR}/tests/ros2/peer.cpp")
  target_compile_features(ros2_peer PRIVATE cxx_std_17)
  target_compile_options(ros2_peer PRIVATE -O1)
  target_link_libraries(ros2_peer PRIVATE ${HEFT_FASTRTPS_LIBRARY} ${HEFT_FASTCDR_LIBRARY} Threads::Threads)
  add_test(NAME ros2/live COMMAND "${HEFT_PYTHON}" -B "${PROJECT_SOURCE_DIR}/tests/ros2/live.py"
    $<TARGET_FILE:heft_command> $<TARGET_FILE:ros2_peer> "${HEFT_SHARED_DIR}/models")
  set_tests_properties(ros2/live PROPERTIES LABELS ros2 TIMEOUT 300 SKIP_RETURN_CODE 77)
endif()

# Tosses of a real cube, landings of a real robot.
if(TARGET heft_command AND HEFT_PYTHON AND NOT HEFT_SANITIZE)
  add_test(NAME validation/tosses COMMAND sh "${PROJECT_SOURCE_DIR}/tests/validation/tosses.sh" $<TARGET_FILE:heft_command>
    "${HEFT_SHARED_DIR}" "${PROJECT_SOURCE_DIR}/tools")
  set_tests_properties(validation/tosses PROPERTIES LABELS validation TIMEOUT 300 SKIP_RETURN_CODE 77)
endif()

# Every driver end to end, with emulated devices; mostly waits.
if(TARGET heft_command AND NOT HEFT_SANITIZE)
  add_test(NAME device/emulators COMMAND bash "${PROJECT_SOURCE_DIR}/tests/device/emulators.sh" $<TARGET_FILE:heft_command>
    "${PROJECT_SOURCE_DIR}/scenes")
  set_tests_properties(device/emulators PROPERTIES LABELS device TIMEOUT 300 COST 100)
endif()

# Debian's spacenavd with an emulated SpaceMouse.
if(TARGET heft_command AND HEFT_PYTHON AND NOT HEFT_SANITIZE)
  add_test(NAME device/spacenavd COMMAND "${HEFT_PYTHON}"
    "${PROJECT_SOURCE_DIR}/tests/device/spacenavd.py" $<TARGET_FILE:heft_command>)
  set_tests_properties(device/spacenavd PROPERTIES LABELS device TIMEOUT 120
    SKIP_RETURN_CODE 77)
endif()

# Faults of the machine while the command works. Sanitizers have the heap for themselves.
if(TARGET heft_command AND HEFT_PYTHON AND NOT HEFT_SANITIZE AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
  add_library(faulty MODULE "${PROJECT_SOURCE_DIR}/tests/faults/faulty.c")
  target_link_libraries(faulty PRIVATE heft_flags)
  set_target_properties(faulty PROPERTIES PREFIX "" C_VISIBILITY_PRESET default)
  add_test(NAME faults/memory COMMAND "${HEFT_PYTHON}" "${PROJECT_SOURCE_DIR}/tests/faults/memory.py"
    $<TARGET_FILE:heft_command> "${PROJECT_SOURCE_DIR}/scenes" $<TARGET_FILE:faulty>
    $<TARGET_FILE:plugin_pulse_1> $<TARGET_FILE:example_hold>)
  set_tests_properties(faults/memory PROPERTIES LABELS tools TIMEOUT 600)
  foreach(fault disk signals kill sweep render film home clock)
    add_test(NAME faults/${fault} COMMAND "${HEFT_PYTHON}" "${PROJECT_SOURCE_DIR}/tests/faults/faults.py"
      $<TARGET_FILE:heft_command> "${PROJECT_SOURCE_DIR}/scenes" $<TARGET_FILE:faulty> ${fault})
    set_tests_properties(faults/${fault} PROPERTIES LABELS tools TIMEOUT 600)
  endforeach()
  add_test(NAME faults/crafted COMMAND "${HEFT_PYTHON}" "${PROJECT_SOURCE_DIR}/tests/faults/crafted.py"
    $<TARGET_FILE:heft_command> "${PROJECT_SOURCE_DIR}/scenes")
  set_tests_properties(faults/crafted PROPERTIES LABELS tools TIMEOUT 600)
  add_test(NAME faults/hostile COMMAND "${HEFT_PYTHON}" "${PROJECT_SOURCE_DIR}/tests/faults/hostile.py"
    $<TARGET_FILE:heft_command> "${HEFT_SHARED_DIR}/adversarial/hostile")
  set_tests_properties(faults/hostile PROPERTIES LABELS tools TIMEOUT 600 SKIP_RETURN_CODE 77)
endif()

# Functions that may take memory, and the tests in which it runs out.
if(HEFT_PYTHON)
  file(GLOB _starved CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/*/test_starved.c")
  add_test(NAME api/makers COMMAND "${HEFT_PYTHON}" "${PROJECT_SOURCE_DIR}/tests/api/makers.py"
    "${PROJECT_SOURCE_DIR}/include/heft" ${_starved})
  # Every pointer of a public function has a direction, every array a length.
  add_test(NAME api/pointers COMMAND "${HEFT_PYTHON}" -B "${HEFT_API_TOOL}" --check "${PROJECT_SOURCE_DIR}/include/heft")
  set_tests_properties(api/makers api/pointers PROPERTIES LABELS api TIMEOUT 100)
endif()

# A new kind (of joints, sensors, ...) gives a diagnostic at every place that must change.
if(HEFT_PYTHON AND NOT HEFT_SANITIZE)
  add_test(NAME api/kinds COMMAND "${HEFT_PYTHON}" "${PROJECT_SOURCE_DIR}/tests/api/kinds.py" "${PROJECT_BINARY_DIR}")
  set_tests_properties(api/kinds PROPERTIES LABELS api TIMEOUT 300)
endif()

# Wrong calls of every public function, written from the headers.
if(TARGET test_api_misuse AND HEFT_PYTHON AND TARGET heft_io)
  set(_misuse "${PROJECT_SOURCE_DIR}/tests/api/misuse.py")
  add_custom_command(OUTPUT "${PROJECT_BINARY_DIR}/misuse/misuse_calls.h"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/misuse"
    COMMAND "${HEFT_PYTHON}" "${_misuse}" "${HEFT_API_JSON}" "${PROJECT_BINARY_DIR}/misuse/misuse_calls.h"
    DEPENDS "${_misuse}" "${HEFT_API_TOOL}" "${HEFT_API_JSON}")
  add_dependencies(test_api_misuse heft_api)
  target_sources(test_api_misuse PRIVATE "${PROJECT_BINARY_DIR}/misuse/misuse_calls.h")
  target_include_directories(test_api_misuse PRIVATE "${PROJECT_BINARY_DIR}/misuse")
  target_compile_definitions(test_api_misuse PRIVATE HEFT_HAVE_MISUSE_CALLS)
endif()

# What the manual shows is compiled and run.
if(TARGET heft_command AND HEFT_PYTHON AND NOT HEFT_SANITIZE)
  file(GLOB _pages CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/manual/*.md" "${PROJECT_SOURCE_DIR}/docs/tutorials/*.md")
  add_test(NAME docs/snippets COMMAND "${HEFT_PYTHON}" "${PROJECT_SOURCE_DIR}/tools/run_snippets.py"
    "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}" "${CMAKE_C_COMPILER}" ${_pages}
    "${PROJECT_SOURCE_DIR}/README.md")
  set_tests_properties(docs/snippets PROPERTIES LABELS docs TIMEOUT 600)
endif()

# Planted mistakes, each of which makes a test fail; one preset of them is enough.
if(NOT HEFT_SANITIZE AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
  # One of the planted mistakes; tests/mutate.sh tries them all.
  add_test(NAME mutations/sample COMMAND sh "${PROJECT_SOURCE_DIR}/tests/mutate.sh" --build "${PROJECT_BINARY_DIR}" --sample 1)
  set_tests_properties(mutations/sample PROPERTIES LABELS mutations TIMEOUT 1200 RESOURCE_LOCK ninja)
  # Faults that a step must see itself, every fifth; tests/world/seeded.sh tries them all.
  if(TARGET heft_io_static)
    add_test(NAME mutations/seeded COMMAND sh "${PROJECT_SOURCE_DIR}/tests/world/seeded.sh"
      "$<TARGET_FILE_DIR:heft_static>" --sample)
    set_tests_properties(mutations/seeded PROPERTIES LABELS mutations TIMEOUT 600 COST 20)
  endif()
  # Five removed checks of security, other ones in another commit.
  if(HEFT_HAVE_SODIUM AND TARGET heft_serve AND TARGET heft_sweep)
    add_test(NAME mutations/security COMMAND sh "${PROJECT_SOURCE_DIR}/tests/mutate.sh" --build "${PROJECT_BINARY_DIR}"
      --list "${PROJECT_SOURCE_DIR}/tests/tools/security_mutations.txt" --turn 3)
    set_tests_properties(mutations/security PROPERTIES LABELS mutations TIMEOUT 1800 COST 300 RESOURCE_LOCK ninja)
  endif()
endif()

# Programs outside this build that use an installed Heft: a small one, those of the README and of the
# manual built by the recipes of these pages, and the headers with a user's warnings. A sanitized
# library would ask its users to be sanitized too, so there is nothing to test there.
if(NOT HEFT_SANITIZE)
  set(_install "${PROJECT_SOURCE_DIR}/tests/install")
  set(_with "${PROJECT_BINARY_DIR}" "${CMAKE_COMMAND}" "${CMAKE_C_COMPILER}")
  add_test(NAME install/prefix COMMAND sh "${_install}/run.sh" ${_with} prefix)
  set_tests_properties(install/prefix PROPERTIES LABELS install TIMEOUT 900
    FIXTURES_SETUP heft_prefix)
  set(_ways "")
  foreach(way cmake-shared cmake-static pkgconfig-shared pkgconfig-static)
    add_test(NAME install/${way} COMMAND sh "${_install}/run.sh" ${_with} ${way})
    set(_recipe README.md)  # which has the line of pkg-config
    if(way MATCHES "^cmake")
      set(_recipe docs/manual/installing.md)
    endif()
    add_test(NAME install/readme-${way} COMMAND sh "${_install}/recipes.sh" ${_with} readme-${way}
      "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/${_recipe}")
    list(APPEND _ways install/${way} install/readme-${way})
    if(TARGET heft_io)
      add_test(NAME install/manual-${way} COMMAND sh "${_install}/recipes.sh" ${_with} manual-${way}
        "${PROJECT_SOURCE_DIR}/docs/manual/first-steps.md"
        "${PROJECT_SOURCE_DIR}/docs/manual/installing.md")
      list(APPEND _ways install/manual-${way})
    endif()
  endforeach()
  foreach(way device-cmake-shared device-cmake-static device-pkgconfig-shared
      plugin-cmake-shared plugin-cmake-static plugin-pkgconfig-shared
      view-cmake-shared view-cmake-static view-pkgconfig-shared)
    add_test(NAME install/${way} COMMAND sh "${_install}/parts.sh" ${_with} ${way})
    list(APPEND _ways install/${way})
  endforeach()
  foreach(way laws-cmake laws-pkgconfig)
    add_test(NAME install/${way} COMMAND sh "${_install}/laws.sh" ${_with} ${way})
    list(APPEND _ways install/${way})
  endforeach()
  add_test(NAME install/headers COMMAND sh "${_install}/headers.sh" "${PROJECT_BINARY_DIR}" headers)
  set_tests_properties(${_ways} install/headers PROPERTIES FIXTURES_REQUIRED heft_prefix
    LABELS install TIMEOUT 900 SKIP_RETURN_CODE 77)
endif()

# A program with its own loop and a window, used as a person would.
if(TARGET heft_view)
  add_executable(example_own_loop "${PROJECT_SOURCE_DIR}/examples/window/own_loop.c")
  target_link_libraries(example_own_loop PRIVATE heft_test_flags heft_view_static
    ${HEFT_PROGRAM_LIBRARIES} m)
  if(NOT HEFT_SANITIZE)
    add_test(NAME view/own_loop COMMAND bash "${PROJECT_SOURCE_DIR}/tests/view/own_loop.sh"
      $<TARGET_FILE:example_own_loop> "${PROJECT_BINARY_DIR}/view-own-loop")
    set_tests_properties(view/own_loop PROPERTIES LABELS "view;window" TIMEOUT 120 SKIP_RETURN_CODE 77
      RESOURCE_LOCK screen)
  endif()
endif()

file(GLOB _examples CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/*.c")
foreach(source IN LISTS _examples)
  cmake_path(GET source STEM stem)
  if(stem MATCHES "^(lever_driver|touch)$" AND NOT TARGET heft_device_static)
    continue()  # they need the library of devices
  endif()
  add_executable(example_${stem} ${source})
  target_link_libraries(example_${stem} PRIVATE heft_test_flags ${HEFT_PROGRAM_LIBRARIES} m)
  add_test(NAME examples/${stem} COMMAND example_${stem} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(examples/${stem} PROPERTIES LABELS examples TIMEOUT 900 SKIP_RETURN_CODE 77)
endforeach()

file(GLOB _benches CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/*.c")
if(HEFT_SANITIZE)  # nothing is measured there
  set(_benches "")
endif()
foreach(source IN LISTS _benches)
  cmake_path(GET source STEM stem)
  add_executable(bench_${stem} ${source})
  target_link_libraries(bench_${stem} PRIVATE heft_flags ${HEFT_PROGRAM_LIBRARIES} m)
endforeach()

include(HeftPeers)

find_library(HEFT_MUJOCO_LIBRARY mujoco)
find_path(HEFT_MUJOCO_INCLUDE_DIR mujoco/mujoco.h)
mark_as_advanced(HEFT_MUJOCO_LIBRARY HEFT_MUJOCO_INCLUDE_DIR)
if(HEFT_MUJOCO_LIBRARY AND HEFT_MUJOCO_INCLUDE_DIR AND NOT HEFT_SANITIZE)
  file(GLOB _benches CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/peers/mujoco_*.c")
  foreach(source IN LISTS _benches)
    cmake_path(GET source STEM stem)
    add_executable(bench_${stem} ${source})
    target_link_libraries(bench_${stem} PRIVATE heft_flags ${HEFT_PROGRAM_LIBRARIES}
      ${HEFT_MUJOCO_LIBRARY} m)
    target_include_directories(bench_${stem} SYSTEM PRIVATE "${HEFT_MUJOCO_INCLUDE_DIR}")
  endforeach()
endif()

if(HEFT_ODE_LIBRARY AND NOT HEFT_SANITIZE)
  add_executable(bench_ode_box_box "${PROJECT_SOURCE_DIR}/tests/collision/ode_box_box.c")
  target_link_libraries(bench_ode_box_box PRIVATE heft_flags ${HEFT_PROGRAM_LIBRARIES}
    ${HEFT_ODE_LIBRARY} m)
  target_include_directories(bench_ode_box_box PRIVATE "${PROJECT_SOURCE_DIR}/src")
endif()

find_library(HEFT_SICONOS_LIBRARY siconos_numerics)
find_path(HEFT_SICONOS_INCLUDE_DIR FrictionContactProblem.h PATH_SUFFIXES siconos/numerics)
mark_as_advanced(HEFT_SICONOS_LIBRARY HEFT_SICONOS_INCLUDE_DIR)
if(HEFT_SICONOS_LIBRARY AND HEFT_SICONOS_INCLUDE_DIR AND NOT HEFT_SANITIZE)
  add_executable(bench_siconos_profile "${PROJECT_SOURCE_DIR}/bench/peers/siconos_profile.c")
  target_link_libraries(bench_siconos_profile PRIVATE heft_flags ${HEFT_PROGRAM_LIBRARIES}
    ${HEFT_SICONOS_LIBRARY} m)
  target_include_directories(bench_siconos_profile SYSTEM PRIVATE "${HEFT_SICONOS_INCLUDE_DIR}"
    "${HEFT_SICONOS_INCLUDE_DIR}/..")
endif()
