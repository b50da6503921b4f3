# What `cmake --install` puts where, so that find_package(petstore COMPONENTS …) and pkg-config find it. A component is what
# a host chooses; it brings the components it stands on and asks for the dependencies of those alone.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# Programs find the shared libraries beside them, wherever the installation is moved to.
if(BUILD_SHARED_LIBS AND NOT DEFINED CMAKE_INSTALL_RPATH)
  file(RELATIVE_PATH to_libraries ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set(CMAKE_INSTALL_RPATH $ORIGIN/${to_libraries})
  set(petstore_library_rpath $ORIGIN)
endif()

# petstore_component(<component> [DESCRIPTION <sentence>] [TARGETS <targets…>] [PARTS <targets…>] [HEADERS <folders and files…>]
#                    [NEEDS <components…>] [LIBRARIES <names…>] [PACKAGES <pkg-config modules…>])
#
# Makes the target petstore::<component>, unless one of TARGETS has that name, and installs it all. PARTS are static
# libraries that the others consist of, of no use outside. HEADERS are public, below a folder petstore/. LIBRARIES
# and PACKAGES are what CMake's targets say already, for pkg-config. May be called several times for one component, once
# with a DESCRIPTION, which says what it is; the components it NEEDS come before.
function(petstore_component component)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "DESCRIPTION" "TARGETS;PARTS;HEADERS;NEEDS;LIBRARIES;PACKAGES")
  if(arg_TARGETS AND NOT petstore_${component} IN_LIST arg_TARGETS)
    set(umbrella petstore_component_${component})
    if(NOT TARGET ${umbrella})
      add_library(${umbrella} INTERFACE)
      add_library(petstore::${component} ALIAS ${umbrella})
      set_target_properties(${umbrella} PROPERTIES EXPORT_NAME ${component})
      set(new_umbrella ${umbrella})
    endif()
    target_link_libraries(${umbrella} INTERFACE ${arg_TARGETS})
  endif()
  if(NOT PETSTORE_INSTALL)
    return()
  endif()

  if(arg_DESCRIPTION)
    set_property(GLOBAL PROPERTY petstore_${component}_DESCRIPTION "${arg_DESCRIPTION}")
  endif()
  foreach(kind IN ITEMS NEEDS LIBRARIES PACKAGES)
    set_property(GLOBAL APPEND PROPERTY petstore_${component}_${kind} ${arg_${kind}})
  endforeach()

  set(targets ${new_umbrella} ${arg_TARGETS})
  if(NOT BUILD_SHARED_LIBS)
    list(APPEND targets ${arg_PARTS})
  endif()
  install(TARGETS ${targets} EXPORT petstore-${component}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  if(BUILD_SHARED_LIBS)  # the component of the program is complete by itself, like that of developers
    install(TARGETS ${targets} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT program NAMELINK_SKIP)
  endif()
  foreach(header IN LISTS arg_HEADERS)
    cmake_path(ABSOLUTE_PATH header)
    string(REGEX REPLACE "^.*/include/" "" below ${header})
    cmake_path(GET below PARENT_PATH folder)
    if(IS_DIRECTORY ${header})
      file(GLOB_RECURSE files CONFIGURE_DEPENDS ${header}/*.hpp)
      install(DIRECTORY ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder} COMPONENT development
        FILES_MATCHING PATTERN *.hpp)
    else()
      set(files ${header})
      install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder} COMPONENT development)
    endif()
    set_property(GLOBAL APPEND PROPERTY petstore_headers ${files})
  endforeach()

  get_property(known GLOBAL PROPERTY petstore_components)
  if(NOT component IN_LIST known)
    set_property(GLOBAL APPEND PROPERTY petstore_components ${component})
  endif()
  set_property(GLOBAL APPEND PROPERTY petstore_${component}_TARGETS ${targets})
endfunction()

# Writes and installs what finds the components: a package of CMake's, and a module of pkg-config for each. The target
# petstore_components builds all that is installed of them.
function(petstore_install_components)
  get_property(components GLOBAL PROPERTY petstore_components)
  add_custom_target(petstore_components)
  set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/petstore)
  set(component_needs "")
  set(component_descriptions "")
  foreach(component IN LISTS components)
    install(EXPORT petstore-${component} DESTINATION ${folder} NAMESPACE petstore:: COMPONENT development
      FILE petstore-${component}.cmake)
    get_property(needs GLOBAL PROPERTY petstore_${component}_NEEDS)
    string(APPEND component_needs "set(_petstore_${component}_needs ${needs})\n")
    get_property(description GLOBAL PROPERTY petstore_${component}_DESCRIPTION)
    if(NOT description)
      message(FATAL_ERROR "The component ${component} has no DESCRIPTION")
    endif()
    string(APPEND component_descriptions "set(petstore_${component}_DESCRIPTION \"${description}\")\n")
    petstore_pkg_config(${component})
    get_property(targets GLOBAL PROPERTY petstore_${component}_TARGETS)
    foreach(target IN LISTS targets)
      get_target_property(type ${target} TYPE)
      if(NOT type STREQUAL INTERFACE_LIBRARY)
        add_dependencies(petstore_components ${target})
      endif()
    endforeach()
  endforeach()

  set(linkage static)
  if(BUILD_SHARED_LIBS)
    set(linkage shared)
  endif()
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/petstore-config.cmake.in petstore-config.cmake
    INSTALL_DESTINATION ${folder})
  write_basic_package_version_file(petstore-config-version.cmake COMPATIBILITY SameMajorVersion)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/petstore-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/petstore-config-version.cmake
                cmake/FindHiredis.cmake cmake/FindLMDB.cmake
    DESTINATION ${folder} COMPONENT development)
endfunction()

# petstore_pkg_config(<component>): the module petstore-<component>. Who links static libraries links what those need as
# well, without having to say --static; who links shared ones does not.
function(petstore_pkg_config component)
  set(name petstore-${component})
  get_property(description GLOBAL PROPERTY petstore_${component}_DESCRIPTION)
  foreach(kind IN ITEMS TARGETS NEEDS LIBRARIES PACKAGES)
    get_property(${kind} GLOBAL PROPERTY petstore_${component}_${kind})
    list(REMOVE_DUPLICATES ${kind})
  endforeach()
  set(libs "")
  foreach(target IN LISTS TARGETS)
    get_target_property(type ${target} TYPE)
    if(NOT type STREQUAL INTERFACE_LIBRARY)
      string(APPEND libs " -l${target}")
    endif()
  endforeach()
  list(TRANSFORM NEEDS PREPEND petstore-)
  list(TRANSFORM LIBRARIES PREPEND -l)
  list(JOIN NEEDS " " requires)
  list(JOIN PACKAGES " " private_requires)
  list(JOIN LIBRARIES " " private_libs)
  if(NOT BUILD_SHARED_LIBS)  # each field once: a pkg-config that is not pkgconf refuses a file that repeats one
    string(APPEND requires " ${private_requires}")
    string(APPEND libs " ${private_libs}")
    set(private_requires "")
    set(private_libs "")
  endif()
  # From the module's own place, so that an installation may be moved; one whose folders are absolute may not.
  if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
    set(prefix ${CMAKE_INSTALL_PREFIX})
  else()
    file(RELATIVE_PATH to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
    set(prefix "\${pcfiledir}/${to_prefix}")
  endif()
  set(libdir ${CMAKE_INSTALL_LIBDIR})
  set(includedir ${CMAKE_INSTALL_INCLUDEDIR})
  foreach(folder IN ITEMS libdir includedir)
    if(NOT IS_ABSOLUTE ${${folder}})
      string(PREPEND ${folder} "\${prefix}/")
    endif()
  endforeach()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/petstore.pc.in ${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT development)
endfunction()
