#include <tulle/base/json.hpp>
#include <tulle/privacy/account/event_text.hpp>
#include <tulle/privacy/guarantee.hpp>

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace tulle {
namespace {

std::string_view name(Guarantee::Status status) {
  switch (status) {
    case Guarantee::Status::proven:
      return "proven";
    case Guarantee::Status::claimed:
      return "claimed, not proven";
    case Guarantee::Status::none:
      return "none";
  }
  return "?";
}

// Machines read only this text, so it includes what a proof depends on.
std::string status_text(const Guarantee& guarantee) {
  std::string text(name(guarantee.status));
  if (guarantee.status != Guarantee::Status::proven) return text;
  if (!guarantee.source.empty()) text += ", given the model that it was started from";
  if (guarantee.reproducible) text += ", except against whoever knows the seed";
  return text;
}

constexpr std::string_view kAnybody = "anybody who sees the releases";

std::string amount(const Budget& budget) {
  const std::string epsilon = rounded_up(budget.epsilon);
  return budget.delta > 0 ? fmt::format("epsilon {}, delta {}", epsilon, rounded_up(budget.delta))
                          : fmt::format("epsilon {} (pure)", epsilon);
}

std::string protected_unit(const Guarantee& guarantee) {
  std::string text = fmt::format("any one {}", name(guarantee.unit));
  if (!guarantee.mode.empty()) text += fmt::format(" of mode {}", guarantee.mode);
  text += fmt::format(" under {}", name(guarantee.relation));
  if (guarantee.joint) text += ", jointly (each user's own row is for that user alone)";
  return text;
}

// What the guarantee depends on, each part after a semicolon.
std::string conditions(const Guarantee& guarantee) {
  std::string text;
  if (!guarantee.public_facts.empty())
    text += fmt::format("; public: {}", fmt::join(guarantee.public_facts, ", "));
  if (!guarantee.adversary.empty()) text += fmt::format("; against {}", guarantee.adversary);
  if (!guarantee.assumption.empty()) text += fmt::format("; assumes {}", guarantee.assumption);
  if (!guarantee.source.empty()) text += fmt::format("; warm start from {}", guarantee.source);
  if (guarantee.reproducible) text += "; reproducible from its seed, so NOT PRIVATE against whoever knows it";
  return text;
}

Json record_json(const Record& record) {
  Json json = {{"what", record.what},
               {"noise", record.noise},
               {"coordinates", record.numbers},
               {"stddev", record.deviation},
               {"event", describe(record.event)},
               {"accounted", Json::parse(to_json(std::span(&record.event, 1)))[0]}};
  if (record.sensitivity) {
    const Sensitivity& sensitivity = *record.sensitivity;
    json["sensitivity"] = {{"value", sensitivity.value()}, {"norm", name(sensitivity.norm())}};
    if (sensitivity.norm() == Norm::coordinates) json["sensitivity"]["changing"] = sensitivity.changing();
  }
  return json;
}

}  // namespace

std::string rounded_up(double cost, int digits) {
  const std::string nearest = fmt::format("{:.{}g}", cost, digits);
  const double shown = std::strtod(nearest.c_str(), nullptr);
  if (!std::isfinite(cost) || shown >= cost) return nearest;
  const double unit = std::pow(10.0, std::floor(std::log10(cost)) - digits + 1);  // of the last digit
  return fmt::format("{:.{}g}", shown + unit, digits);
}

std::string sentence(const Guarantee& guarantee) {
  if (guarantee.status == Guarantee::Status::none) return "none: " + guarantee.remark;
  std::string text = fmt::format("{} for {}", amount(guarantee.used), protected_unit(guarantee));
  if (guarantee.status == Guarantee::Status::claimed)
    text = fmt::format("NOT PROVEN, claimed {} ({}): {}", text, guarantee.accounting, guarantee.remark);
  return text + conditions(guarantee);
}

std::string to_json(const Guarantee& guarantee) {
  Json json;
  json["sentence"] = sentence(guarantee);
  json["status"] = status_text(guarantee);
  if (guarantee.status != Guarantee::Status::none) {
    json["epsilon"] = guarantee.used.epsilon;
    json["delta"] = guarantee.used.delta;
    if (guarantee.spent)
      json["spent"] = {{"epsilon", guarantee.spent->epsilon}, {"delta", guarantee.spent->delta}};
    json["unit"] = name(guarantee.unit);
    if (!guarantee.mode.empty()) json["mode"] = guarantee.mode;
    json["relation"] = name(guarantee.relation);
    json["joint"] = guarantee.joint;
    json["public"] = guarantee.public_facts;
    json["adversary"] = guarantee.adversary.empty() ? kAnybody : guarantee.adversary;
    if (!guarantee.assumption.empty()) json["assumption"] = guarantee.assumption;
    if (!guarantee.source.empty()) json["source"] = guarantee.source;
    json["accounting"] = guarantee.accounting;
  }
  json["reproducible"] = guarantee.reproducible;
  if (!guarantee.remark.empty()) json["remark"] = guarantee.remark;
  json["releases"] = Json::array();
  for (const Record& record : guarantee.releases) json["releases"].push_back(record_json(record));
  return json_text(json, 2);
}

}  // namespace tulle
