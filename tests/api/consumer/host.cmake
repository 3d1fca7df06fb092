# SPDX-License-Identifier: MIT
# The tree of an emulator, of which picavk is a part. It has targets with plain names, and the packages that picavk needs as
# targets of its own, so picavk must look for none. Nothing of picavk may reach this tree but targets and variables that
# carry its name. Included by CMakeLists.txt.

# Names that picavk's folders, programs and tests suggest.
foreach(name pica pica_avx2 pica_avx512 shaders shadergen renderer package flags files window tests pica_tests api_tests
             embed_minimal make_streams reference)
  add_custom_target(${name})
endforeach()

# Packages that the tree builds, and packages that it looked for itself. picavk finds no other.
add_subdirectory(bundled)
find_package(Threads REQUIRED)
find_package(SPIRV-Tools CONFIG REQUIRED)
find_package(VulkanHeaders CONFIG REQUIRED)
foreach(package Threads PkgConfig SPIRV-Tools SPIRV-Tools-opt glslang VulkanHeaders Vulkan volk zstd Doxygen PNG glfw3)
  set(CMAKE_DISABLE_FIND_PACKAGE_${package} ON)
endforeach()

get_cmake_property(cache_before CACHE_VARIABLES)
set(type_before "${CMAKE_BUILD_TYPE}")
add_subdirectory(${PICAVK_SOURCE} picavk)
if(NOT "${CMAKE_BUILD_TYPE}" STREQUAL "${type_before}")
  message(FATAL_ERROR "picavk changes the build type of the tree from '${type_before}' to '${CMAKE_BUILD_TYPE}'")
endif()
get_cmake_property(cache_after CACHE_VARIABLES)

if(CMAKE_CXX_STANDARD OR CMAKE_POSITION_INDEPENDENT_CODE)
  message(FATAL_ERROR "picavk leaves its own choices to the tree")
endif()

# Every target of picavk's folders carries its name.
function(check_targets folder)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    if(NOT target MATCHES "^picavk")
      message(FATAL_ERROR "${folder} makes a target with a plain name: ${target}")
    endif()
  endforeach()
  get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(below IN LISTS folders)
    check_targets(${below})
  endforeach()
endfunction()
check_targets(${PICAVK_SOURCE})

list(REMOVE_ITEM cache_after ${cache_before})
foreach(name IN LISTS cache_after)
  if(NOT name MATCHES "^(PICAVK_|picavk_|CMAKE_PROJECT_)") # the last are CMake's own, of every project()
    message(FATAL_ERROR "picavk leaves a variable with a plain name in the cache: ${name}")
  endif()
endforeach()
foreach(kind static shared)
  foreach(property INTERFACE_COMPILE_OPTIONS INTERFACE_COMPILE_FEATURES INTERFACE_LINK_OPTIONS)
    get_target_property(value picavk::${kind} ${property})
    if(value)
      message(FATAL_ERROR "picavk::${kind} has ${property} for its users: ${value}")
    endif()
  endforeach()
endforeach()
