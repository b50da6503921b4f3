# Writes OUTPUT, a C++ source that holds the text of INPUT: cmake -D INPUT=… -D OUTPUT=… -P Embed.cmake
file(READ "${INPUT}" text)
file(WRITE "${OUTPUT}.new" "// Made from openapi.json by Embed.cmake.
#include \"embedded.hpp\"

#pragma GCC diagnostic ignored \"-Woverlength-strings\"  // g++ and clang take any length

namespace petstore::server {

std::string_view embedded_openapi_document() noexcept { return R\"openapi(${text})openapi\"; }

}  // namespace petstore::server
")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
