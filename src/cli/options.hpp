// Options that several verbs share, declared and worded once.
#pragma once

#include "parser/verb.hpp"

namespace tulle::cli {

void declare_json(Verb& verb, bool& json);
void declare_threads(Verb& verb);  // takes effect while parsing

}  // namespace tulle::cli
