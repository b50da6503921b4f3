# Writes OUTPUT, a C++ source that holds the SQL files of DIRECTORY in the order of their names:
# cmake -D DIRECTORY=… -D OUTPUT=… -P EmbedMigrations.cmake
file(GLOB files ${DIRECTORY}/*.sql)
list(SORT files)
set(rows "")
set(expected 1)
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME)
  if(NOT name MATCHES "^0*([0-9]+)_[a-z_]+\\.sql$" OR NOT CMAKE_MATCH_1 EQUAL expected)
    message(FATAL_ERROR "${name}: migrations are numbered without a gap; this one has to begin with ${expected}")
  endif()
  math(EXPR expected "${expected} + 1")
  file(READ ${file} text)
  string(APPEND rows "    {\"${name}\", R\"sql(${text})sql\"},\n")
endforeach()
file(WRITE "${OUTPUT}.new" "// Made from sql/ by EmbedMigrations.cmake.
#include \"migrations.hpp\"

namespace petstore::storage::postgres {

std::span<migration const> migrations() noexcept {
  static constexpr migration all[] = {
${rows}  };
  return all;
}

}  // namespace petstore::storage::postgres
")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
