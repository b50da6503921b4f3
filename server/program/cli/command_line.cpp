// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "cli/command_line.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>

#include "cli/advice.hpp"
#include "cli/completion.hpp"
#include "cli/config_check.hpp"
#include "cli/health.hpp"
#include "cli/keys_line.hpp"
#include "cli/maintenance.hpp"
#include "cli/manual_page.hpp"
#include "cli/plans.hpp"
#include "cli/setting_flags.hpp"
#include "cli/wrong_line.hpp"
#include "config/redact.hpp"
#include "config/render.hpp"
#include "petstore/storage/memory.hpp"
#include "run/serve.hpp"
#include "store/open_store.hpp"
#include "store/postgres_store.hpp"
#include "transfer/copy.hpp"
#include "transfer/transfer.hpp"
#include "version.hpp"

namespace petstore::program {
namespace {

/// Far longer than an answer takes, and shorter than the usual time-outs of probes.
constexpr std::chrono::milliseconds health_deadline{3000};

/// The settings for which a command has flags; nullopt: all of them.
using chosen_settings = std::optional<std::vector<std::string_view>>;
constexpr std::nullopt_t every_setting = std::nullopt;
chosen_settings const no_settings{std::in_place};

/// The subcommands, each with the function that runs it after the line is parsed.
class command_line {
 public:
  command_line(variables const& environment, streams io) : environment_(environment), streams_(io) {
    app_.require_subcommand(1);
    app_.set_version_flag("--version", std::string("petstore ") + program_version);
    app_.footer(
        "Settings may also come from variables (PETSTORE_LISTEN for --listen) and from the TOML file given with\n"
        "--config. Flags beat variables, variables beat the file. The variable of any setting may also be given as\n"
        "the name of a file that holds its value (PETSTORE_STORE_FILE), as secrets are.\n"
        "Exit codes: 0 fine, 1 failed, 2 wrong usage or configuration.");
    add_serve();
    add_health();
    keys_.add_to(app_);
    add_plans();
    add_export();
    add_import();
    add_backup();
    add_restore();
    add_check();
    add_migrate();
    add_copy();
    add_config();
    add_completion();
    add_help();
    add_man();
    add_version();
  }

  exit_code run(std::vector<std::string> arguments) {
    std::ranges::reverse(arguments);  // CLI11 takes them from the back
    try {
      app_.parse(std::move(arguments));
    } catch (CLI::ParseError const& end) {
      return end_of_parsing(end);
    }
    return chosen_ ? chosen_() : keys_.run();
  }

 private:
  CLI::App* add(CLI::App& parent, char const* name, char const* help, std::function<exit_code()> action) {
    auto* const command = parent.add_subcommand(name, help);
    command->callback([this, action = std::move(action)] { chosen_ = action; });
    return command;
  }

  /// Adds a command with flags for some settings or for all. Its action gets the loaded settings, and returns an exit
  /// code, or nothing for `fine`.
  template <class Action>
  CLI::App* add(CLI::App& parent, char const* name, char const* help, chosen_settings const& settings, Action action) {
    auto& flags = new_flags();
    auto* const command = add(parent, name, help, [&flags, action] {
      auto const loaded = load_settings(flags.sources());
      if constexpr (std::is_void_v<std::invoke_result_t<Action, loaded_settings const&>>) {
        action(loaded);
        return exit_code::fine;
      } else {
        return action(loaded);
      }
    });
    settings ? flags.add_some(*command, *settings) : flags.add_all(*command);
    return command;
  }

  setting_flags& new_flags() { return *flags_.emplace_back(std::make_unique<setting_flags>(environment_)); }

  void add_serve() {
    auto& flags = new_flags();
    auto* const command = add(app_, "serve", "Run the service", [this, &flags] {
      auto const reload = [&flags] { return load_settings(flags.sources()); };
      return serve_command(reload(), reload, streams_);
    });
    flags.add_all(*command);
  }

  void add_health() {
    auto* const command = add(app_, "health", "Ask the server on this machine whether it is alive", {{"admin-listen"}},
                              [this](loaded_settings const& loaded) {
                                auto const page = ready_ ? health_page::ready : health_page::live;
                                return health_command(loaded, page, health_deadline, streams_);
                              });
    command->add_flag("--ready", ready_, "Ask whether it takes requests instead")->envname("PETSTORE_READY");
  }

  void add_plans() {
    auto* const command = add(app_, "plans", "Show the plans of the configuration", no_settings,
                              [this](loaded_settings const& loaded) { plans_command(loaded, json_, streams_); });
    command->add_flag("--json", json_, "Print a JSON array")->envname("PETSTORE_JSON");
  }

  void add_export() {
    auto* const command = add(app_, "export", "Write all records as JSON Lines, without keys", {{"store"}},
                              [this](loaded_settings const& loaded) {
                                auto const store = open_existing_store(loaded, report());
                                export_command(*store, {file_, force_}, streams_);
                              });
    command->add_option("--output", file_, "File to write, complete or not at all [standard output]")
        ->envname("PETSTORE_OUTPUT")
        ->type_name("FILE");
    command->add_flag("--force", force_, "Replace the file if it is there already")->envname("PETSTORE_FORCE");
  }

  void add_import() {
    auto* const command =
        add(app_, "import", "Read what export wrote; if interrupted, run it again to continue",
            {{"store", "environment"}}, [this](loaded_settings const& loaded) { import_to_store(loaded); });
    command->add_option("FILE", file_, "File to read [standard input]");
  }

  void import_to_store(loaded_settings const& loaded) {
    std::unique_ptr<ports::store> store;
    auto const open = [&]() -> ports::store& {
      store = open_store_to_fill(loaded, report());
      return *store;
    };
    if (!has_no_store_yet(loaded)) return import_command(open(), {file_}, streams_);
    auto const empty = storage::make_memory_store(loaded.values.service.environment);
    import_to_new_store(*empty, open, {file_}, streams_);
  }

  void add_backup() {
    auto* const command =
        add(app_, "backup", "Copy the whole store, keys and quotas too; a server may be at work", {{"store"}},
            [this](loaded_settings const& loaded) { backup_command(directory_of_store(loaded), file_, streams_); });
    command->add_option("--output", file_, "Directory to make, complete or not at all")
        ->required()
        ->envname("PETSTORE_OUTPUT")
        ->type_name("DIRECTORY");
  }

  void add_restore() {
    auto* const command =
        add(app_, "restore", "Copy a backup to a directory without a store", {{"store"}},
            [this](loaded_settings const& loaded) { restore_command(file_, directory_of_store(loaded), streams_); });
    command->add_option("--from", file_, "Directory that backup made")
        ->required()
        ->envname("PETSTORE_FROM")
        ->type_name("DIRECTORY");
  }

  void add_check() {
    add(app_, "check", "Look at every page and record of a store; a server may be at work", {{"store"}},
        [this](loaded_settings const& loaded) { return check_command(directory_of_store(loaded), streams_); });
  }

  void add_migrate() {
    add(app_, "migrate", "Bring the schema of a postgres:// store up to date; serve does so at its start, too",
        {{"store"}}, [this](loaded_settings const& loaded) { migrate_command(loaded, streams_); });
  }

  void add_copy() {
    auto* const command = add(app_, "copy", "Copy all records and keys to another store; no server may use either",
                              no_settings, [this](loaded_settings const& loaded) {
                                auto const source = with_store(loaded, from_, "--from");
                                auto target = with_store(loaded, to_, "--to");
                                warn_if_in_use(source, "what it changes from now on is not copied");
                                warn_if_in_use(target, "it may give out ids that the copy needs");
                                std::atomic<bool> is_damaged{false};
                                auto const from = open_existing_store(source, report_and_note_damage(is_damaged));
                                target.values.service.environment = from->environment();
                                auto const to = open_store_to_fill(target, report());
                                copy_command(*from, *to, is_damaged, streams_);
                              });
    command->add_option("--from", from_, "The store to copy from")
        ->required()
        ->envname("PETSTORE_FROM")
        ->type_name("URI");
    command->add_option("--to", to_, "A store without keys or records of its own, or one that does not exist yet")
        ->required()
        ->envname("PETSTORE_TO")
        ->type_name("URI");
  }

  void warn_if_in_use(loaded_settings const& loaded, std::string_view consequence) {
    if (is_in_use(loaded))
      streams_.err << "warning: a server uses the store of " << loaded.source_of("store") << ": " << consequence
                   << '\n';
  }

  ports::report_function report() const {
    return [this](std::string_view event, std::string_view detail) {
      streams_.err << "petstore: " << event << ": " << redact_secrets(detail) << '\n';
    };
  }

  ports::report_function report_and_note_damage(std::atomic<bool>& is_damaged) const {
    return [report = report(), &is_damaged](std::string_view event, std::string_view detail) {
      if (event == "store_damaged") is_damaged = true;
      report(event, detail);
    };
  }

  void add_config() {
    auto* const config = app_.add_subcommand("config", "Look at the configuration");
    config->require_subcommand(1);

    add(*config, "check", "Say whether `petstore serve` could start with this configuration", every_setting,
        [this](loaded_settings const& loaded) { config_check_command(loaded, streams_); });
    auto* const show = add(*config, "show", "Print every setting, its value and where it comes from", every_setting,
                           [this](loaded_settings const& loaded) {
                             streams_.out << (json_ ? settings_as_json(loaded.shown) : settings_as_text(loaded.shown));
                           });
    show->add_flag("--json", json_, "Print a JSON object")->envname("PETSTORE_JSON");

    add(*config, "example", "Print a file with every setting, commented out", [this] {
      streams_.out << settings_as_toml();
      return exit_code::fine;
    });
    add(*config, "table", "Print the manual's table of settings (Markdown)", [this] {
      streams_.out << settings_as_markdown();
      return exit_code::fine;
    });
  }

  void add_completion() {
    auto* const command = add(app_, "completion", "Print what a shell needs to complete commands and flags", [this] {
      auto const script = completion_script(app_, shell_);
      if (!script) throw usage_error("`" + shell_ + "` is none of bash, zsh and fish");
      streams_.out << *script;
      return exit_code::fine;
    });
    command->add_option("SHELL", shell_, "bash, zsh or fish")->required();
  }

  /// Prints what the command prints with --help.
  void add_help() {
    auto* const command = add(app_, "help", "Explain a command", [this] {
      print_help();
      return exit_code::fine;
    });
    command->add_option("COMMAND", words_, "The command, such as keys create [all commands]");
  }

  void print_help() {
    auto const* at = &app_;
    std::string name = app_.get_name();
    for (auto const& word : words_) {
      auto const below = at->get_subcommands([](CLI::App const*) { return true; });
      auto const found = std::ranges::find(below, word, [](CLI::App const* c) { return c->get_name(); });
      if (found == below.end()) throw usage_error(describe_unknown_command(*at, word));
      at = *found;
      name += " " + word;
    }
    streams_.out << app_.get_formatter()->make_help(at, name, CLI::AppFormatMode::Normal);
  }

  void add_man() {
    add(app_, "man", "Print the manual page", [this] {
      streams_.out << manual_page(app_);
      return exit_code::fine;
    });
  }

  void add_version() {
    add(app_, "version", "Print the version", [this] {
      streams_.out << "petstore " << program_version << '\n';
      return exit_code::fine;
    });
  }

  /// --help and --version end the parsing, too, and are not errors.
  exit_code end_of_parsing(CLI::ParseError const& end) {
    if (end.get_exit_code() == 0) {
      app_.exit(end, streams_.out, streams_.err);
      return exit_code::fine;
    }
    streams_.err << "petstore: " << redact_secrets(describe_wrong_line(app_, end)) << '\n';
    return exit_code::wrong_usage;
  }

  variables const& environment_;
  streams const streams_;
  CLI::App app_{"An HTTP/JSON service for animals up for adoption", "petstore"};
  keys_line keys_{environment_, streams_};
  std::vector<std::unique_ptr<setting_flags>> flags_;
  std::function<exit_code()> chosen_;
  std::vector<std::string> words_;  ///< of `help`
  std::string shell_;
  std::string file_;
  std::string from_;
  std::string to_;
  bool force_ = false;
  bool json_ = false;
  bool ready_ = false;
};

exit_code run_guarded(std::vector<std::string> arguments, variables const& environment, streams io) {
  // An error may repeat an argument that is in the wrong place, and that argument may be a key.
  auto const complain = [&](std::string_view what) {
    io.err << "petstore: " << redact_secrets(what) << '\n';
    if (auto const advice = advice_for(what); !advice.empty()) io.err << advice << '\n';
  };
  try {
    return command_line(environment, io).run(std::move(arguments));
  } catch (config_error const& wrong) {
    for (auto const& fault : wrong.faults) complain(fault);
    return exit_code::wrong_usage;
  } catch (usage_error const& wrong) {
    complain(wrong.what());
    return exit_code::wrong_usage;
  } catch (std::exception const& failure) {
    complain(failure.what());
    return exit_code::failed;
  }
}

}  // namespace

int run_command_line(std::vector<std::string> arguments, variables const& environment, streams io) {
  auto code = run_guarded(std::move(arguments), environment, io);
  if (!io.out.flush() && code == exit_code::fine) {
    io.err << "petstore: standard output cannot be written\n";
    code = exit_code::failed;
  }
  return static_cast<int>(code);
}

}  // namespace petstore::program
