#include "run.hpp"

#include "explain.hpp"
#include "terminal/terminal.hpp"
#include "verbs.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/tensor/machine.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <new>
#include <span>
#include <system_error>

namespace tulle::cli {
namespace {

constexpr int kFailure = 1;
constexpr int kWrongUse = 2;
constexpr int kViolation = 3;

int complain(const std::string& message, int status) {
  say(message);
  return status;
}

std::string version() {
  return fmt::format("tulle {}\nBLAS: {}\nVector instructions: {}\nThreads: {}", TULLE_VERSION, blas_in_use(),
                     vector_instructions(), threads());
}

void declare(CLI::App& parser) {
  parser.set_version_flag("--version", version);
  parser.require_subcommand(1);
  parser.get_formatter()->column_width(34);
  parser.footer(
      "Every verb has --help with an example. Exit status: 0 success, 1 bad input or failure, 2 wrong use, 3 "
      "violation found by an audit.");
  Verb command(parser);
  add_complete(command);
  add_topics(command);
  add_count(command);
  add_query(command);
  add_synthesize(command);
  add_couple(command);
  add_federate(command);
  add_classify(command);
  add_refit(command);
  add_predict(command);
  add_recommend(command);
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

int parse(CLI::App& command, int argc, const char* const* argv) {
  const std::span words(argv + 1, argv + argc);
  refuse_empty_values(words);
  try {
    command.parse(argc, argv);
    return 0;
  } catch (const CLI::Success& asked_for_help) {
    return command.exit(asked_for_help);
  } catch (const CLI::ParseError& error) {
    throw UsageError(explain(command, error, words));
  }
}

// Flushes standard output, since a full disk is noticed only when buffers are written.
void check_standard_output() {
  std::cout.flush();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout)
    fail("standard output: {}", std::strerror(errno));
}

}  // namespace

int run(int argc, const char* const* argv) {
  CLI::App command(
      "Learns low-rank structure from multiway data: completes tensors, predicts unobserved cells, finds "
      "topics.",
      "tulle");
  declare(command);
  try {
    const int status = parse(command, argc, argv);
    check_standard_output();
    return status;
  } catch (const UsageError& error) {
    return complain(spelled(error.text(), flags_of(command)), kWrongUse);
  } catch (const ViolationFound& error) {
    return complain(spelled(error.text(), flags_of(command)), kViolation);
  } catch (const std::bad_alloc&) {
    return complain("not enough memory; try a smaller model or fewer threads", kFailure);
  } catch (const std::system_error& error) {
    return complain(
        fmt::format("{}{}", std::ferror(stdout) != 0 ? "standard output: " : "", error.code().message()),
        kFailure);
  } catch (const std::exception& error) {
    return complain(spelled(tulle::text_of(error), flags_of(command)), kFailure);
  }
}

}  // namespace tulle::cli
