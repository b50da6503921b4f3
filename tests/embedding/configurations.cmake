# cmake -D ROOT=… -D FOLDER=… -D COMPILER=… -D WHOLE=… -P configurations.cmake: what a part of the project is configured to
# when someone asks for that part alone, or for folders of his own; with WHOLE, also what all of it is. Nothing is built.
file(REMOVE_RECURSE ${FOLDER})

# configured(<name> <options of cmake…>): into FOLDER/<name>.
function(configured name)
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${ROOT} -B ${FOLDER}/${name} -DCMAKE_CXX_COMPILER=${COMPILER} ${ARGN}
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# expect_line(<file> <regular expression>): of a whole line.
function(expect_line file line)
  file(STRINGS ${FOLDER}/${file} found REGEX "^${line}$")
  if(NOT found)
    message(FATAL_ERROR "${file} has no line ${line}")
  endif()
endfunction()

# expect_no_line(<file> <regular expression>): of a whole line.
function(expect_no_line file line)
  file(STRINGS ${FOLDER}/${file} found REGEX "^${line}$")
  if(found)
    message(FATAL_ERROR "${file} has a line ${line}")
  endif()
endfunction()

# The benchmarks are on by default, and need what is off here.
configured(limits -DPETSTORE_BUILD_CORE=OFF -DPETSTORE_BUILD_TESTS=OFF)
configured(shared -DPETSTORE_BUILD_CORE=OFF -DPETSTORE_BUILD_TESTS=OFF -DBUILD_SHARED_LIBS=ON)
expect_line(shared/core/cmake_install.cmake " *NEW_RPATH \".*ORIGIN\"\\)")
configured(own_rpath -DPETSTORE_BUILD_CORE=OFF -DPETSTORE_BUILD_TESTS=OFF -DBUILD_SHARED_LIBS=ON
  -DCMAKE_INSTALL_RPATH=/opt/libraries)
expect_line(own_rpath/core/cmake_install.cmake " *NEW_RPATH \"/opt/libraries\"\\)")
expect_line(limits/petstore-limits.pc "prefix=\\\${pcfiledir}/\\.\\./\\.\\./?")
expect_line(limits/petstore-limits.pc "includedir=\\\${prefix}/include")

configured(absolute -DPETSTORE_BUILD_CORE=OFF -DPETSTORE_BUILD_TESTS=OFF -DCMAKE_INSTALL_PREFIX=/opt/petstore
  -DCMAKE_INSTALL_LIBDIR=/opt/libraries -DCMAKE_INSTALL_INCLUDEDIR=/opt/headers)
expect_line(absolute/petstore-limits.pc "prefix=/opt/petstore")
expect_line(absolute/petstore-limits.pc "libdir=/opt/libraries")
expect_line(absolute/petstore-limits.pc "includedir=/opt/headers")

# The pages of the target docs name the headers of every component.
if(EXISTS ${FOLDER}/limits/docs)
  message(FATAL_ERROR "The limiter alone has the target docs.")
endif()
if(NOT WHOLE)
  return()
endif()
configured(libraries -DPETSTORE_BUILD_PROGRAM=OFF -DPETSTORE_BUILD_TESTS=OFF -DPETSTORE_BUILD_BENCH=OFF)
if(NOT EXISTS ${FOLDER}/libraries/docs/Doxyfile)
  message(FATAL_ERROR "The libraries' own build has no target docs.")
endif()

# A program that the build cannot run prints no manual page, and CPack does not know every processor's packages.
foreach(processor IN ITEMS aarch64 riscv64)
  configured(${processor} -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=${processor} -DPETSTORE_BUILD_TESTS=OFF
    -DPETSTORE_BUILD_BENCH=OFF -DPETSTORE_BUILD_LOAD=ON)
  expect_no_line(${processor}/deploy/packaging/cmake_install.cmake ".*petstore\\.1.*")
endforeach()
expect_line(aarch64/CPackConfig.cmake "set\\(CPACK_DEBIAN_PACKAGE_ARCHITECTURE \"arm64\"\\)")
execute_process(COMMAND ${CMAKE_CPACK_COMMAND} -G DEB WORKING_DIRECTORY ${FOLDER}/riscv64
  RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(status EQUAL 0 OR NOT said MATCHES "not for riscv64")
  message(FATAL_ERROR "Packages of riscv64 are not refused: ${said}")
endif()
