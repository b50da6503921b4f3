// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "cli/advice.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace petstore::program {
namespace {

/// Each row has a part of a failure's sentence and the advice for it. The sentence may come from the program, its
/// libraries or the operating system. The first row that fits counts.
constexpr std::array<std::pair<std::string_view, std::string_view>, 17> table{{
    {"belongs to the environment", "Each environment has a store of its own: change --environment or --store."},
    {"is using it",
     "Stop the server that has it open, or name another directory. Several servers share a store "
     "over postgres://."},
    {"is in use by another", "Stop the server that has it open, or name another directory."},
    {"there is no such directory",
     "`petstore keys create` and `petstore serve` make a store where there is none; other "
     "commands need the one that is meant."},
    {"there is no store in",
     "`petstore keys create` and `petstore serve` make a store where there is none; other "
     "commands need the one that is meant."},
    {"there is no key", "`petstore keys list` shows the ids that there are."},
    {"is not the id of a key", "`petstore keys list` shows the ids that there are."},
    {"damaged", "`petstore check` names every damage; `petstore restore` puts a backup where no store is."},
    {"unknown key `", "`petstore config example` prints every key that a file may have."},
    {"cannot be read (from", "Name a file that is there and that this user may read."},
    {"exists already", "Name a directory that does not exist yet."},
    {"Address already in use", "Name another port (0 takes a free one), or see who has it: ss -ltnp."},
    {"Cannot assign requested address",
     "Name an address of this machine (`ip address` lists them), or 0.0.0.0 for all."},
    {"Permission denied", "Run the command as the user whom it belongs to: runuser -u petstore -- petstore …"},
    {"Connection refused", "See whether the server runs, and whether it listens at this address."},
    {"No space left on device", "Make room on the disk, or name a place on another one."},
    {"No such file or directory", "Check the path: what stands before its last / has to exist."},
}};

}  // namespace

std::string_view advice_for(std::string_view failure) {
  auto const row = std::ranges::find_if(table, [&](auto const& r) { return failure.find(r.first) != failure.npos; });
  return row == table.end() ? std::string_view{} : row->second;
}

}  // namespace petstore::program
