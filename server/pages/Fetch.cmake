# Installs the packages of the lock file beside this script in DIRECTORY, and prints a message if that is not possible:
#
#     cmake -D DIRECTORY=… -D NPM=… -P Fetch.cmake
#
# It never fails, since the pages work without the packages.
file(MAKE_DIRECTORY "${DIRECTORY}")
foreach(file IN ITEMS package.json package-lock.json .npmrc)
  file(COPY "${CMAKE_CURRENT_LIST_DIR}/${file}" DESTINATION "${DIRECTORY}")
endforeach()
if(NPM)
  execute_process(COMMAND "${NPM}" ci --loglevel=error --fetch-retries=1 --fetch-timeout=20000
    WORKING_DIRECTORY "${DIRECTORY}" TIMEOUT 120 RESULT_VARIABLE outcome OUTPUT_QUIET ERROR_VARIABLE complaint)
  if(outcome EQUAL 0)
    file(WRITE "${DIRECTORY}/fetched" "")
    return()
  endif()
  set(why "npm failed (${outcome}):\n${complaint}")
else()
  set(why "there is no npm.")
endif()
file(REMOVE_RECURSE "${DIRECTORY}/node_modules")
file(WRITE "${DIRECTORY}/fetched" "")
message("petstore: /docs will only link the OpenAPI document, and the console will have no charts: ${why}\n"
  "To try again, remove ${DIRECTORY} and build.")
