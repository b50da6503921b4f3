# LMDB ships no CMake package in Debian: LMDB_FOUND, LMDB_VERSION and the target LMDB::LMDB.
find_path(LMDB_INCLUDE_DIR lmdb.h)
find_library(LMDB_LIBRARY lmdb)
mark_as_advanced(LMDB_INCLUDE_DIR LMDB_LIBRARY)

if(LMDB_INCLUDE_DIR)
  set(LMDB_VERSION "")
  foreach(_lmdb_part MAJOR MINOR PATCH)
    file(STRINGS ${LMDB_INCLUDE_DIR}/lmdb.h _lmdb_line REGEX "^#define[ \t]+MDB_VERSION_${_lmdb_part}[ \t]+[0-9]+")
    string(REGEX MATCH "[0-9]+$" _lmdb_number "${_lmdb_line}")
    list(APPEND LMDB_VERSION ${_lmdb_number})
  endforeach()
  list(JOIN LMDB_VERSION "." LMDB_VERSION)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LMDB REQUIRED_VARS LMDB_LIBRARY LMDB_INCLUDE_DIR VERSION_VAR LMDB_VERSION)

if(LMDB_FOUND AND NOT TARGET LMDB::LMDB)
  add_library(LMDB::LMDB UNKNOWN IMPORTED)
  set_target_properties(LMDB::LMDB PROPERTIES
    IMPORTED_LOCATION ${LMDB_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${LMDB_INCLUDE_DIR})
endif()
