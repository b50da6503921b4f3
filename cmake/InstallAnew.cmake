# Installs the developer's part of the build in BUILD below PREFIX, where nothing is left of an earlier time.
file(REMOVE_RECURSE ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --component development --prefix ${PREFIX}
  COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
