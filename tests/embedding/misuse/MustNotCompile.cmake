# cmake -D COMPILER=… -D SOURCE=… [-D "OPTIONS=… …"] -P MustNotCompile.cmake
#
# A misuse is one line in a program that is right otherwise. The program compiles without it, so that nothing but the
# misuse stands in the way; with it (-D MISUSE) it does not, and the compiler says what the file's `// says:` line
# expects, a regular expression. No compiler's wording is asked for where the library's own will do.
file(STRINGS ${SOURCE} says REGEX "^// says: ")
string(REPLACE "// says: " "" says "${says}")
if(says STREQUAL "")
  message(FATAL_ERROR "${SOURCE} does not say what is expected of the compiler")
endif()

separate_arguments(OPTIONS UNIX_COMMAND "${OPTIONS}")
function(compile result output)
  execute_process(COMMAND ${COMPILER} ${OPTIONS} ${ARGN} -fsyntax-only ${SOURCE}
    RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  set(${result} "${status}" PARENT_SCOPE)
  set(${output} "${text}" PARENT_SCOPE)
endfunction()

compile(status text)
if(NOT status STREQUAL "0")
  message(FATAL_ERROR "without the misuse it does not compile either:\n${text}")
endif()
compile(status text -DMISUSE)
if(status STREQUAL "0")
  message(FATAL_ERROR "the misuse compiles")
endif()
string(REPLACE "${SOURCE}" "" said "${text}")  # the file's own name is no message
if(NOT said MATCHES "${says}")
  message(FATAL_ERROR "the compiler does not say `${says}`:\n${text}")
endif()
