// What was measured of a data set: its releases, and what is public of it. All that an estimate may depend
// on, so that a model can be fitted again, in another way, at no cost.
#pragma once

#include <tulle/data/mode_order.hpp>
#include <tulle/privacy/releases.hpp>
#include <tulle/privacy/unit.hpp>
#include <tulle/tensor/sparse.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// Of documents, or of the vectors of a mixture.
struct DocumentFacts {
  std::uint64_t count = 0;
  bool mixture = false;

  bool operator==(const DocumentFacts&) const = default;
};

struct Measurement {
  std::string method;  // that released it
  Unit unit = Unit::entry;
  Relation relation = Relation::replace;
  int user_mode = 0;  // unit user: whose positions are the users
  Shape shape;        // one position stands for users whose number is private; of topics: words x 1
  std::optional<Cells> positions;      // of the entries, where they are public
  double low = 0, high = 0;            // of an entry; high: the bound of the norms of a mixture's vectors
  std::vector<ModeOrder> orders = {};  // of the modes; none: all are possible
  std::optional<DocumentFacts> documents = {};  // unit document
  std::uint64_t seed = 0;                       // of what is no noise: starts, folds
  Releases releases = {};

  bool has(std::string_view id) const;
  // An Error where there is no such release, or where it has not so many values: it is of another
  // measurement.
  const Release& find(std::string_view id, std::size_t values) const;
  // The numbers on the entries that were released one by one, in the order of their releases.
  std::vector<const Release*> all(std::string_view id) const;
};

// An Error where releases and public facts do not go together.
void check(const Measurement& measured);

}  // namespace tulle

#pragma GCC visibility pop
