#include "run.hpp"

#include "terminal.hpp"
#include "verb.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>

#include <cstdio>
#include <new>

namespace tulle::cli {
namespace {

constexpr int kFailure = 1;
constexpr int kWrongUse = 2;

int complain(const std::string& message, int status) {
  fmt::print(stderr, "{} {}\n", red("tulle:"), message);
  return status;
}

void declare(CLI::App& command) {
  command.set_version_flag("--version", "tulle " TULLE_VERSION);
  command.require_subcommand(1);
  command.get_formatter()->column_width(34);
  command.footer(
      "Every verb has --help with an example. Exit status: 0 done, 1 bad input or failure, 2 wrong use.");
  add_complete(command);
  add_topics(command);
  add_predict(command);
  add_evaluate(command);
  add_generate(command);
  add_info(command);
  add_methods(command);
  add_account(command);
  add_budget(command);
  add_reproduce(command);
  add_audit(command);
  add_shell_completion(command);
  add_man_page(command);
}

}  // namespace

int run(int argc, const char* const* argv) {
  CLI::App command(
      "Learns low-rank structure from multiway data: completes tensors, predicts what was not "
      "observed, finds topics.",
      "tulle");
  declare(command);
  try {
    command.parse(argc, argv);
    return 0;
  } catch (const CLI::Success& asked_for_help) {
    return command.exit(asked_for_help);
  } catch (const CLI::ParseError& error) {
    const std::string verb =
        command.get_subcommands().empty() ? "" : command.get_subcommands().front()->get_name() + " ";
    return complain(fmt::format("{} (see: tulle {}--help)", error.what(), verb), kWrongUse);
  } catch (const UsageError& error) {
    return complain(error.what(), kWrongUse);
  } catch (const std::bad_alloc&) {
    return complain("not enough memory for this tensor; try a smaller rank or fewer threads", kFailure);
  } catch (const std::exception& error) {
    return complain(error.what(), kFailure);
  }
}

}  // namespace tulle::cli
