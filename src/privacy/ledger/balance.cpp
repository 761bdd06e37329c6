#include "balance.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/privacy/account/event_text.hpp>
#include <tulle/privacy/account/filter.hpp>

#include <algorithm>

namespace tulle {
namespace {

LedgerAccount account_in(const std::string& name, const Json& json) {
  return {name, json.at("fingerprint"), unit_of(json.at("unit").get<std::string>()),
          relation_of(json.at("relation").get<std::string>()), json.value("mode", "")};
}

}  // namespace

// Omits an empty mode, as before accounts had one, so that old checkpoints still compare equal.
std::string to_json(const LedgerAccount& account) {
  Json json = {{"fingerprint", account.fingerprint},
               {"unit", name(account.unit)},
               {"relation", name(account.relation)}};
  if (!account.mode.empty()) json["mode"] = account.mode;
  return json_text(json);
}

void Balance::add(const LedgerRow& row) {
  const Json json = parse_json(row.content);
  const bool checkpoint = row.kind == "checkpoint";
  if (checkpoint) *this = {};
  ++rows_;
  if (row.kind == "create" || checkpoint) account_ = account_in(row.account, json);
  if (row.kind == "grant" || checkpoint) {
    granted_.epsilon += json.at("epsilon").get<double>();
    granted_.delta += json.at("delta").get<double>();
  }
  if (row.kind != "charge" && !checkpoint) return;
  const std::vector<Event> releases = events_from_json(json_text(json.at("releases")));
  charges_ += releases.empty() ? 0 : 1;
  for (const Event& event : releases) {
    const auto [known, added] = releases_.emplace(release_to_json(event), event);
    if (!added) known->second = known->second.joined(event);
  }
}

const LedgerAccount& Balance::account_named(const std::string& name) const {
  if (!account_) fail("the ledger has no data set '{}'; make it with: tulle budget create {}", name, name);
  return *account_;
}

double Balance::spent(std::span<const Event> further) const {
  std::vector<Event> all;
  for (const auto& [text, event] : releases_) all.push_back(event);
  for (const Event& event : further) join(all, event);
  const double adaptive =
      adaptive_epsilon_upper(all, account_->relation, granted_.epsilon, granted_.delta).value;
  if (adaptive <= granted_.epsilon || charges_ + (further.empty() ? 0 : 1) > 1) return adaptive;
  // The filter would not let this single charge pass. But nothing was released before it was chosen, its
  // releases are planned, and the filter counts whatever follows and lets nothing more pass. So all that was
  // charged is this run, whose epsilon holds at all of delta.
  return std::min(adaptive, epsilon_upper(all, account_->relation, granted_.delta).value);
}

std::string Balance::checkpoint() const {
  std::vector<Event> releases;
  for (const auto& [text, event] : releases_) releases.push_back(event);
  Json content = parse_json(to_json(*account_));
  content["epsilon"] = granted_.epsilon;
  content["delta"] = granted_.delta;
  content["releases"] = parse_json(to_json(releases));
  return json_text(content);
}

bool Balance::wants_checkpoint() const {
  constexpr std::size_t kRows = 64;
  return rows_ > std::max(kRows, releases_.size());
}

}  // namespace tulle
