#include <tulle/base/error.hpp>
#include <tulle/method/method.hpp>

#include <gmock/gmock.h>

#include <array>
#include <limits>

namespace tulle {
namespace {

using ::testing::HasSubstr;

std::string refusal_by(const std::function<void()>& call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

constexpr NoiseKind kTwo[] = {NoiseKind::laplace, NoiseKind::gaussian};

std::vector<MethodSetting> taken() {
  return {takes_noise(kTwo, "laplace"), takes(setting::steps, "3", {.least = 1}),
          takes(setting::sampling_rate, "1", {.above = 0, .most = 1}),
          takes(setting::clip_quantile, "none", {.above = 0, .below = 1})};
}

TEST(Settings, ProtectionIsOfAllOrOfWhatIsShared) {
  const MethodSetting setting = takes(setting::protection, "all");
  Settings settings;
  settings.parse(setting, "shared");
  EXPECT_EQ(settings.get(setting::protection), Protection::shared);
  EXPECT_EQ(settings.text(), "protection shared");
  settings.check("any", std::array{setting}, Calibration::sound, Unit::entry);
  EXPECT_EQ(setting.values(), "all, shared");
  EXPECT_THAT(refusal_by([&] { settings.parse(setting, "site"); }), HasSubstr("protection"));
}

TEST(Settings, AreReadAsTheTypeOfTheirDeclaration) {
  Settings settings;
  settings.parse(taken()[0], "gaussian");
  settings.parse(taken()[1], "12");
  settings.parse(taken()[2], "0.25");
  EXPECT_EQ(settings.get(setting::noise), NoiseKind::gaussian);
  EXPECT_EQ(settings.get(setting::steps), 12);
  EXPECT_EQ(settings.get(setting::sampling_rate), 0.25);
  EXPECT_EQ(settings.get(setting::clip), std::nullopt);
  EXPECT_EQ(settings.text(), "noise gaussian, sampling-rate 0.25, steps 12");
  settings.check("any", taken(), Calibration::sound, Unit::entry);
}

TEST(Settings, WhatIsNoValueIsRefused) {
  Settings settings;
  EXPECT_EQ(refusal_by([&] { settings.parse(taken()[1], "many"); }), "steps 'many': give a whole number");
  EXPECT_EQ(refusal_by([&] { settings.parse(taken()[1], "1.5"); }), "steps '1.5': give a whole number");
  EXPECT_EQ(refusal_by([&] { settings.parse(taken()[2], ""); }), "sampling-rate '': give a number");
  EXPECT_THAT(refusal_by([&] { settings.parse(taken()[0], "pink"); }), HasSubstr("there is no noise 'pink'"));
}

TEST(Settings, OfOneFormAloneAreRefusedForTheOther) {
  const std::array taken = {as_published(takes(setting::steps, "200")),
                            in_sound_form(takes(setting::sampling_rate, "1"))};
  EXPECT_EQ(taken[0].otherwise, "published form: 200");
  EXPECT_EQ(taken[1].otherwise, "sound form: 1");
  const auto refusal = [&](const Settings& settings, Calibration form) {
    return refusal_by([&] { settings.check("any", taken, form, Unit::entry); });
  };
  const Settings steps = Settings().set(setting::steps, 3), rate = Settings().set(setting::sampling_rate, 1);
  EXPECT_EQ(refusal(steps, Calibration::published), "no error");
  EXPECT_EQ(refusal(steps, Calibration::sound), "steps is for the published form of any; omit it");
  EXPECT_EQ(refusal(rate, Calibration::sound), "no error");
  EXPECT_EQ(refusal(rate, Calibration::published), "sampling-rate is for the sound form of any; omit it");
}

TEST(Settings, OfUsersAloneAreRefusedForAnEntry) {
  const std::array taken = {for_users(takes(setting::entries_per_user, "all"))};
  EXPECT_EQ(taken[0].otherwise, "unit user: all");
  const Settings settings = Settings().set(setting::entries_per_user, 3);
  settings.check("any", taken, Calibration::sound, Unit::user);
  EXPECT_EQ(refusal_by([&] { settings.check("any", taken, Calibration::sound, Unit::entry); }),
            "entries-per-user is for unit user; omit it");
}

TEST(Settings, StayWithinTheLimitsOfTheMethod) {
  const auto refused = [](const auto& setting, auto value) {
    return refusal_by(
        [&] { Settings().set(setting, value).check("any", taken(), Calibration::sound, Unit::entry); });
  };
  EXPECT_EQ(refused(setting::steps, 1), "no error");
  EXPECT_EQ(refused(setting::steps, 0), "steps 0: method any takes a whole number, at least 1");
  EXPECT_EQ(refused(setting::sampling_rate, 1.0), "no error");
  EXPECT_EQ(refused(setting::sampling_rate, 0.0),
            "sampling-rate 0: method any takes a number, more than 0, at most 1");
  EXPECT_THAT(refused(setting::clip_quantile, 1.0), HasSubstr("less than 1"));
  EXPECT_THAT(refused(setting::sampling_rate, std::numeric_limits<double>::quiet_NaN()),
              HasSubstr("takes a number"));
  EXPECT_EQ(refused(setting::noise, NoiseKind::duchi), "noise duchi: method any takes laplace, gaussian");
  EXPECT_EQ(refused(setting::learning_rate, 0.1),
            "method any takes no learning-rate; it takes: noise, steps, sampling-rate, clip-quantile");
}

TEST(Settings, OfEveryMethodHaveAValueThatTheyTake) {
  for (const Method& method : methods(Job::completion))
    for (const MethodSetting& setting : method.settings) {
      EXPECT_FALSE(setting.otherwise.empty()) << method.name << " " << setting.name;
      EXPECT_EQ(setting.noises.empty(), !std::holds_alternative<NoiseKind>(setting.type)) << setting.name;
      EXPECT_FALSE(setting.values().empty());
    }
}

}  // namespace
}  // namespace tulle
