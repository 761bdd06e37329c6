#include "method/private_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace tulle {
namespace {

using ::testing::HasSubstr;

template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Methods, AreFoundByNameWithinTheirJob) {
  EXPECT_EQ(find_method("plain").job, Job::completion);
  EXPECT_EQ(find_method("plain", Job::topics).job, Job::topics);
  EXPECT_THAT(refusal([] { find_method("histogram"); }), HasSubstr("there is no method 'histogram'"));
}

TEST(Methods, RegisteredOnesAreFoundAndStayWhereTheyAre) {
  const Method& before = find_method("als");
  const auto run = [](const PrivateRequest&, Curator&) { return Completion(); };
  register_method({.name = "of-a-test",
                   .protects = {{{Unit::entry, Relation::replace}}},
                   .sound = +run,
                   .no_refit = "it releases nothing"});
  EXPECT_TRUE(find_method("of-a-test").has(Calibration::sound));
  EXPECT_FALSE(find_method("of-a-test").has(Calibration::published));
  EXPECT_EQ(&before, &find_method("als"));
  EXPECT_THAT(refusal([] { register_method({.name = "als"}); }), HasSubstr("already"));
}

TEST(Methods, TheFirstRelationOfAUnitIsItsDefault) {
  const Method& als = find_method("als");
  EXPECT_EQ(relation_for(als, Unit::entry, {}), Relation::replace);
  EXPECT_EQ(relation_for(als, Unit::user, {}), Relation::add_remove);
  EXPECT_EQ(relation_for(als, Unit::user, Relation::add_remove), Relation::add_remove);
  EXPECT_THAT(refusal([&] { relation_for(als, Unit::user, Relation::replace); }),
              HasSubstr("does not protect unit user under replace"));
  EXPECT_THAT(refusal([&] { relation_for(find_method("plain"), Unit::entry, {}); }),
              HasSubstr("method plain has no privacy guarantee"));
}

TEST(Methods, TheCuratorIsThatOfTheTerms) {
  const Terms terms{.budget = {1, 1e-6}, .unit = Unit::user, .range = {0, 1}};
  const Curator curator = open_curator(find_method("als"), terms, RandomBits::seeded(1));
  EXPECT_EQ(curator.unit(), Unit::user);
  EXPECT_EQ(curator.relation(), Relation::add_remove);
  EXPECT_FALSE(curator.published());
  EXPECT_EQ(open_curator(find_method("plain"), terms, RandomBits::seeded(1)).guarantee().status,
            Guarantee::Status::none);
}

TEST(Methods, TermsThatAMethodDoesNotMeetAreRefused) {
  const auto checked = [](const char* method, const Terms& terms, const Settings& settings = {}) {
    return refusal([&] { check_terms(find_method(method), terms, settings); });
  };
  EXPECT_EQ(checked("als", {.budget = {1, 0}}), "no error");
  EXPECT_THAT(checked("als", {.budget = {1, 0}, .calibration = Calibration::published}),
              HasSubstr("no published form"));
  EXPECT_THAT(checked("gradient", {.budget = {1, 0}}), HasSubstr("a delta above 0"));
  EXPECT_THAT(checked("als", {.budget = {1, 0}}, Settings().set(setting::clip, 1)), HasSubstr("clip"));
}

TEST(Methods, WhatHoldsForOneUnitAloneIsRefusedForItAlone) {
  const auto checked = [](Unit unit, double delta, const Settings& settings) {
    return refusal([&] { check_terms(find_method("als"), {.budget = {1, delta}, .unit = unit}, settings); });
  };
  const Settings laplace = Settings().set(setting::noise, NoiseKind::laplace);
  EXPECT_EQ(checked(Unit::entry, 0, laplace), "no error");
  EXPECT_EQ(checked(Unit::user, 0, {}),
            "method als needs a delta above 0 for unit user under add-remove, such as 1e-6");
  EXPECT_EQ(checked(Unit::user, 1e-6, laplace),
            "noise laplace: method als takes gaussian for unit user under add-remove");
}

TEST(Methods, AreListedAsInASentence) {
  const auto named = [](std::initializer_list<std::string_view> names) {
    return names_of_methods([=](const Method& method) { return std::ranges::count(names, method.name) > 0; });
  };
  EXPECT_EQ(named({}), "");
  EXPECT_EQ(named({"als"}), "als");
  EXPECT_EQ(named({"local", "als"}), "als or local");
  EXPECT_EQ(named({"local", "als", "ops"}), "als, local or ops");
  EXPECT_EQ(names_of_methods(&Method::keeps_releases, Job::completion, ", "),
            "one-shot, margins, als, input, local");
  EXPECT_EQ(first_method(&Method::sums_over_sites).name, "als");
}

// Those of which nothing is proven run as published alone, and name what to use instead.
TEST(Methods, WithoutASoundFormSayWhatToUse) {
  int found = 0;
  for (const Method& method : methods(Job::completion)) {
    if (method.has(Calibration::sound) || !method.has(Calibration::published)) continue;
    ++found;
    EXPECT_EQ(method.guarantee, "none is proven") << method.name;
    EXPECT_FALSE(method.instead.empty()) << method.name;
    const Terms terms{.unit = method.protects.front().unit, .relation = method.protects.front().relation};
    EXPECT_THAT(refusal([&] { check_terms(method, terms, {}); }),
                HasSubstr("has no proven form; run it as published (Terms::calibration published), or use " +
                          method.instead));
  }
  EXPECT_GT(found, 0);
}

TEST(Methods, ACuratorOfOtherTermsIsRefused) {
  const Method& input = find_method("input");
  const Terms terms{.budget = {1, 0}, .unit = Unit::user};
  const Curator curator = open_curator(input, terms, RandomBits::seeded(1));
  const auto checked = [&](auto change) {
    Terms other = terms;
    change(other);
    return refusal([&] { check_curator(curator, input, other); });
  };
  EXPECT_EQ(checked([](Terms&) {}), "no error");
  EXPECT_THAT(checked([](Terms& other) { other.unit = Unit::entry; }), HasSubstr("the terms say unit entry"));
  EXPECT_THAT(checked([](Terms& other) { other.calibration = Calibration::published; }),
              HasSubstr("the sound form"));
}

TEST(Methods, ACuratorOfAnotherClaimIsRefused) {
  const Terms terms{.budget = {0.01, 0}, .calibration = Calibration::published};
  Terms larger = terms;
  larger.budget.epsilon = 100;
  const Method &input = find_method("input"), &output = find_method("output");
  const Curator curator = open_curator(input, terms, RandomBits::seeded(1));
  EXPECT_EQ(refusal([&] { check_curator(curator, input, terms); }), "no error");
  EXPECT_THAT(refusal([&] { check_curator(curator, input, larger); }), HasSubstr("another budget"));
  EXPECT_THAT(refusal([&] { check_curator(curator, output, terms); }), HasSubstr("another method"));
}

}  // namespace
}  // namespace tulle
