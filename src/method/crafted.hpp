// Data sets that are the worst case for more than one method, and functions to make others.
#pragma once

#include <tulle/method/audited.hpp>

#include <span>

namespace tulle {

inline constexpr double kCraftedDelta = 1e-5;
// Steps whose gradients are clipped to a norm so small that each unit contributes as much as it may.
inline Settings short_steps(int steps) {
  return Settings().set(setting::steps, steps).set(setting::clip, 0.01);
}
// Why a bound is far below the claim.
inline constexpr const char* kSampled =
    "sampled: outcomes that cost the whole epsilon are too rare for these trials";
inline constexpr const char* kSameWords = "the order of words is in no release";

// The value of a cell, or kNoCell.
inline constexpr double kNoCell = std::numeric_limits<double>::quiet_NaN();
using CellValue = double (*)(std::span<const Index> cell, double secret);
// A tensor of this shape for every secret; cells are in C order.
std::function<SparseTensor(double secret)> cells_of(const Shape& shape, CellValue value);

// ---- One value ----

CraftedTensor lone_value();
// It shares its rows with other values, which are at the end of the range where it starts.
CraftedTensor value_among_others();
// All other values are at the other end: products with them change the most.
CraftedTensor value_in_full_tensor();
CraftedTensor largest_of_slice();

// ---- One cell, present or absent ----

CraftedTensor cell_or_none();
CraftedTensor cell_or_blank();

// ---- One user of two ----

CraftedTensor values_of_user();
CraftedTensor user_or_none();
CraftedTensor user_or_blank();
CraftedTensor one_rating_or_none();
// The first item is in one relation and the other two in another, without their third entity; items have
// public features.
CraftedTensor user_in_two_relations();
std::shared_ptr<const Coupling> two_relations();

// ---- One event, or all of a user ----

CraftedCounts event_in_an_empty_cell();
CraftedCounts event_elsewhere();
CraftedCounts user_in_one_cell();
Settings crafted_rows();  // how many of a user count

// ---- One document, or number ----

CraftedDocuments other_word();
// As few coordinates as possible: the worst case for noise by norm.
CraftedDocuments one_of_two_words();
CraftedDocuments other_order();
CraftedDocuments long_document();
CraftedDocuments one_per_site();  // of three sites
// Odd moments change the most.
CraftedNumbers other_sign();

}  // namespace tulle
