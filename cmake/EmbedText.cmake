# Writes OUTPUT, a C++ source with a function that returns the text of INPUT: cmake -D INPUT=… -D OUTPUT=… -D HEADER=…
# -D NAMESPACE=… -D FUNCTION=… -P EmbedText.cmake. HEADER declares the function.
file(READ "${INPUT}" text)
get_filename_component(name "${INPUT}" NAME)
file(WRITE "${OUTPUT}.new" "// Made from ${name} by EmbedText.cmake.
#include \"${HEADER}\"

#pragma GCC diagnostic ignored \"-Woverlength-strings\"  // g++ and clang take any length

namespace ${NAMESPACE} {

std::string_view ${FUNCTION}() noexcept { return R\"embedded(${text})embedded\"; }

}  // namespace ${NAMESPACE}
")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
