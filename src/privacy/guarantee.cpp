#include <tulle/privacy/guarantee.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tulle {
namespace {

using Json = nlohmann::ordered_json;

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

std::string amount(const Budget& budget) {
  return budget.delta > 0 ? fmt::format("epsilon {:.6g}, delta {:g}", budget.epsilon, budget.delta)
                          : fmt::format("epsilon {:.6g}", budget.epsilon);
}

}  // namespace

std::string sentence(const Guarantee& guarantee) {
  if (guarantee.status == Guarantee::Status::none) return "none: " + guarantee.remark;
  std::string text = fmt::format("{} for unit {} under {} ({})", amount(guarantee.used), name(guarantee.unit),
                                 name(guarantee.relation), guarantee.accounting);
  if (guarantee.status == Guarantee::Status::claimed)
    text = fmt::format("NOT PROVEN, claimed {}: {}", text, guarantee.remark);
  if (guarantee.reproducible) text += "; reproducible from its seed, so NOT PRIVATE against whoever knows it";
  return text;
}

std::string to_json(const Guarantee& guarantee) {
  Json json;
  json["sentence"] = sentence(guarantee);
  json["status"] = name(guarantee.status);
  if (guarantee.status != Guarantee::Status::none) {
    json["epsilon"] = guarantee.used.epsilon;
    json["delta"] = guarantee.used.delta;
    json["unit"] = name(guarantee.unit);
    json["relation"] = name(guarantee.relation);
    json["accounting"] = guarantee.accounting;
  }
  json["reproducible"] = guarantee.reproducible;
  if (!guarantee.remark.empty()) json["remark"] = guarantee.remark;
  json["releases"] = Json::array();
  for (const Record& record : guarantee.releases)
    json["releases"].push_back({{"what", record.what},
                                {"noise", record.noise},
                                {"numbers", record.numbers},
                                {"deviation", record.deviation},
                                {"event", describe(record.event)}});
  return json.dump(2);
}

}  // namespace tulle
