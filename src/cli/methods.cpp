// tulle methods: lists the methods with their sources and guarantees.
#include "options.hpp"
#include "terminal/terminal.hpp"
#include "verbs.hpp"

#include <tulle/base/json.hpp>
#include <tulle/base/suggestion.hpp>
#include <tulle/method/method.hpp>

namespace tulle::cli {
namespace {

struct Methods {
  std::string name;
  bool json = false;
};

struct VerbOfJob {
  Job job;
  std::string_view verb;
};
constexpr VerbOfJob kVerbs[] = {{Job::completion, "complete"},
                                {Job::topics, "topics"},
                                {Job::counts, "count"},
                                {Job::classification, "classify"}};

bool is_published_only(const Method& method) {
  return method.has(Calibration::published) && !method.has(Calibration::sound);
}
constexpr const char* kPublishedOnly = "published form only, nothing proven";

Json forms_of(const Method& method) {
  Json forms = Json::array();
  if (method.is_private() && method.has(Calibration::sound)) forms.push_back("sound");
  if (method.has(Calibration::published)) forms.push_back("published");
  return forms;
}

Json as_json(const Method& method, std::string_view verb) {
  Json settings = Json::array();
  for (const MethodSetting& setting : method.settings)
    settings.push_back({{"name", setting.name},
                        {"meaning", setting.meaning},
                        {"values", setting.values()},
                        {"default", setting.otherwise}});
  return {{"name", method.name},           {"verb", verb},
          {"title", method.title},         {"source", method.source},
          {"guarantee", method.guarantee}, {"details", method.details},
          {"forms", forms_of(method)},     {"needs_delta", method.needs_delta},
          {"settings", settings}};
}

void describe(const Method& method, std::string_view verb) {
  fmt::print("{} (tulle {}): {}\n\n{}\n\nSource:    {}\nGuarantee: {}\n", bold(method.name), verb,
             method.title, method.details, method.source, method.guarantee);
  if (is_published_only(method)) fmt::print("Forms:     {}\n", kPublishedOnly);
  if (!method.settings.empty()) fmt::print("\nSettings:\n");
  for (const MethodSetting& setting : method.settings)
    fmt::print("  --{:<18} {}: {} [{}]\n", setting.name, setting.meaning, setting.values(),
               setting.otherwise);
}

// Prints the methods of that name, or all.
void run(const Methods& options) {
  Json list = Json::array();
  std::vector<std::string> names;
  for (const auto& [job, verb] : kVerbs)
    for (const Method& method : methods(job)) {
      if (std::ranges::find(names, method.name) == names.end()) names.push_back(method.name);
      if (!options.name.empty() && method.name != options.name) continue;
      list.push_back(as_json(method, verb));
      if (options.json) continue;
      if (options.name.empty())
        fmt::print("{:<10} {:<12} {} ({}){}\n", verb, bold(method.name), method.title, method.source,
                   is_published_only(method) ? fmt::format(" [{}]", kPublishedOnly) : "");
      else
        describe(method, verb);
    }
  if (list.empty()) fail_unknown("method", options.name, names);
  if (options.json) fmt::print("{}\n", json_text(list, 2));
}

}  // namespace

void add_methods(Verb& command) {
  auto options = std::make_shared<Methods>();
  Verb verb = command.add_verb("methods", "List the methods, or describe one");
  verb.add_option("NAME", options->name, "Name of a method [all]");
  declare_json(verb, options->json);
  verb.footer("Example:\n  tulle methods plain");
  verb.callback([options] { run(*options); });
}

}  // namespace tulle::cli
