# A port of the checkout that it lies in: vcpkg install picavk --overlay-ports=renderer/package/vcpkg
# Nobody has run it, because vcpkg is not in Debian: CMake runs it as a script where vcpkg's functions do nothing, and that
# is all that is known of it.
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../.." ABSOLUTE)
vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURE_OPTIONS FEATURES vulkan PICAVK_VULKAN)
vcpkg_find_acquire_program(PKGCONFIG)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS ${FEATURE_OPTIONS} -DPICAVK_BUILD_TESTS=OFF -DPICAVK_BUILD_SAMPLES=OFF -DPICAVK_INSTALL=ON
          "-DPKG_CONFIG_EXECUTABLE=${PKGCONFIG}")
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/picavk)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
