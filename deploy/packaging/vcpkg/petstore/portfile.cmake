# An overlay port: it builds the tree that it lies in.
#
#     vcpkg install "petstore[server,redis]" --overlay-ports=<petstore>/deploy/packaging/vcpkg
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURE_OPTIONS
  FEATURES
    domain PETSTORE_BUILD_CORE  # "core" is a word of vcpkg
    server PETSTORE_BUILD_SERVER
    postgres PETSTORE_BUILD_POSTGRES
    redis PETSTORE_BUILD_REDIS)

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    ${FEATURE_OPTIONS}
    -DPETSTORE_BUILD_PROGRAM=OFF
    -DPETSTORE_BUILD_TESTS=OFF
    -DPETSTORE_BUILD_BENCH=OFF
    -DPETSTORE_INSTALL=ON)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/petstore)
vcpkg_fixup_pkgconfig()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
