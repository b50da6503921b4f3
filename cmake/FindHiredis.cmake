# hiredis 0.14 ships no CMake package: Hiredis_FOUND, Hiredis_VERSION and the target Hiredis::Hiredis.
find_path(HIREDIS_INCLUDE_DIR hiredis/hiredis.h)
find_library(HIREDIS_LIBRARY hiredis)
mark_as_advanced(HIREDIS_INCLUDE_DIR HIREDIS_LIBRARY)

if(HIREDIS_INCLUDE_DIR)
  set(Hiredis_VERSION "")
  foreach(_hiredis_part MAJOR MINOR PATCH)
    file(STRINGS ${HIREDIS_INCLUDE_DIR}/hiredis/hiredis.h _hiredis_line
      REGEX "^#define[ \t]+HIREDIS_${_hiredis_part}[ \t]+[0-9]+")
    string(REGEX MATCH "[0-9]+$" _hiredis_number "${_hiredis_line}")
    list(APPEND Hiredis_VERSION ${_hiredis_number})
  endforeach()
  list(JOIN Hiredis_VERSION "." Hiredis_VERSION)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Hiredis REQUIRED_VARS HIREDIS_LIBRARY HIREDIS_INCLUDE_DIR VERSION_VAR Hiredis_VERSION
  REASON_FAILURE_MESSAGE "PETSTORE_BUILD_REDIS needs hiredis (on Debian, libhiredis-dev)")

if(Hiredis_FOUND AND NOT TARGET Hiredis::Hiredis)
  add_library(Hiredis::Hiredis UNKNOWN IMPORTED)
  set_target_properties(Hiredis::Hiredis PROPERTIES
    IMPORTED_LOCATION ${HIREDIS_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${HIREDIS_INCLUDE_DIR})
endif()
