# Packages: `cpack -G DEB` and `cpack -G TGZ` in a finished build, `cpack --config CPackSourceConfig.cmake` for the source
# archive. One package has the program, both libraries and the headers. tests/systems/package installs it elsewhere.
set(CPACK_PACKAGE_NAME picavk)
set(CPACK_PACKAGE_VENDOR picavk)
set(CPACK_PACKAGE_CONTACT "the picavk authors <picavk@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "PICA200 (Nintendo 3DS GPU) renderer for Vulkan, with an exact software core")
set(CPACK_PACKAGE_DESCRIPTION
    "picavk draws what the GPU of the Nintendo 3DS draws. It has a Vulkan renderer and a software renderer, and both leave the same bytes in guest memory. The package has the program picavk, which plays, checks and measures recorded command streams, and the library for emulators with its headers.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_RESOURCE_FILE_README ${PROJECT_SOURCE_DIR}/README.md)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB TGZ)

# Debian's names: picavk_0.2.0_amd64.deb. What the files are linked with is read from them.
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
if(PICAVK_VULKAN)
  # The loader is opened at run time, and a device may be anybody's. Without either, the software renderer draws.
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libvulkan1, mesa-vulkan-drivers | vulkan-icd")
  # For picavk_vulkan.h, and for the static library.
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS
      "libvulkan-dev, libzstd-dev, glslang-dev, spirv-tools, libspirv-cross-c-shared-dev")
endif()
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(GNUInstallDirs)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT picavk_program)

set(CPACK_SOURCE_GENERATOR TGZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME picavk-${PROJECT_VERSION})
set(CPACK_SOURCE_IGNORE_FILES "/\\\\.git" "/build/" "/out/")
include(CPack)
