#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/job/write_page.hpp>

#include <algorithm>

namespace tulle {
namespace {

// A release of the record in the notation of `tulle account`, which takes some only as part of a list.
struct AccountWords {
  std::string mechanism, parameter;
  double value = 0;
  std::optional<double> rate;
  std::uint64_t count = 1;

  bool same_release(const AccountWords& other) const {
    return mechanism == other.mechanism && value == other.value && rate == other.rate;
  }
  std::string alone() const {
    std::string words =
        fmt::format("{} @{} {}", mechanism, parameter == "epsilon" ? "epsilon-each" : parameter, value);
    if (rate) words += fmt::format(" @rate {}", *rate);
    return words + fmt::format(" @steps {}", count);
  }
  std::string in_list() const {
    std::string words = fmt::format("{},{}={}", mechanism, parameter, value);
    if (rate) words += fmt::format(",rate={}", *rate);
    return words + fmt::format(",steps={}", count);
  }
};

// `tulle account` states noise relative to the sensitivity, which for a sampled release under replace is
// twice the contribution that the record refers to.
std::optional<AccountWords> account_words(const Json& release, const std::string& relation) {
  AccountWords words;
  words.count = release.at("count");
  if (release.contains("fixed_batch")) return std::nullopt;
  if (release.contains("poisson_rate")) words.rate = release["poisson_rate"].get<double>();
  const double contributions = words.rate && relation == "replace" ? 2 : 1;
  words.mechanism = release.at("mechanism");
  if (words.mechanism == "gaussian" || words.mechanism == "laplace") {
    words.parameter = "sigma";
    words.value = release.at("noise_multiplier").get<double>() / contributions;
  } else if (words.mechanism == "approximate" && release.at("delta") == 0) {
    words.mechanism = "pure";
    words.parameter = "epsilon";
    words.value = release.at("epsilon").get<double>() * contributions;
  } else {
    return std::nullopt;
  }
  return words;
}

// The epsilon is that of the record if everything planned was released. Equal releases are joined, as in the
// accountant.
std::optional<std::string> account_command(const Json& guarantee) {
  if (!is_composed_of_its_record(guarantee)) return std::nullopt;
  std::vector<AccountWords> all;
  for (const Json& release : guarantee.at("releases")) {
    auto words = account_words(release.at("accounted"), guarantee.at("relation"));
    if (!words) return std::nullopt;
    const auto known =
        std::ranges::find_if(all, [&](const AccountWords& each) { return each.same_release(*words); });
    if (known != all.end())
      known->count += words->count;
    else
      all.push_back(std::move(*words));
  }
  std::string command;
  for (const AccountWords& words : all)
    command += command.empty() ? "tulle account " + words.alone() : " @also " + words.in_list();
  if (command.empty()) return std::nullopt;
  return fmt::format("{} @relation {} @delta {}", command, guarantee.at("relation").get<std::string>(),
                     guarantee.at("delta").get<double>());
}

// Spelled as typed in a shell.
std::string typed(const std::string& marked) {
  return spelled(marked, {.write = [](std::string_view id) { return fmt::format("--{}", id); },
                          .has = [](std::string_view) { return true; }});
}

std::string audit_command(const Json& result) {
  const Json& guarantee = result.at("guarantee");
  const std::string method = result.contains("picked") ? result["picked"] : result.at("method");
  std::string command = fmt::format(
      "tulle audit {} @unit {} @relation {} @epsilon {:g}", method, guarantee.at("unit").get<std::string>(),
      guarantee.at("relation").get<std::string>(), guarantee.at("epsilon").get<double>());
  if (const double delta = guarantee.at("delta"); delta > 0) command += fmt::format(" @delta {:g}", delta);
  if (!guarantee.at("status").get<std::string>().starts_with("proven")) command += " @calibration published";
  return command;
}

}  // namespace

std::vector<RunPage::Check> checks_of(const Json& result) {
  std::vector<RunPage::Check> checks;
  const Json guarantee = result.value("guarantee", Json());
  if (guarantee.is_null() || guarantee.value("status", "") == "none") return checks;
  checks.push_back(
      {"Attack the method on data made for that, which bounds epsilon from below; docs/audit.md has the row "
       "of every form:",
       typed(with_marks(audit_command(result)))});
  if (const auto command = account_command(guarantee))
    checks.push_back(
        {"Compose the releases again, which gives epsilon at this delta:", typed(with_marks(*command))});
  checks.push_back({"The model file states the same guarantee:", "tulle info MODEL.npz"});
  if (result.contains("budget"))
    checks.push_back(
        {"The owner's ledger holds the charge of this run, in a chain of hashes that shows any change:",
         typed(message("tulle budget history {}\ntulle budget verify @head HASH",
                       result["budget"].at("name").get<std::string>()))});
  return checks;
}

}  // namespace tulle
