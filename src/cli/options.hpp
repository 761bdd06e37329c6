// Options that several verbs share.
#pragma once

#include "parser/verb.hpp"

namespace tulle::cli {

void declare_json(Verb& verb, bool& json);
void declare_threads(Verb& verb);  // takes effect while parsing

}  // namespace tulle::cli
