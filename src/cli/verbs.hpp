// The verbs of the command. Each add_ function declares a verb's options on the parser and the function that
// runs it.
#pragma once

#include "parser/verb.hpp"

#include <tulle/base/error.hpp>

namespace tulle::cli {

// An audit found that a method leaks more than it states. The command exits with 3.
class ViolationFound : public Error {
 public:
  using Error::Error;
};

void add_complete(Verb& command);
void add_topics(Verb& command);
void add_count(Verb& command);
void add_query(Verb& command);
void add_synthesize(Verb& command);
void add_couple(Verb& command);
void add_federate(Verb& command);
void add_classify(Verb& command);
void add_refit(Verb& command);
void add_predict(Verb& command);
void add_recommend(Verb& command);
void add_evaluate(Verb& command);
void add_generate(Verb& command);
void add_info(Verb& command);
void add_methods(Verb& command);
void add_account(Verb& command);
void add_budget(Verb& command);
void add_reproduce(Verb& command);
void add_audit(Verb& command);

// Both are generated from the parser itself, so they are always up to date.
void add_shell_completion(Verb& command);
void add_man_page(Verb& command);

}  // namespace tulle::cli
