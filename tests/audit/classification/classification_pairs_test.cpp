#include "classification/classification_pairs.hpp"

#include <tulle/audit/pairs.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

// Some pair comes close to the sensitivity: half of it would be found out.
TEST(ClassificationPairs, HoldForEveryClassifierAndRelationAndComeClose) {
  int kinds = 0;
  for (const PairKind& kind : pair_kinds()) {
    if (kind.model != "network") continue;
    ++kinds;
    double largest = 0;
    for (std::uint64_t number = 1; number <= 10; ++number) {
      const NeighbouringPair pair = attacks::random_classification_pair(kind, number);
      const ExactFinding finding = audit_exactly(pair, number);
      EXPECT_TRUE(finding.holds()) << pair.text << ": " << finding.differs << " " << finding.ratio();
      largest = std::max(largest, finding.ratio());
    }
    EXPECT_GT(largest, 0.7) << kind.method << " " << name(kind.neighbours.relation);
  }
  EXPECT_EQ(kinds, 10);
}

// Images of 8 x 8 and of 16 x 16 pixels have other features (model/image_features.hpp).
TEST(ClassificationPairs, HaveImagesOfBothSizesOfFeatures) {
  const PairKind kind{.method = "best", .neighbours = {Unit::example, Relation::replace}, .model = "network"};
  bool small = false, large = false;
  for (std::uint64_t number = 1; number <= 300; ++number) {
    const std::string text = attacks::random_classification_pair(kind, number).text;
    small = small || text.find("of 64 values") != std::string::npos;
    large = large || text.find("of 256 values") != std::string::npos;
  }
  EXPECT_TRUE(small && large);
}

}  // namespace
}  // namespace tulle
