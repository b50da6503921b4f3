# discover_boost_tests(<target> [BY_SUITE] [LABELS <labels…>] [FIRST <tests…>]) makes every case of a Boost.Test program a
# test of ctest, by asking the program itself after it is built; with BY_SUITE every suite, where what the cases of one share
# takes longer to start than they do. Tests that wait for long are named as FIRST: begun before the others, they do not hold
# up the end.
function(discover_boost_tests target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "BY_SUITE" "" "LABELS;FIRST")
  set(list_file ${CMAKE_CURRENT_BINARY_DIR}/${target}.tests.cmake)
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND ${CMAKE_COMMAND} -D "PROGRAM=$<TARGET_FILE:${target}>" -D "NAME=${target}" -D "LIST_FILE=${list_file}"
            -D "EMULATOR=${CMAKE_CROSSCOMPILING_EMULATOR}"
            -D "LABELS=${arg_LABELS}" -D "FIRST=${arg_FIRST}" -D "BY_SUITE=${arg_BY_SUITE}" -P ${PROJECT_SOURCE_DIR}/cmake/ListBoostTests.cmake
    BYPRODUCTS ${list_file} VERBATIM)
  set(include_file ${CMAKE_CURRENT_BINARY_DIR}/${target}.include.cmake)
  file(WRITE ${include_file}
    "if(EXISTS \"${list_file}\")\n  include(\"${list_file}\")\nelse()\n  add_test(${target}_NOT_BUILT ${target}_NOT_BUILT)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${include_file})
endfunction()
