#include "options.hpp"

#include <tulle/job/options/common.hpp>

namespace tulle::cli {

void declare_json(Verb& verb, bool& json) {
  verb.add_flag("--json", json, "Print JSON instead of text; docs/json.md describes the fields");
}

void declare_threads(Verb& verb) {
  verb.add_options([](OptionTable& table) { tulle::declare_threads(table); });
}

}  // namespace tulle::cli
