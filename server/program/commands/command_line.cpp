// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "commands/command_line.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <exception>
#include <functional>
#include <memory>

#include "commands/keys_line.hpp"
#include "commands/open_store.hpp"
#include "commands/plans.hpp"
#include "commands/setting_flags.hpp"
#include "commands/transfer.hpp"
#include "config/render.hpp"
#include "logging/redact.hpp"
#include "serve/serve.hpp"
#include "version.hpp"

namespace petstore::program {
namespace {

/// The subcommands, each with the function that runs it once the line is parsed.
class command_line {
 public:
  command_line(variables const& environment, console c) : environment_(environment), console_(c), out_{c.out, c.err} {
    app_.require_subcommand(1);
    app_.set_version_flag("--version", std::string("petstore ") + program_version);
    app_.footer(
        "Settings may also come from variables (PETSTORE_LISTEN for --listen) and from the TOML file given with\n"
        "--config. Flags beat variables, variables beat the file.\n"
        "Exit codes: 0 fine, 1 failed, 2 wrong usage or configuration.");
    add_serve();
    keys_.add_to(app_);
    add_plans();
    add_export();
    add_import();
    add_config();
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

  setting_flags& new_flags() { return *flags_.emplace_back(std::make_unique<setting_flags>(environment_)); }

  void add_serve() {
    auto& flags = new_flags();
    auto* const command = add(app_, "serve", "Run the service", [this, &flags] {
      auto const reload = [&flags] { return load_settings(flags.sources()); };
      return serve_command(reload(), reload, out_);
    });
    flags.add_all(*command);
  }

  void add_plans() {
    auto& flags = new_flags();
    auto* const command = add(app_, "plans", "Show the plans of the configuration", [this, &flags] {
      plans_command(load_settings(flags.sources()), json_, out_);
      return exit_code::fine;
    });
    flags.add_some(*command, {});
    command->add_flag("--json", json_, "Print a JSON array")->envname("PETSTORE_JSON");
  }

  void add_export() {
    auto& flags = new_flags();
    auto* const command = add(app_, "export", "Write the shop as JSON Lines, keys apart", [this, &flags] {
      auto const store = open_existing_store(load_settings(flags.sources()), report());
      export_command(*store, {file_}, transfer());
      return exit_code::fine;
    });
    flags.add_some(*command, {"store"});
    command->add_option("--output", file_, "File to write, complete or not at all [standard output]")
        ->envname("PETSTORE_OUTPUT")
        ->type_name("FILE");
  }

  void add_import() {
    auto& flags = new_flags();
    auto* const command = add(app_, "import", "Read what export wrote; given again, it goes on", [this, &flags] {
      auto const store = open_store_to_fill(load_settings(flags.sources()), report());
      import_command(*store, {file_}, transfer());
      return exit_code::fine;
    });
    flags.add_some(*command, {"store", "environment"});
    command->add_option("FILE", file_, "File to read [standard input]");
  }

  transfer_streams transfer() const { return {console_.in, console_.out, console_.err, console_.err_is_terminal}; }

  store_report report() const {
    return [this](std::string_view event, std::string_view detail) {
      out_.err << "petstore: " << event << ": " << detail << '\n';
    };
  }

  void add_config() {
    auto* const config = app_.add_subcommand("config", "Look at the configuration");
    config->require_subcommand(1);

    auto& checked = new_flags();
    auto* const check = add(*config, "check", "Say whether the configuration is sound", [this, &checked] {
      for (auto const& warning : load_settings(checked.sources()).warnings) out_.err << "warning: " << warning << '\n';
      out_.out << "the configuration is sound\n";
      return exit_code::fine;
    });
    checked.add_all(*check);

    auto& shown = new_flags();
    auto* const show = add(*config, "show", "Print every setting, its value and where it comes from", [this, &shown] {
      auto const loaded = load_settings(shown.sources());
      out_.out << (json_ ? settings_as_json(loaded.shown) : settings_as_text(loaded.shown));
      return exit_code::fine;
    });
    shown.add_all(*show);
    show->add_flag("--json", json_, "Print a JSON object")->envname("PETSTORE_JSON");

    add(*config, "table", "Print the manual's table of settings (Markdown)", [this] {
      out_.out << settings_as_markdown();
      return exit_code::fine;
    });
  }

  void add_version() {
    add(app_, "version", "Print the version", [this] {
      out_.out << "petstore " << program_version << '\n';
      return exit_code::fine;
    });
  }

  /// Help and version end the parsing too, and are no faults.
  exit_code end_of_parsing(CLI::ParseError const& end) {
    if (end.get_exit_code() == 0) {
      app_.exit(end, out_.out, out_.err);
      return exit_code::fine;
    }
    out_.err << "petstore: " << redact_secrets(end.what()) << "\nTry --help.\n";
    return exit_code::wrong_usage;
  }

  variables const& environment_;
  console const console_;
  streams const out_;
  CLI::App app_{"An HTTP/JSON service for animals up for adoption", "petstore"};
  keys_line keys_{environment_, out_};
  std::vector<std::unique_ptr<setting_flags>> flags_;
  std::function<exit_code()> chosen_;
  std::string file_;
  bool json_ = false;
};

exit_code run_guarded(std::vector<std::string> arguments, variables const& environment, console out) {
  // An argument in the wrong place is repeated by what complains of it, and it may be a key.
  auto const complain = [&](std::string_view what) { out.err << "petstore: " << redact_secrets(what) << '\n'; };
  try {
    return command_line(environment, out).run(std::move(arguments));
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

int run_command_line(std::vector<std::string> arguments, variables const& environment, console out) {
  auto code = run_guarded(std::move(arguments), environment, out);
  if (!out.out.flush() && code == exit_code::fine) {
    out.err << "petstore: standard output cannot be written\n";
    code = exit_code::failed;
  }
  return static_cast<int>(code);
}

}  // namespace petstore::program
