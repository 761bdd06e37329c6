// The methods by name: what `--method NAME` runs and `tulle methods` lists.
#pragma once

#include <tulle/method/private_completion.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tulle {

// A method that another one picked, and why: from public facts.
struct MethodChoice {
  std::string_view method;
  std::string why;
};

struct Method {
  std::string name;
  std::string title;      // one line
  std::string source;     // the paper it comes from, or "Tulle"
  std::string guarantee;  // what is proven of it
  std::string details;    // a paragraph: what it does, with which solvers and models

  std::vector<std::string> models;        // empty: all
  std::vector<Neighbours> protects = {};  // the first of a unit is that unit's default; empty: nobody (plain)
  std::vector<std::string> takes = {};    // the settings of Tuning it knows, as the command spells them

  using Run = Completion (*)(const PrivateRequest&, Curator&);
  Run sound = nullptr;
  MethodChoice (*pick)(const PrivateRequest&) = nullptr;  // instead of sound: names the method that runs
  Run published = nullptr;                                // none: no paper prints it
  std::string why_unproven = {};                          // of the published form
};

// The relation that applies: the one asked for, or else the method's own for the unit. A UsageError where the
// method does not protect these neighbours.
Relation relation_for(const Method& method, Unit unit, std::optional<Relation> relation);

const std::vector<Method>& methods();
const Method& find_method(std::string_view name);  // a UsageError that lists the names when there is none

}  // namespace tulle
