# Tests that are programs of other people: how they are built from outside this build.

# What a host is compiled with: this build's compiler, standard and flags, since a definition for Asio changes its types, and
# its sanitizers, without which their libraries do not link. What a debugger wants to know would take a quarter of the time.
set(petstore_host_flags "${CMAKE_CXX_FLAGS} ${petstore_compiler_memory}")
if(PETSTORE_SANITIZE)
  list(JOIN PETSTORE_SANITIZE "," sanitizers)
  string(APPEND petstore_host_flags " -fsanitize=${sanitizers}")
endif()
set(petstore_host_options -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} "-DCMAKE_CXX_FLAGS=${petstore_host_flags}"
  -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=)
set(petstore_host_standard 20)
if(CMAKE_CXX_STANDARD)
  set(petstore_host_standard ${CMAKE_CXX_STANDARD})
  list(APPEND petstore_host_options -DCMAKE_CXX_STANDARD=${CMAKE_CXX_STANDARD})
endif()
if(CMAKE_TOOLCHAIN_FILE)
  list(APPEND petstore_host_options -DCMAKE_TOOLCHAIN_FILE=${CMAKE_TOOLCHAIN_FILE})
endif()

# petstore_host(<folder> [NAME <name>] [OPTIONS <options of cmake…>]): the test embedding/<folder> builds what is there and
# runs its tests. One folder may be built in several ways, each of a name.
function(petstore_host folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAME" "OPTIONS")
  if(NOT arg_NAME)
    set(arg_NAME ${folder})
  endif()
  add_test(NAME embedding/${arg_NAME}
    COMMAND ${CMAKE_CTEST_COMMAND}
      --build-and-test ${CMAKE_CURRENT_SOURCE_DIR}/${folder} ${CMAKE_CURRENT_BINARY_DIR}/${arg_NAME}
      --build-noclean --build-generator ${CMAKE_GENERATOR}
      --build-options ${petstore_host_options} ${arg_OPTIONS}
      --test-command ${CMAKE_CTEST_COMMAND} --output-on-failure)
  set_tests_properties(embedding/${arg_NAME} PROPERTIES TIMEOUT 300 LABELS embedding)
endfunction()

# petstore_installation(): the fixture of the hosts below, an installation of this build in a folder of its own.
function(petstore_installation)
  set(prefix ${CMAKE_CURRENT_BINARY_DIR}/prefix)
  add_test(NAME embedding/install COMMAND ${CMAKE_COMMAND} -D BUILD=${PROJECT_BINARY_DIR} -D PREFIX=${prefix}
    -P ${PROJECT_SOURCE_DIR}/cmake/InstallAnew.cmake)
  set_tests_properties(embedding/install PROPERTIES TIMEOUT 300 LABELS embedding FIXTURES_SETUP petstore_installation)
  set(petstore_prefix ${prefix} PARENT_SCOPE)
endfunction()

# petstore_installed_host(<folder> [<component>]): the same as petstore_host, of an installation; where the folder has a
# program for each component, of that one.
function(petstore_installed_host folder)
  set(name ${folder})
  set(options -DCMAKE_PREFIX_PATH=${petstore_prefix})
  if(ARGC GREATER 1)
    string(APPEND name /${ARGV1})
    list(APPEND options -DCOMPONENT=${ARGV1})
  endif()
  petstore_host(${folder} NAME ${name} OPTIONS ${options})
  set_tests_properties(embedding/${name} PROPERTIES FIXTURES_REQUIRED petstore_installation)
endfunction()

# petstore_pkg_config_host(<component> <source>): the test embedding/pkg_config/<component> compiles one file with what
# pkg-config says of petstore-<component>, and nothing else, and runs it.
function(petstore_pkg_config_host component source)
  set(name embedding/pkg_config/${component})
  find_program(PKG_CONFIG_EXECUTABLE NAMES pkg-config pkgconf)
  if(NOT PKG_CONFIG_EXECUTABLE OR CMAKE_CROSSCOMPILING)
    add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E echo "Skipped: no pkg-config, or none for that processor")
    set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "Skipped")
    return()
  endif()
  separate_arguments(flags UNIX_COMMAND "${petstore_host_flags}")
  add_test(NAME ${name}
    COMMAND ${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${petstore_prefix}/${CMAKE_INSTALL_LIBDIR}/pkgconfig
      ${CMAKE_CURRENT_SOURCE_DIR}/compile_with_pkg_config petstore-${component}
      ${CMAKE_CURRENT_BINARY_DIR}/by_pkg_config_${component}
      ${CMAKE_CXX_COMPILER} -std=c++${petstore_host_standard} ${flags} ${CMAKE_CURRENT_SOURCE_DIR}/${source})
  set_tests_properties(${name} PROPERTIES TIMEOUT 300 LABELS embedding FIXTURES_REQUIRED petstore_installation)
endfunction()
