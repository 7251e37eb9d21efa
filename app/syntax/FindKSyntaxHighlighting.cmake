# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
# Finds KSyntaxHighlighting for Qt 6 and gives it one name, the target KSyntaxHighlighting: KF6's package where the
# system has one, else our own build of 5.116 below GLOVEBOX_KSYNTAX_PREFIX. That one calls itself KF5, as the system's
# package for Qt 5 does, so it is looked for in our prefix alone and has to link Qt 6.
# Sets KSyntaxHighlighting_FOUND and KSyntaxHighlighting_VERSION.
set(GLOVEBOX_KSYNTAX_PREFIX "${GLOVEBOX_CACHE_DIR}/ksyntaxhighlighting-qt${Qt6_VERSION}" CACHE PATH
    "Where installers/bootstrap put KSyntaxHighlighting")

find_package(KF6SyntaxHighlighting QUIET)
if(KF6SyntaxHighlighting_FOUND)
    set(library KF6::SyntaxHighlighting)
    set(KSyntaxHighlighting_VERSION ${KF6SyntaxHighlighting_VERSION})
else()
    find_package(Qt6 QUIET COMPONENTS Network) # what a static build of it links and does not look for itself
    find_package(KF5SyntaxHighlighting QUIET NO_DEFAULT_PATH PATHS ${GLOVEBOX_KSYNTAX_PREFIX}
                 PATH_SUFFIXES lib/cmake/KF5SyntaxHighlighting lib64/cmake/KF5SyntaxHighlighting)
    if(KF5SyntaxHighlighting_FOUND)
        get_target_property(links KF5::SyntaxHighlighting INTERFACE_LINK_LIBRARIES)
        if(links MATCHES "Qt6::Gui" OR links MATCHES "Qt6::Core")
            set(library KF5::SyntaxHighlighting)
            set(KSyntaxHighlighting_VERSION ${KF5SyntaxHighlighting_VERSION})
        endif()
    endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(KSyntaxHighlighting REQUIRED_VARS library VERSION_VAR KSyntaxHighlighting_VERSION)
if(KSyntaxHighlighting_FOUND AND NOT TARGET KSyntaxHighlighting)
    add_library(KSyntaxHighlighting INTERFACE IMPORTED)
    target_link_libraries(KSyntaxHighlighting INTERFACE ${library})
endif()
