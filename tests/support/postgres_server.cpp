// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "support/postgres_server.hpp"

#include <libpq-fe.h>
#include <pwd.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <stdexcept>
#include <system_error>

#include "support/eventually.hpp"
#include "support/free_port.hpp"

namespace petstore::tests {
namespace {

namespace fs = std::filesystem;

/// The directory of the newest version in Debian's place, otherwise the one in PATH.
fs::path find_binaries() {
  fs::path newest;
  int newest_version = 0;
  std::error_code none;
  for (auto const& entry : fs::directory_iterator("/usr/lib/postgresql", none)) {
    int const version = std::atoi(entry.path().filename().c_str());
    if (version > newest_version && fs::exists(entry.path() / "bin/initdb")) {
      newest_version = version;
      newest = entry.path() / "bin";
    }
  }
  if (!newest.empty()) return newest;
  std::string_view path = ::getenv("PATH") ? ::getenv("PATH") : "";
  while (!path.empty()) {
    auto const end = path.find(':');
    fs::path const directory = path.substr(0, end);
    if (fs::exists(directory / "initdb") && fs::exists(directory / "postgres")) return directory;
    path.remove_prefix(end == path.npos ? path.size() : end + 1);
  }
  return {};
}

/// The user that the server runs as.
user find_user() {
  if (::geteuid() != 0) return {::geteuid(), ::getegid()};
  for (char const* name : {"postgres", "nobody"})
    if (passwd const* const p = ::getpwnam(name)) return {p->pw_uid, p->pw_gid};
  throw std::runtime_error("there is neither a user postgres nor a user nobody");
}

void give(fs::path const& path, user const& u) {
  if (::lchown(path.c_str(), u.uid, u.gid) != 0) throw std::system_error(errno, std::generic_category(), path);
}

/// A new directory that the user owns.
fs::path make_home(user const& u) {
  auto pattern = (fs::temp_directory_path() / "petstore-postgres-XXXXXX").string();
  if (!::mkdtemp(pattern.data())) throw std::system_error(errno, std::generic_category(), pattern);
  give(pattern, u);
  return pattern;
}

/// Runs a program of PostgreSQL as that user.
child_options command(user const& u, std::string_view program, std::vector<std::string> words, fs::path const& home) {
  words.insert(words.begin(), {"env", "LC_ALL=C", (find_binaries() / program).string()});
  // SIGQUIT is an immediate stop: no checkpoint, as after a crash, but the server's children end too.
  return {.words = std::move(words),
          .output = home / "log",
          .errors = home / "log",
          .directory = home,
          .run_as = ::geteuid() == 0 ? std::optional{u} : std::nullopt,
          .end_signal = SIGQUIT};
}

void make_cluster(user const& u, fs::path const& home) {
  auto const done = run(command(u, "initdb",
                                {"-D", (home / "data").string(), "-U", "petstore", "-A", "trust", "-E", "UTF8",
                                 "--locale=C", "--wal-segsize=1", "--no-sync", "--no-instructions"},
                                home));
  if (done.code != 0) throw std::runtime_error("initdb failed: " + done.err);
}

/// Whether a directory is that user's, and not made by another user: everybody may write to its parent directory.
bool is_ours(fs::path const& path, user const& u) {
  struct stat s;
  return ::lstat(path.c_str(), &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == u.uid && (s.st_mode & 077) == 0;
}

/// The cluster that all servers copy. A rename puts it there in one step, so that programs may make it at the same
/// time.
fs::path find_template(user const& u) {
  auto const version = find_binaries().parent_path().filename().string();
  auto const path = fs::temp_directory_path() / ("petstore-postgres-cluster-" + version + "-" + std::to_string(u.uid));
  if (is_ours(path, u) && fs::exists(path / "data/PG_VERSION")) return path;
  auto const made = make_home(u);
  make_cluster(u, made);
  std::error_code taken;
  fs::rename(made, path, taken);
  if (!taken) return path;
  if (!is_ours(path, u)) return made;
  fs::remove_all(made);
  return path;
}

void copy_cluster(fs::path const& from, fs::path const& to, user const& u) {
  fs::copy(from, to, fs::copy_options::recursive);
  give(to, u);
  for (auto const& entry : fs::recursive_directory_iterator(to)) give(entry.path(), u);
  fs::permissions(to, fs::perms::owner_all);
}

}  // namespace

std::string postgres_server::find_missing() {
  return find_binaries().empty() ? "no PostgreSQL server is installed" : "";
}

std::filesystem::path postgres_server::program(std::string_view name) {
  return find_binaries() / name;
}

postgres_server& postgres_server::shared() {
  static postgres_server server;
  return server;
}

postgres_server::postgres_server(std::vector<std::string> settings)
    : home_(make_home(find_user())), settings_(std::move(settings)), port_(free_port()) {
  auto const u = find_user();
  copy_cluster(find_template(u) / "data", home_ / "data", u);
  start();
}

postgres_server::~postgres_server() {
  kill();
  std::error_code ignored;
  fs::remove_all(home_, ignored);
}

void postgres_server::start() {
  std::vector<std::string> arguments{"-D", (home_ / "data").string(), "-k", home_.string(),
                                     "-p", std::to_string(port_)};
  auto const set = [&](std::string const& setting) { arguments.insert(arguments.end(), {"-c", setting}); };
  // No test cuts the power, so nothing has to be synced to the disk.
  for (auto const* setting : {"listen_addresses=127.0.0.1", "fsync=off", "shared_buffers=16MB", "max_connections=60",
                              "autovacuum=off", "jit=off", "max_wal_senders=0", "wal_level=minimal"})
    set(setting);
  for (auto const& setting : settings_) set(setting);
  process_.emplace(command(find_user(), "postgres", arguments, home_));
  auto const answers = [&] { return PQping(uri("postgres").c_str()) == PQPING_OK; };
  bool const is_decided = eventually([&] { return process_->exit_code() || answers(); });
  if (!is_decided || process_->exit_code()) {
    kill();
    throw std::runtime_error("PostgreSQL does not start: " + read_file(home_ / "log"));
  }
}

std::string postgres_server::uri(std::string_view database) const {
  return "postgres:///" + std::string{database} + "?host=" + home_.string() + "&port=" + std::to_string(port_) +
         "&user=petstore";
}

std::string postgres_server::uri_by_port(std::string_view database) const {
  return "postgres://petstore@127.0.0.1:" + std::to_string(port_) + "/" + std::string{database};
}

std::string postgres_server::create_database() {
  if (databases_++ == 0) return uri("postgres");  // it is unused, and creating another takes a while
  auto const name = "shop" + std::to_string(databases_);
  run(uri("postgres"), "CREATE DATABASE " + name);
  return uri(name);
}

std::string postgres_server::run(std::string const& uri, std::string const& sql) {
  std::unique_ptr<PGconn, decltype(&PQfinish)> const connection(PQconnectdb(uri.c_str()), &PQfinish);
  std::unique_ptr<PGresult, decltype(&PQclear)> const done(PQexec(connection.get(), sql.c_str()), &PQclear);
  auto const status = PQresultStatus(done.get());
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
    throw std::runtime_error(sql + ": " + PQerrorMessage(connection.get()));
  return PQntuples(done.get()) == 0 ? std::string{} : PQgetvalue(done.get(), 0, 0);
}

}  // namespace petstore::tests
