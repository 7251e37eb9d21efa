# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
# One INTERFACE target, project_options, that every target of ours links: warnings, Qt strictness, sanitizers.
option(GLOVEBOX_TESTS "Build the tests" ON)
option(GLOVEBOX_WERROR "Treat warnings as errors (CI turns it on)" OFF)
set(GLOVEBOX_SANITIZE "" CACHE STRING "Sanitizers, for example address,undefined or thread")
option(GLOVEBOX_COVERAGE "Instrument for line coverage" OFF)
option(GLOVEBOX_FUZZ "Build the fuzzers (clang only)" OFF)
option(GLOVEBOX_CCACHE "Use ccache where it is installed" ON)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_AUTOMOC ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND GLOVEBOX_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
    set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

add_library(project_options INTERFACE)
target_include_directories(project_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_definitions(project_options INTERFACE
    QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_CAST_FROM_BYTEARRAY QT_NO_URL_CAST_FROM_STRING
    QT_NO_FOREACH QT_NO_KEYWORDS QT_NO_NARROWING_CONVERSIONS_IN_CONNECT QT_STRICT_ITERATORS
    QT_NO_CONTEXTLESS_CONNECT GLOVEBOX_VERSION="${PROJECT_VERSION}")
if(NOT MSVC)
    target_compile_options(project_options INTERFACE
        $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wnon-virtual-dtor;-Woverloaded-virtual;-Wold-style-cast;-Wcast-qual>)
    if(GLOVEBOX_WERROR)
        target_compile_options(project_options INTERFACE -Werror)
    endif()
endif()
if(GLOVEBOX_SANITIZE)
    target_compile_options(project_options INTERFACE -fsanitize=${GLOVEBOX_SANITIZE} -fno-omit-frame-pointer
                           -fno-sanitize-recover=all)
    target_link_options(project_options INTERFACE -fsanitize=${GLOVEBOX_SANITIZE})
endif()
if(GLOVEBOX_COVERAGE)
    target_compile_options(project_options INTERFACE --coverage -O0 -fprofile-update=atomic)
    target_link_options(project_options INTERFACE --coverage)
endif()
