# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
# Where installers/bootstrap puts what several clones share; the same rules as in installers/lib/common.sh and npm.sh,
# so that a build configured by hand finds it too. Nothing here has to exist to configure.
if(NOT DEFINED GLOVEBOX_CACHE_DIR)
    if(DEFINED ENV{GLOVEBOX_CACHE_DIR})
        set(default_cache $ENV{GLOVEBOX_CACHE_DIR})
    elseif(NOT WIN32)
        execute_process(COMMAND id -u OUTPUT_VARIABLE user OUTPUT_STRIP_TRAILING_WHITESPACE)
        if(user STREQUAL "0")
            set(default_cache /var/cache/glovebox)
        elseif(DEFINED ENV{XDG_CACHE_HOME})
            set(default_cache $ENV{XDG_CACHE_HOME}/glovebox)
        else()
            set(default_cache $ENV{HOME}/.cache/glovebox)
        endif()
    else()
        set(default_cache $ENV{LOCALAPPDATA}/glovebox/cache)
    endif()
endif()
set(GLOVEBOX_CACHE_DIR "${default_cache}" CACHE PATH "Downloads and libraries shared by clones")

macro(glovebox_npm_folder variable which)
    if(NOT ${variable})
        file(SHA256 ${CMAKE_SOURCE_DIR}/installers/npm/${which}/package-lock.json hash)
        string(SUBSTRING ${hash} 0 12 hash)
        set(${variable} ${GLOVEBOX_CACHE_DIR}/${which}-${hash})
    endif()
endmacro()
glovebox_npm_folder(GLOVEBOX_TOOLS_DIR tools) # its node_modules hold Node and srt
glovebox_npm_folder(GLOVEBOX_AGENTS_DIR agents) # its node_modules hold claude and codex, for tests

# Where the programs look for them when the environment does not say, as in an installed tree.
if(NOT WIN32)
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/libexec/glovebox)
    file(CREATE_LINK ${GLOVEBOX_TOOLS_DIR} ${CMAKE_BINARY_DIR}/libexec/glovebox/tools SYMBOLIC)
endif()
