# The pages on the libraries, the examples and the license, for users who have an installation but no sources.

# petstore_install_pages(): what a page says of other files of the sources stays, but is no link: they are not installed.
function(petstore_install_pages)
  set(destination ${CMAKE_INSTALL_DATAROOTDIR}/doc/petstore)
  set(pages index tutorial comparison limiter embedding semantics upgrading settings)
  foreach(page IN LISTS pages)
    set(source ${PROJECT_SOURCE_DIR}/docs/${page}.md)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    file(READ ${source} text)
    string(REGEX REPLACE "\\[([^]\n]+)\\]\\(\\.\\./[^)\n]+\\)" "\\1" text "${text}")
    set(installed ${CMAKE_CURRENT_BINARY_DIR}/pages/${page}.md)
    file(CONFIGURE OUTPUT ${installed} CONTENT "${text}" @ONLY)
    install(FILES ${installed} DESTINATION ${destination} COMPONENT development)
  endforeach()
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/examples DESTINATION ${destination} COMPONENT development)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${destination} COMPONENT development)
endfunction()
