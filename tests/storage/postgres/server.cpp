// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "storage/postgres/server.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <grp.h>
#include <libpq-fe.h>
#include <netinet/in.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <memory>
#include <random>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace petstore::tests {
namespace {

namespace fs = std::filesystem;
constexpr std::chrono::seconds patience{60};

/// Where Debian puts the newest, or where PATH leads.
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

/// Whom the server runs as.
struct user {
  uid_t uid;
  gid_t gid;
};
user find_user() {
  if (::geteuid() != 0) return {::geteuid(), ::getegid()};
  for (char const* name : {"postgres", "nobody"})
    if (passwd const* const p = ::getpwnam(name)) return {p->pw_uid, p->pw_gid};
  throw std::runtime_error("there is neither a user postgres nor a user nobody");
}

void give(fs::path const& path, user const& u) {
  if (::lchown(path.c_str(), u.uid, u.gid) != 0) throw std::system_error(errno, std::generic_category(), path);
}

/// A new directory of that user's.
fs::path make_home(user const& u) {
  auto pattern = (fs::temp_directory_path() / "petstore-postgres-XXXXXX").string();
  if (!::mkdtemp(pattern.data())) throw std::system_error(errno, std::generic_category(), pattern);
  give(pattern, u);
  return pattern;
}

/// Starts a program as that user, which ends with this process.
pid_t spawn(user const& u, fs::path const& program, std::vector<std::string> const& arguments, fs::path const& log) {
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (auto const& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  auto const home = log.parent_path();
  pid_t const parent = ::getpid();
  pid_t const child = ::fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child != 0) return child;
  if (::geteuid() == 0 && (::setgroups(0, nullptr) != 0 || ::setgid(u.gid) != 0 || ::setuid(u.uid) != 0)) ::_exit(126);
  ::prctl(PR_SET_PDEATHSIG, SIGQUIT);  // after the change of user, which undoes it
  if (::getppid() != parent) ::_exit(126);
  int const out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(out, STDERR_FILENO);
  if (::chdir(home.c_str()) != 0) ::_exit(126);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::setenv("LC_ALL", "C", 1);
  ::execv(program.c_str(), argv.data());
  ::_exit(127);
}

std::string content_of(fs::path const& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

void make_cluster(user const& u, fs::path const& home) {
  auto const log = home / "initdb.log";
  pid_t const child = spawn(u, find_binaries() / "initdb",
                            {"-D", (home / "data").string(), "-U", "petstore", "-A", "trust", "-E", "UTF8",
                             "--locale=C", "--wal-segsize=1", "--no-sync", "--no-instructions"},
                            log);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw std::runtime_error("initdb failed: " + content_of(log));
}

/// Whether nobody else could have put it there, in a directory where everybody may.
bool is_ours(fs::path const& path, user const& u) {
  struct stat s;
  return ::lstat(path.c_str(), &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == u.uid && (s.st_mode & 077) == 0;
}

/// The cluster that all are copies of. It appears whole, whoever else makes it at the same time.
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

/// Below those that the kernel gives to clients: one of them must not have taken it when the server comes, or when it
/// comes back.
std::uint16_t find_free_port() {
  std::uniform_int_distribution<std::uint16_t> any(15'000, 32'000);
  std::random_device random;
  for (;;) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto const port = any(random);
    address.sin_port = htons(port);
    int const s = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s < 0) throw std::system_error(errno, std::generic_category(), "socket");
    bool const is_free = ::bind(s, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    ::close(s);
    if (is_free) return port;
  }
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
    : home_(make_home(find_user())), settings_(std::move(settings)), port_(find_free_port()) {
  auto const u = find_user();
  copy_cluster(find_template(u) / "data", home_ / "data", u);
  start();
}

postgres_server::~postgres_server() {
  if (process_ > 0) kill();
  std::error_code ignored;
  fs::remove_all(home_, ignored);
}

void postgres_server::start() {
  std::vector<std::string> arguments{"-D", (home_ / "data").string(), "-k", home_.string(),
                                     "-p", std::to_string(port_)};
  auto const set = [&](std::string const& setting) { arguments.insert(arguments.end(), {"-c", setting}); };
  // The tests pull no plugs, so that nothing has to wait for the disk.
  for (auto const* setting : {"listen_addresses=127.0.0.1", "fsync=off", "shared_buffers=16MB", "max_connections=60",
                              "autovacuum=off", "jit=off", "max_wal_senders=0", "wal_level=minimal"})
    set(setting);
  for (auto const& setting : settings_) set(setting);
  process_ = spawn(find_user(), find_binaries() / "postgres", arguments, home_ / "postgres.log");

  auto const deadline = std::chrono::steady_clock::now() + patience;
  while (PQping(uri("postgres").c_str()) != PQPING_OK) {
    int status = 0;
    bool const has_ended = ::waitpid(process_, &status, WNOHANG) == process_;
    if (has_ended) process_ = -1;
    if (has_ended || std::chrono::steady_clock::now() > deadline)
      throw std::runtime_error("PostgreSQL does not start: " + content_of(home_ / "postgres.log"));
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
}

void postgres_server::kill() {
  ::kill(process_, SIGQUIT);  // "immediate": no checkpoint, as after a crash, but its children end too
  int status = 0;
  ::waitpid(process_, &status, 0);
  process_ = -1;
}

std::string postgres_server::uri(std::string_view database) const {
  return "postgres:///" + std::string{database} + "?host=" + home_.string() + "&port=" + std::to_string(port_) +
         "&user=petstore";
}

std::string postgres_server::uri_by_port(std::string_view database) const {
  return "postgres://petstore@127.0.0.1:" + std::to_string(port_) + "/" + std::string{database};
}

std::string postgres_server::create_database() {
  if (databases_++ == 0) return uri("postgres");  // nobody has used it, and making another takes a while
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
