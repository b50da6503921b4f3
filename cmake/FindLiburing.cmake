# liburing ships no CMake package: Liburing_FOUND and the target Liburing::Liburing.
find_path(LIBURING_INCLUDE_DIR liburing.h)
find_library(LIBURING_LIBRARY uring)
mark_as_advanced(LIBURING_INCLUDE_DIR LIBURING_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Liburing REQUIRED_VARS LIBURING_LIBRARY LIBURING_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "PETSTORE_IO_URING needs liburing (on Debian, liburing-dev)")

if(Liburing_FOUND AND NOT TARGET Liburing::Liburing)
  add_library(Liburing::Liburing UNKNOWN IMPORTED)
  set_target_properties(Liburing::Liburing PROPERTIES
    IMPORTED_LOCATION ${LIBURING_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${LIBURING_INCLUDE_DIR})
endif()
