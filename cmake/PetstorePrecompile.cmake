# What many files include, compiled once instead of some hundred times (PETSTORE_PRECOMPILE). A file that forgets to include
# something finds it all the same: the builds of ./tests/run --compilers are without, and tell.

# petstore_precompile(<name> <header> <function>): the target from which others take the header; the function is called with
# it, and gives it the options that theirs have.
function(petstore_precompile name header set_options)
  if(NOT PETSTORE_PRECOMPILE)
    return()
  endif()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "// Compiled for its header.\n")
  add_library(${name} OBJECT ${source})
  target_precompile_headers(${name} PRIVATE ${header})
  cmake_language(CALL ${set_options} ${name})
endfunction()

# petstore_use_precompiled(<target> <name>): nothing where there is none.
function(petstore_use_precompiled target name)
  if(TARGET "${name}" AND NOT target STREQUAL name)
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()
