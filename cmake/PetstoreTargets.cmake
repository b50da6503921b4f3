# How every target of this project is made: the language, the warnings, the sanitizers, one alias each.

# g++ looks for memory that it can use again from 128 MB on, and finds little. Without that, a file takes about a tenth less
# time and a fifth more memory, 2 GB at most.
set(petstore_compiler_memory "")
if(PETSTORE_PRECOMPILE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(petstore_compiler_memory --param=ggc-min-heapsize=4000000)
endif()

# Carried by our own code alone (PRIVATE), never by a consumer.
add_library(petstore_own_code INTERFACE)
target_compile_options(petstore_own_code INTERFACE ${petstore_compiler_memory})
target_compile_options(petstore_own_code INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual
  -Wnull-dereference -Wimplicit-fallthrough -Wformat=2)
if(PETSTORE_WERROR)
  target_compile_options(petstore_own_code INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 reports these from inside libstdc++ and Boost at -O2 and above (GCC bugs 105329, 105562, 107852); the
  # sanitizer builds look for the real thing.
  target_compile_options(petstore_own_code INTERFACE
    -Wno-restrict -Wno-maybe-uninitialized -Wno-null-dereference -Wno-stringop-overflow -Wno-array-bounds
    -Wno-free-nonheap-object -Wno-stringop-overread -Wno-dangling-reference -Wno-mismatched-new-delete)
  if(CMAKE_UNITY_BUILD)
    # It takes a .cpp that a unity source includes for a header, in which an anonymous namespace would be a mistake.
    target_compile_options(petstore_own_code INTERFACE -Wno-subobject-linkage)
  endif()
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Where all of several conditions are judged without a branch, that is meant. What is deprecated g++ tells; clang 19 tells
  # what libstdc++ 12 itself uses of that, in std::stable_partition.
  target_compile_options(petstore_own_code INTERFACE -Wno-bitwise-instead-of-logical -Wno-deprecated-declarations)
  if(CMAKE_UNITY_BUILD)
    # A constant of one file hides nothing from another that a unity source has before it.
    target_compile_options(petstore_own_code INTERFACE -Wno-shadow)
  endif()
endif()

# What a defect in our code can be used for is limited, as Debian does with its own programs. A sanitizer checks more, and
# is disturbed by the checks of glibc; these need an optimized build. tests/deploy/package_test.py has hardening-check look.
if(PETSTORE_HARDEN AND NOT PETSTORE_SANITIZE)
  set(_petstore_fortify 2)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
    set(_petstore_fortify 3)
  endif()
  set(_petstore_optimized $<AND:$<CONFIG:Release,RelWithDebInfo,MinSizeRel>,$<NOT:$<BOOL:$<TARGET_PROPERTY:PETSTORE_UNOPTIMIZED>>>>)
  target_compile_options(petstore_own_code INTERFACE
    -fstack-protector-strong -fstack-clash-protection
    # Compilers of some distributions define it already.
    $<${_petstore_optimized}:-U_FORTIFY_SOURCE> $<${_petstore_optimized}:-D_FORTIFY_SOURCE=${_petstore_fortify}>)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(petstore_own_code INTERFACE -fcf-protection)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    target_compile_options(petstore_own_code INTERFACE -mbranch-protection=standard)
  endif()
  target_link_options(petstore_own_code INTERFACE LINKER:-z,relro LINKER:-z,now)
endif()

if(PETSTORE_SANITIZE)
  list(JOIN PETSTORE_SANITIZE "," _petstore_sanitize)
  add_compile_options(-fsanitize=${_petstore_sanitize} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${_petstore_sanitize})
  # Programs with a sanitizer are large: the usual linker takes seconds for each.
  find_program(PETSTORE_MOLD mold)
  mark_as_advanced(PETSTORE_MOLD)
  if(PETSTORE_MOLD)
    add_link_options(-fuse-ld=mold)
  endif()
  if("undefined" IN_LIST PETSTORE_SANITIZE AND "address" IN_LIST PETSTORE_SANITIZE)
    # AddressSanitizer finds both, and code without these checks is compiled in four fifths of the time.
    add_compile_options(-fno-sanitize=null,object-size)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # A failed check is an illegal instruction, of which AddressSanitizer tells the line (handle_sigill in the test preset).
      # A description of each check would double the size of the code, take a third more time to compile, and be relocated
      # at the start of each process. The check of types by their tables of functions (vptr) is not made in this way.
      add_compile_options(-fsanitize-undefined-trap-on-error)
    endif()
  endif()
  if("thread" IN_LIST PETSTORE_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ warns of every fence under this sanitizer, which does not understand them. Those here are Asio's, and stand
    # beside the mutexes that order its queues.
    add_compile_options(-Wno-tsan)
  endif()
endif()

if(PETSTORE_BUILD_FUZZERS)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "PETSTORE_BUILD_FUZZERS needs clang, which has libFuzzer: use the preset fuzz, or configure a new "
      "directory with -DCMAKE_CXX_COMPILER=clang++-19. (The compiler here is ${CMAKE_CXX_COMPILER_ID}.)")
  endif()
  # What the fuzzer steers by: libraries are counted too. Only the targets themselves link its main function.
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()

# petstore_library(<name> [SHAREABLE] <sources…>): target petstore_<name>. One that is SHAREABLE is for hosts, has the alias
# petstore::<name>, and is static or shared as BUILD_SHARED_LIBS has it; the others are parts of a program or of such a
# library. Symbols are hidden in all: a shared library shows what public headers mark with PETSTORE_EXPORT, and a static
# one within a host's shared library is not seen from outside.
function(petstore_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SHAREABLE" "" "")
  set(type STATIC)
  if(arg_SHAREABLE)
    set(type "")
  endif()
  add_library(petstore_${name} ${type} ${arg_UNPARSED_ARGUMENTS})
  if(arg_SHAREABLE)
    add_library(petstore::${name} ALIAS petstore_${name})
    set_target_properties(petstore_${name} PROPERTIES EXPORT_NAME ${name})
    if(DEFINED petstore_library_rpath)  # PetstoreInstall
      set_target_properties(petstore_${name} PROPERTIES INSTALL_RPATH ${petstore_library_rpath})
    endif()
  endif()
  # The layout of classes may change with a minor version (docs/upgrading.md): one is not loaded in the place of another.
  set_target_properties(petstore_${name} PROPERTIES VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  petstore_library_code(petstore_${name})
  petstore_use_precompiled(petstore_${name} "${PETSTORE_LIBRARY_PRECOMPILED}")
endfunction()

# petstore_library_code(<target>): how the code of libraries is compiled.
function(petstore_library_code target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:petstore_own_code>)
endfunction()
