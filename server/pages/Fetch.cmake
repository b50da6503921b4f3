# Installs the packages of the lock file beside this script in DIRECTORY, and then makes the file `whole` there:
#
#     cmake -D DIRECTORY=… -P Fetch.cmake
#
# It never fails, since the pages work without the packages: it says why they are missing. As long as there is no `whole`,
# each build runs this script.
cmake_minimum_required(VERSION 3.22)

file(REMOVE_RECURSE "${DIRECTORY}")
find_program(npm npm)
if(npm)
  foreach(file IN ITEMS package.json package-lock.json .npmrc)
    file(COPY "${CMAKE_CURRENT_LIST_DIR}/${file}" DESTINATION "${DIRECTORY}")
  endforeach()
  execute_process(COMMAND "${npm}" ci --loglevel=error --fetch-retries=1 --fetch-timeout=20000
    WORKING_DIRECTORY "${DIRECTORY}" TIMEOUT 120 RESULT_VARIABLE outcome OUTPUT_QUIET ERROR_VARIABLE complaint)
  if(outcome EQUAL 0)
    file(TOUCH "${DIRECTORY}/whole")
    return()
  endif()
  file(REMOVE_RECURSE "${DIRECTORY}")
  set(why "npm failed (${outcome}):\n${complaint}")
else()
  set(why "there is no npm.")
endif()
message("petstore: /docs only links the OpenAPI document, and the console has no charts: ${why}\n"
  "The next build tries again, unless it is configured with -D PETSTORE_NPM=OFF.")
