#include <tulle/audit/bytes.hpp>
#include <tulle/job/report.hpp>
#include <tulle/privacy/curator.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

// A command that releases `value`, with noise for a sensitivity of 1, and prints what it likes.
template <class Print>
RunOnSide releases(double first, double second, const Print& print) {
  return [=](int side) {
    Curator curator = Curator::with_budget({1, 0}, Unit::entry, Relation::replace, RandomBits::secure());
    const auto noise = AdditiveNoise::laplace(Sensitivity::l1(1, Unit::entry, Relation::replace), 0.5, 1);
    const Noisy released = curator.release(Protected<double>(side == 0 ? first : second), noise, "a number",
                                           [](double value) { return std::vector{value}; });
    return print(side, released.values[0]);
  };
}

CommandOutput prints_release(int, double released) {
  return {.output = fmt::format("{}\n", released), .errors = "", .files = {}};
}

TEST(ByteAudit, RunsThatPublishTheirReleasesAloneAreTheSame) {
  const ByteAudit audit = audit_bytes(releases(0, 1, prints_release));
  EXPECT_EQ(audit.releases, 1u);
  EXPECT_TRUE(audit.differences.empty()) << audit.differences.front();
}

TEST(ByteAudit, ExactAnswersBeyondTheSensitivityAreSeen) {
  const ByteAudit audit = audit_bytes(releases(0, 1.5, prints_release));
  ASSERT_EQ(audit.differences.size(), 1u);
  EXPECT_NE(audit.differences[0].find("1.5 times its sensitivity"), std::string::npos);
}

TEST(ByteAudit, EveryOtherByteMustBeTheSame) {
  // What the second run does to an output that is otherwise the same.
  const auto differs = [](auto change) {
    const auto print = [=](int side, double) {
      CommandOutput output{.output = "a", .errors = "a", .files = {{"model", "a"}}};
      if (side == 1) change(output);
      return output;
    };
    return !audit_bytes(releases(0, 1, print)).differences.empty();
  };
  EXPECT_FALSE(differs([](CommandOutput&) {}));
  EXPECT_TRUE(differs([](CommandOutput& output) { output.output += 'b'; }));
  EXPECT_TRUE(differs([](CommandOutput& output) { output.errors += 'b'; }));
  EXPECT_TRUE(differs([](CommandOutput& output) { output.status = 1; }));
  EXPECT_TRUE(differs([](CommandOutput& output) { output.files["model"] += 'b'; }));
  EXPECT_TRUE(differs([](CommandOutput& output) { output.files.emplace("other", "a"); }));
  EXPECT_TRUE(differs([](CommandOutput& output) { output.files.clear(); }));
}

TEST(ByteAudit, RunsThatReleaseSomethingElseDiffer) {
  const auto twice_on_the_second = [](int side) {
    CommandOutput output = releases(0, 0, prints_release)(side);
    if (side == 1) releases(0, 0, prints_release)(side);
    return output;
  };
  EXPECT_FALSE(audit_bytes(twice_on_the_second).differences.empty());
}

// Lines and fields that are marked as the owner's are set aside, and nothing else is.
TEST(ByteAudit, WhatIsForTheOwnerIsSetAside) {
  const CommandOutput text = without_owner_parts(
      {.output = fmt::format("rank 2\nerror 0.3 {}\n", kForTheOwner), .errors = "", .files = {}});
  EXPECT_EQ(text.output, "rank 2\n");
  const CommandOutput json =
      without_owner_parts({.output = R"({"rank":2,"test_rmse":0.3,"owner_only":{"fields":["test_rmse"]}})",
                           .errors = "",
                           .files = {}});
  EXPECT_NE(json.output.find("rank"), std::string::npos);
  EXPECT_EQ(json.output.find("0.3"), std::string::npos);
}

}  // namespace
}  // namespace tulle
