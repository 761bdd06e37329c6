// tulle methods: what exists, whose it is, what is proven of it.
#include "options.hpp"
#include "terminal.hpp"
#include "verb.hpp"

#include <tulle/method/registry.hpp>

#include <nlohmann/json.hpp>

namespace tulle::cli {
namespace {

struct Methods {
  std::string name;
  bool json = false;
};

nlohmann::ordered_json as_json(const Method& method) {
  return {{"name", method.name},
          {"title", method.title},
          {"source", method.source},
          {"guarantee", method.guarantee},
          {"details", method.details}};
}

void describe(const Method& method) {
  fmt::print("{}: {}\n\n{}\n\nSource:    {}\nGuarantee: {}\n", bold(method.name), method.title,
             method.details, method.source, method.guarantee);
}

void run(const Methods& options) {
  if (!options.name.empty()) {
    const Method& method = find_method(options.name);
    if (options.json)
      fmt::print("{}\n", as_json(method).dump(2));
    else
      describe(method);
    return;
  }
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Method& method : methods()) {
    all.push_back(as_json(method));
    if (!options.json) fmt::print("{:<12} {} ({})\n", bold(method.name), method.title, method.source);
  }
  if (options.json) fmt::print("{}\n", all.dump(2));
}

}  // namespace

void add_methods(CLI::App& command) {
  auto options = std::make_shared<Methods>();
  CLI::App& verb = *command.add_subcommand("methods", "List the methods, or describe one");
  verb.add_option("NAME", options->name, "A method");
  declare_json(verb, options->json);
  verb.footer("Example:\n  tulle methods plain");
  verb.callback([options] { run(*options); });
}

}  // namespace tulle::cli
