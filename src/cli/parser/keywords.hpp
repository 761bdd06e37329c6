// A verb's options for a program that embeds it: what there is, and the options from words as the command
// takes them.
#pragma once

#include "parser/verb.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tulle::cli {

struct OptionDescription {
  std::string name;       // "user-mode"; "TRAIN" of an argument without dashes
  std::string meaning;    // one line
  std::string otherwise;  // the default, as text; "" where there is none to show
  std::string type;       // as the parser has it: "FLOAT", "TEXT:{sound,published}"
  bool flag = false;      // takes no value
  bool repeats = false;   // may be given several times
};

class Keywords {
 public:
  Keywords(const std::string& verb, const std::function<void(Verb&)>& declare);
  ~Keywords();
  Keywords(const Keywords&) = delete;
  Keywords& operator=(const Keywords&) = delete;

  std::vector<OptionDescription> descriptions() const;

  // Sets what declare() bound the options to. A UsageError, as the command has it, where that fails.
  void parse(const std::vector<std::string>& words);
  // What the library says, with the option that does what it advises.
  std::string explained(const std::string& message) const;

 private:
  std::unique_ptr<CLI::App> parser_;
};

}  // namespace tulle::cli
