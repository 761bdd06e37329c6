// What the audit knows of a method: pairs of data sets that are the worst case for it, and how the exact
// audit draws random ones. A method states both in its descriptor; src/audit runs it on them.
#pragma once

#include <tulle/method/settings.hpp>
#include <tulle/method/terms.hpp>
#include <tulle/model/model.hpp>
#include <tulle/tensor/sparse.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

struct Coupling;

// A tensor in which one unit depends on a secret, 0 or 1.
struct CraftedTensor {
  std::string canary;  // how the two data sets differ
  Neighbours neighbours{Unit::entry, Relation::replace};
  std::function<SparseTensor(double secret)> data = {};
  bool graded = false;  // there are data for secrets from 0 to 1 too
  // The unit's number in each of the two data sets, if units are sampled and it is there.
  std::optional<std::uint64_t> watched_first = {}, watched_second = {};
  // Under zero-out: the entries of the second data set that contribute nothing in the first.
  std::vector<std::size_t> blanked = {};
};

// A low-rank tensor in which an independent coin moves every value up or down: one run with as many canaries
// as cells.
struct CraftedCells {
  Shape shape;
  double move = 0.5;
  bool released = false;  // one by one: attackers see the releases rather than the predictions of the model
  Neighbours neighbours{Unit::entry, Relation::replace};
};

// Counts of events, one of which is there or not (add-remove) or elsewhere (replace), or all of one user.
struct CraftedCounts {
  std::string canary;
  Shape shape;                                    // unit user: the first mode is the users
  std::vector<std::vector<Index>> known;          // cells of the other events
  std::vector<std::vector<Index>> first, second;  // cells of the events that differ; none: they are absent
  Neighbours neighbours{Unit::event, Relation::add_remove};
};

// Equal documents and one that differs, the last.
struct CraftedDocuments {
  std::string canary;
  std::vector<Index> first, second;      // the words of the last document
  Index words = 3;                       // in the vocabulary
  std::vector<Index> known = {0, 0, 0};  // every other document
  std::size_t others = 1;                // their number
  bool length_public = true;
  Neighbours neighbours{Unit::document, Relation::replace};
};

// Vectors of one coordinate, for a mixture.
struct CraftedNumbers {
  std::string canary;
  std::vector<double> first, second;
  Neighbours neighbours{Unit::document, Relation::replace};
};

// An example whose gradient is clipped, beside a known one: absent or, under replace, with the other label,
// which has the opposite gradient.
struct CraftedExamples {
  Neighbours neighbours{Unit::example, Relation::add_remove};
};

// A run on two data sets that are the worst case for a form of a method. Values range from 0 to 1.
struct WorstCase {
  std::variant<CraftedTensor, CraftedCells, CraftedCounts, CraftedDocuments, CraftedNumbers, CraftedExamples>
      data;
  Calibration calibration = Calibration::sound;
  ModelKind model = ModelKind::cp;
  double delta = 0;
  Settings settings = {};
  int rank = 1;  // or number of topics
  std::optional<double> ridge = {};
  std::shared_ptr<const Coupling> coupling = {};
  int sites = 1;  // the last one has the unit that differs; the others have the data of secret 0
  Sites stated = {};
  std::uint64_t trials = 0, quick_trials = 0;  // for the table, and for tests; 0: as usual for such data
  bool slow = false;                           // left out of tests
  std::string note = {};                       // why the bound is far below the claim, if it is
  // The method runs with at most this epsilon: some published forms need it.
  double most_epsilon = std::numeric_limits<double>::infinity();

  const Neighbours& neighbours() const {
    return std::visit([](const auto& crafted) -> const Neighbours& { return crafted.neighbours; }, data);
  }
};

// How random pairs are drawn for a method.
struct RandomPairs {
  double weight = 1;                // number of pairs, relative to other methods; slow ones get fewer
  double weight_over_sites = 0.05;  // the same for runs over sites: they need threads, and keys for every sum
  double planes = 0;          // share of tensors with 40 cells per pair of positions; 1: and without gaps
  double many_positions = 0;  // unit user: share of tensors with more positions than users' sums are kept for
  bool in_portions = false;   // large budgets release entries in portions
  bool counts = false;        // values are not negative
  bool means_alone = false;   // rank 0
  bool many_words = false;    // some corpora have more words than triples are counted for
  bool random_units = false;  // of classifiers: one hidden layer at most, with an activation of its own
};

}  // namespace tulle

#pragma GCC visibility pop
