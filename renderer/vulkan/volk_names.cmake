# Writes OUTPUT, a header that gives every symbol of volk (VOLK_HEADER) the prefix internal_picavk_. An emulator that links
# picavk statically may have a volk of its own, or the loader itself: two definitions of vkCreateInstance, one of them
# a variable, would be one symbol to the linker.
function(picavk_write_volk_names volk_header output)
  file(STRINGS ${volk_header} declarations REGEX "^extern PFN_vk|^[A-Za-z0-9_ ]+ volk[A-Za-z]+\\(")
  set(text "// SPDX-License-Identifier: MIT\n// Made by renderer/vulkan/volk_names.cmake.\n#pragma once\n")
  set(names "")
  foreach(declaration IN LISTS declarations)
    # The last word before the parameters or the end.
    if("${declaration}" MATCHES "(^| )(vk[A-Z][A-Za-z0-9]*|volk[A-Z][A-Za-z0-9]*) *(\\(.*)?;?$")
      list(APPEND names ${CMAKE_MATCH_2})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES names)
  list(LENGTH names count)
  if(count LESS 300 OR NOT volkInitialize IN_LIST names)
    message(FATAL_ERROR "${volk_header} declares its functions in a way that renderer/vulkan/volk_names.cmake can't read")
  endif()
  foreach(name IN LISTS names)
    string(APPEND text "#define ${name} internal_picavk_${name}\n")
  endforeach()
  file(CONFIGURE OUTPUT ${output} CONTENT "${text}" @ONLY)
endfunction()
