// tulle methods: what exists, whose it is, what is proven of it.
#include "options.hpp"
#include "terminal.hpp"
#include "verb.hpp"

#include <tulle/base/error.hpp>
#include <tulle/method/registry.hpp>
#include <tulle/method/topics.hpp>

#include <nlohmann/json.hpp>

namespace tulle::cli {
namespace {

struct Methods {
  std::string name;
  bool json = false;
};

// Methods of `tulle complete` and of `tulle topics` are described alike.
template <class AnyMethod>
nlohmann::ordered_json as_json(const AnyMethod& method, std::string_view verb) {
  return {{"name", method.name},           {"verb", verb},
          {"title", method.title},         {"source", method.source},
          {"guarantee", method.guarantee}, {"details", method.details}};
}

template <class AnyMethod>
void describe(const AnyMethod& method, std::string_view verb) {
  fmt::print("{} (tulle {}): {}\n\n{}\n\nSource:    {}\nGuarantee: {}\n", bold(method.name), verb,
             method.title, method.details, method.source, method.guarantee);
}

// The methods of that name, or all; how many there were.
template <class AnyMethod>
int show(const std::vector<AnyMethod>& all, std::string_view verb, const Methods& options,
         nlohmann::ordered_json& list) {
  int shown = 0;
  for (const AnyMethod& method : all) {
    if (!options.name.empty() && method.name != options.name) continue;
    if (!options.json && !options.name.empty()) describe(method, verb);
    if (!options.json && options.name.empty())
      fmt::print("{:<10} {:<12} {} ({})\n", verb, bold(method.name), method.title, method.source);
    list.push_back(as_json(method, verb));
    ++shown;
  }
  return shown;
}

void run(const Methods& options) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  const int shown =
      show(methods(), "complete", options, list) + show(topic_methods(), "topics", options, list);
  if (shown == 0) {
    std::vector<std::string> names;
    for (const Method& method : methods()) names.push_back(method.name);
    for (const TopicMethod& method : topic_methods()) names.push_back(method.name);
    fail_usage("there is no method '{}'; there is: {}", options.name, fmt::join(names, ", "));
  }
  if (options.json) fmt::print("{}\n", (shown == 1 ? list[0] : list).dump(2));
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
