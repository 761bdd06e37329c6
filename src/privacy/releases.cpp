#include <tulle/privacy/curator.hpp>
#include <tulle/privacy/releases.hpp>

namespace tulle {

namespace {

Release on_record(std::string id, const Record& record, Noisy released) {
  return {.id = std::move(id),
          .what = record.what,
          .noise = record.noise,
          .events = {record.event},
          .values = std::move(released.values),
          .deviation = released.deviation,
          .typical = released.deviation};
}

}  // namespace

Release Release::of(std::string id, const Curator& curator, Noisy released) {
  return on_record(std::move(id), curator.newest(), std::move(released));
}

Release Release::of(std::string id, const Curator& curator, NoisyAbove released) {
  Release release =
      on_record(std::move(id), curator.newest(), {std::move(released.above.values), released.deviation});
  release.places = std::move(released.above.places);
  return release;
}

Release Release::of(std::string id, const Curator& curator, const Portions& portions, Noisy released) {
  return on_record(std::move(id), curator.record_of(portions), std::move(released));
}

}  // namespace tulle
