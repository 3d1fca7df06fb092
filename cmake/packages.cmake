# The packages that picavk is built with. Each function sets a variable to the targets to link. Where a host's build, of
# which picavk is a part, has such a target already, that one is taken and nothing is looked for.

# Sets `result` to the first of the named targets that exists; to nothing if none does.
function(picavk_existing_target result)
  set(${result} "" PARENT_SCOPE)
  foreach(name IN LISTS ARGN)
    if(TARGET ${name})
      set(${result} ${name} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# A package of pkg-config becomes the target PkgConfig::PREFIX.
function(picavk_find_pkg_config prefix module)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(${prefix} REQUIRED IMPORTED_TARGET ${module})
endfunction()

function(picavk_find_threads result)
  if(NOT TARGET Threads::Threads)
    find_package(Threads REQUIRED)
  endif()
  set(${result} Threads::Threads PARENT_SCOPE)
endfunction()

function(picavk_find_zstd result)
  picavk_existing_target(found zstd::libzstd zstd::libzstd_shared zstd::libzstd_static libzstd libzstd_shared
                         libzstd_static)
  if(NOT found)
    picavk_find_pkg_config(PICAVK_ZSTD libzstd)
    set(found PkgConfig::PICAVK_ZSTD)
  endif()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# SPIRV-Tools: its C interface.
function(picavk_find_spirv_tools result)
  picavk_existing_target(found SPIRV-Tools-static SPIRV-Tools SPIRV-Tools-shared)
  if(NOT found)
    find_package(SPIRV-Tools CONFIG REQUIRED)
    picavk_existing_target(found SPIRV-Tools-static SPIRV-Tools SPIRV-Tools-shared)
  endif()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# glslang, its generator of SPIR-V, and its default limits.
function(picavk_find_glslang result)
  if(NOT TARGET glslang::glslang AND NOT TARGET glslang)
    # Some packages of glslang link SPIRV-Tools-opt and do not look for it.
    if(NOT TARGET SPIRV-Tools-opt)
      find_package(SPIRV-Tools-opt CONFIG REQUIRED)
    endif()
    find_package(glslang CONFIG REQUIRED)
  endif()
  set(targets "")
  foreach(part glslang SPIRV glslang-default-resource-limits)
    picavk_existing_target(found glslang::${part} ${part})
    if(NOT found)
      message(FATAL_ERROR "picavk: there is a target glslang, but no target ${part} or glslang::${part}")
    endif()
    list(APPEND targets ${found})
  endforeach()
  set(${result} ${targets} PARENT_SCOPE)
endfunction()

# SPIRV-Cross: its C interface.
function(picavk_find_spirv_cross result)
  picavk_existing_target(found spirv-cross-c-shared spirv-cross-c)
  if(NOT found)
    picavk_find_pkg_config(PICAVK_SPIRV_CROSS spirv-cross-c-shared)
    set(found PkgConfig::PICAVK_SPIRV_CROSS)
  endif()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

function(picavk_find_vulkan_headers result)
  picavk_existing_target(found Vulkan::Headers Vulkan-Headers)
  if(NOT found)
    find_package(VulkanHeaders CONFIG REQUIRED)
    set(found Vulkan::Headers)
  endif()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# The folder of volk.h and volk.c, which picavk compiles with names of its own. A host's target of volk says where they
# lie; without one they are looked for, and PICAVK_VOLK_INCLUDE_DIR may name the folder.
function(picavk_find_volk result)
  set(folders "")
  picavk_existing_target(found volk::volk_headers volk_headers volk::volk volk)
  if(found)
    get_target_property(folders ${found} INTERFACE_INCLUDE_DIRECTORIES)
    string(REGEX REPLACE "\\$<BUILD_INTERFACE:([^>]*)>" "\\1" folders "${folders}")
  endif()
  find_path(PICAVK_VOLK_INCLUDE_DIR volk.c HINTS ${folders} DOC "The folder of volk.h and volk.c")
  if(NOT PICAVK_VOLK_INCLUDE_DIR)
    message(FATAL_ERROR "picavk: volk.c was not found; PICAVK_VOLK_INCLUDE_DIR is to name its folder")
  endif()
  set(${result} ${PICAVK_VOLK_INCLUDE_DIR} PARENT_SCOPE)
endfunction()
