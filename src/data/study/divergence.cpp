#include <tulle/base/error.hpp>
#include <tulle/base/names.hpp>
#include <tulle/base/parse.hpp>
#include <tulle/data/divergence.hpp>

#include <fmt/format.h>

namespace tulle {
namespace {

const Names<Divergence, 5> kDivergences = {{{Euclidean{}, "euclidean"},
                                            {KullbackLeibler{}, "kl"},
                                            {ItakuraSaito{}, "itakura-saito"},
                                            {Bernoulli{}, "bernoulli"},
                                            {Huber{}, "huber"}}};

}  // namespace

Divergence beta_divergence(double power) {
  if (power == 0) return Euclidean{};
  if (power == 1) return KullbackLeibler{};
  if (power == 2) return ItakuraSaito{};
  return BetaDivergence{power};
}

std::optional<double> power_of(const Divergence& divergence) {
  return std::visit(
      [](const auto& type) -> std::optional<double> {
        if constexpr (requires { type.power(); }) return type.power();
        return std::nullopt;
      },
      divergence);
}

bool needs_positive_models(const Divergence& divergence) {
  return std::visit([](const auto& type) { return type.least() > 0; }, divergence);
}

Divergence divergence_of(std::string_view text) {
  if (const auto number = parse_number<double>(text)) {
    if (*number >= 0 && *number <= 3) return beta_divergence(*number);
    fail_usage("divergence {}: p must be from 0 to 3", text);
  }
  return find_named(kDivergences, text, "divergence");
}

std::string divergence_name(const Divergence& divergence) {
  const auto name = name_in(kDivergences, divergence);
  return name == "?" ? fmt::format("p = {}", *power_of(divergence)) : std::string(name);
}

}  // namespace tulle
