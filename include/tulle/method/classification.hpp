// The job of `tulle classify`: a network that tells the class of an example.
#pragma once

#include <tulle/data/labelled.hpp>
#include <tulle/method/method.hpp>
#include <tulle/model/network.hpp>
#include <tulle/solve/fit.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// How a published form turns a budget into noise; a sound form is accounted by the curator alone.
enum class PublishedAccounting { advanced_composition, zcdp };
std::string_view name(PublishedAccounting accounting);
PublishedAccounting accounting_of(
    std::string_view name);  // a UsageError that lists the names when there is none

enum class Dropout { none, binary, gaussian };
std::string_view name(Dropout dropout);
Dropout dropout_of(std::string_view name);

struct ClassificationOptions {
  std::optional<std::vector<int>> hidden;  // units of every hidden layer; none: the method's own
  Activation activation = Activation::relu;
  // Public bounds of every value of an example, in place of one range for all.
  std::vector<std::pair<double, double>> bounds = {};
  std::uint64_t seed = 0;  // of what is no noise: where weights start, random units
  PublishedAccounting accounting = PublishedAccounting::zcdp;
  Dropout dropout = Dropout::none;  // of a plain fit
  double dropout_rate = 0.2;
  Observer observer = {};
  const Device* device = nullptr;  // none: the CPU
};

// What a method sees: public facts, and the data, protected. A unit is an example with its label.
struct ClassificationRequest {
  Network frame;  // range and classes; no layers yet
  Eigen::Index inputs;
  ImageFeatures image = {};  // the size of examples that are images
  // How many examples there are, where that is public: under replace.
  std::optional<std::uint64_t> examples;
  Relation relation = Relation::add_remove;
  Budget budget;
  Settings settings;
  ClassificationOptions options;
  Protected<LabelledExamples> data;
};

struct ClassificationOutcome {
  Network model;
  std::vector<Network> samples = {};  // of the posterior, of methods that draw some; prediction is their mean
  std::string solver = {};
  std::vector<std::string> remarks = {};  // from public facts or releases alone
  std::vector<Iteration> history = {};
  std::optional<double> noise_multiplier = {};  // of a gradient step
  // Of dpd: the rate alpha of the Gaussian dropout N(1, alpha) that the noise of the last step is on the
  // median weight.
  std::optional<double> dropout_alpha = {};
  Guarantee guarantee = {};
};

// All checks come before anything is released; then `pay`, if there is one, is asked to charge a ledger.
// `terms.range`: public bounds of the examples' values.
ClassificationOutcome classify(const Method& method, LabelledExamples data, const Terms& terms,
                               const Settings& settings, const ClassificationOptions& options,
                               std::function<void(const Curator&)> pay = {});
// The same with a curator that open_curator() made for these terms, as an auditor does.
ClassificationOutcome classify(const Method& method, LabelledExamples data, const Terms& terms,
                               const Settings& settings, const ClassificationOptions& options,
                               Curator& curator);

}  // namespace tulle

#pragma GCC visibility pop
