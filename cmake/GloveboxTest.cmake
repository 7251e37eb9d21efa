# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
# glovebox_patient(VARIABLE): instrumented programs are several times as slow.
function(glovebox_patient variable)
    if(GLOVEBOX_SANITIZE OR GLOVEBOX_COVERAGE)
        math(EXPR seconds "4 * ${${variable}}")
        set(${variable} ${seconds} PARENT_SCOPE)
    endif()
endfunction()

# glovebox_test(NAME SOURCES a.cpp … [LABELS unit …] [LIBRARIES …] [TIMEOUT seconds])
# One executable, one CTest: offscreen, with a HOME of its own that tests/support/run-suite.sh makes and removes.
function(glovebox_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "SERIAL" "TIMEOUT" "SOURCES;LABELS;LIBRARIES")
    if(NOT arg_LABELS)
        set(arg_LABELS unit)
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 180)
    endif()
    glovebox_patient(arg_TIMEOUT)
    add_executable(tst_${name} ${arg_SOURCES})
    target_link_libraries(tst_${name} PRIVATE project_options glovebox_testsupport glovebox_qttest ${arg_LIBRARIES})
    target_precompile_headers(tst_${name} REUSE_FROM glovebox_testsupport)
    add_test(NAME ${name} COMMAND ${CMAKE_SOURCE_DIR}/tests/support/run-suite.sh $<TARGET_FILE:tst_${name}>)
    set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} RUN_SERIAL ${arg_SERIAL}
        SKIP_RETURN_CODE 77 ENVIRONMENT
            "QT_QPA_PLATFORM=offscreen;QTEST_FUNCTION_TIMEOUT=${arg_TIMEOUT}000;GLOVEBOX_BUILD_DIR=${CMAKE_BINARY_DIR};GLOVEBOX_TOOLS_DIR=${GLOVEBOX_TOOLS_DIR};GLOVEBOX_AGENTS_DIR=${GLOVEBOX_AGENTS_DIR}")
endfunction()

# glovebox_bench(NAME SOURCES a.cpp … [LIBRARIES …]): a measurement, built only when it is asked for; see
# tests/bench/README.md.
function(glovebox_bench name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
    add_executable(bench_${name} EXCLUDE_FROM_ALL ${arg_SOURCES})
    target_link_libraries(bench_${name} PRIVATE project_options glovebox_testsupport ${arg_LIBRARIES})
endfunction()
