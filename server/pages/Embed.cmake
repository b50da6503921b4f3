# Writes OUTPUT, a C++ source with the bytes of FILES, plain and compressed with gzip:
#
#     cmake -D OUTPUT=… -D FILES=NAME=PATH|NAME=PATH -D GZIP=… -P Embed.cmake
#
# A file whose PATH does not exist is left out. Without GZIP there are only plain bytes.
function(append_literal out path)
  file(READ "${path}" hex HEX)
  string(LENGTH "${hex}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "(..)" "\\\\x\\1" escaped "${hex}")
  set(${out} "{\"${escaped}\", ${size}}" PARENT_SCOPE)
endfunction()

string(REPLACE "|" ";" files "${FILES}")
set(rows "")
foreach(file IN LISTS files)
  string(FIND "${file}" "=" at)
  string(SUBSTRING "${file}" 0 ${at} name)
  math(EXPR at "${at} + 1")
  string(SUBSTRING "${file}" ${at} -1 path)
  if(NOT EXISTS "${path}")
    continue()
  endif()
  append_literal(plain "${path}")
  set(compressed "{}")
  if(GZIP)
    execute_process(COMMAND "${GZIP}" -9 -n -c "${path}" OUTPUT_FILE "${OUTPUT}.gz" COMMAND_ERROR_IS_FATAL ANY)
    append_literal(compressed "${OUTPUT}.gz")
    file(REMOVE "${OUTPUT}.gz")
  endif()
  string(APPEND rows "    {\"${name}\", ${plain}, ${compressed}},\n")
endforeach()

file(WRITE "${OUTPUT}.new" "// Made by Embed.cmake.
#include \"pages/embedded_files.hpp\"

namespace petstore::pages {
namespace {

constexpr embedded_file files[] = {
${rows}};

}  // namespace

std::span<embedded_file const> embedded_files() noexcept { return files; }

}  // namespace petstore::pages
")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
