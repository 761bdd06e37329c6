#include <tulle/base/error.hpp>
#include <tulle/privacy/account/event_text.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace tulle {
namespace {

TEST(EventText, IsReadBackAsItWas) {
  const std::vector<Event> events{
      Event::gaussian(1.1).sampled(PoissonSampling::what_if(0.1)).times(7),
      Event::laplace(1.0 / 3),
      Event::discrete_gaussian(12.5, 3, 4).sampled(FixedBatch(10, 1000)),
      Event::discrete_laplace(0.7, 2).times(std::uint64_t{1} << 52),
      Event::pure(0.25),
      Event::approximate(0.1, 1e-9),
  };
  EXPECT_EQ(events_from_json(to_json(events)), events);
  EXPECT_EQ(to_json({}), "[]");
}

TEST(EventText, NamesEveryParameter) {
  EXPECT_EQ(to_json(std::vector{Event::gaussian(2).times(3)}),
            R"([{"mechanism":"gaussian","noise_multiplier":2.0,"count":3}])");
  EXPECT_EQ(release_to_json(Event::gaussian(2).times(3)), release_to_json(Event::gaussian(2)));
}

TEST(EventText, ReadingChecksAsMakingDoes) {
  const auto refuses = [](const char* text) { EXPECT_THROW(events_from_json(text), Error) << text; };
  refuses("");
  refuses("[{}]");
  refuses(R"([{"mechanism":"gaussian","count":1}])");
  refuses(R"([{"mechanism":"gaussian","noise_multiplier":2}])");
  refuses(R"([{"mechanism":"gaussian","noise_multiplier":-2,"count":1}])");
  refuses(R"([{"mechanism":"gaussian","noise_multiplier":2,"count":0}])");
  refuses(R"([{"mechanism":"gaussian","noise_multiplier":2,"poisson_rate":2,"count":1}])");
  refuses(R"([{"mechanism":"gaussian","noise_multiplier":2,"fixed_batch":3,"population":2,"count":1}])");
  refuses(R"([{"mechanism":"rumour","count":1}])");
}

}  // namespace
}  // namespace tulle
