# How every target of this project is made: the language, the warnings, the sanitizers, one alias each.

# Carried by our own code alone (PRIVATE), never by a consumer.
add_library(petstore_own_code INTERFACE)
target_compile_options(petstore_own_code INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual
  -Wnull-dereference -Wimplicit-fallthrough -Wformat=2)
if(PROJECT_IS_TOP_LEVEL)
  target_compile_options(petstore_own_code INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 reports these from inside libstdc++ and Boost at -O2 and above (GCC bugs 105329, 105562, 107852); the
  # sanitizer builds look for the real thing.
  target_compile_options(petstore_own_code INTERFACE
    -Wno-restrict -Wno-maybe-uninitialized -Wno-null-dereference -Wno-stringop-overflow -Wno-array-bounds
    -Wno-free-nonheap-object -Wno-stringop-overread -Wno-dangling-reference -Wno-mismatched-new-delete)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Where all of several conditions are judged without a branch, that is meant.
  target_compile_options(petstore_own_code INTERFACE -Wno-bitwise-instead-of-logical)
endif()

if(PETSTORE_SANITIZE)
  list(JOIN PETSTORE_SANITIZE "," _petstore_sanitize)
  add_compile_options(-fsanitize=${_petstore_sanitize} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${_petstore_sanitize})
  if("thread" IN_LIST PETSTORE_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ warns of every fence under this sanitizer, which does not understand them. Those here are Asio's, and stand
    # beside the mutexes that order its queues.
    add_compile_options(-Wno-tsan)
  endif()
endif()

if(PETSTORE_BUILD_FUZZERS)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "PETSTORE_BUILD_FUZZERS needs clang, which has libFuzzer: use the preset fuzz, or configure a new "
      "directory with -DCMAKE_CXX_COMPILER=clang++-14. (The compiler here is ${CMAKE_CXX_COMPILER_ID}.)")
  endif()
  # What the fuzzer steers by: libraries are counted too. Only the targets themselves link its main function.
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()

# petstore_library(<name> <sources…>): target petstore_<name>, alias petstore::<name>.
function(petstore_library name)
  add_library(petstore_${name} STATIC ${ARGN})
  add_library(petstore::${name} ALIAS petstore_${name})
  target_compile_features(petstore_${name} PUBLIC cxx_std_20)
  set_target_properties(petstore_${name} PROPERTIES CXX_EXTENSIONS OFF EXPORT_NAME ${name}
    POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(petstore_${name} PRIVATE $<BUILD_INTERFACE:petstore_own_code>)
endfunction()
