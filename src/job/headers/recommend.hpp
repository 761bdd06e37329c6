// The positions of one mode that suit a user best, all other modes being fixed.
#pragma once

#include <tulle/io/model_file.hpp>
#include <tulle/io/read.hpp>
#include <tulle/tensor/shape.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tulle {

// By the predicted value; by how likely the user is to have a cell there, of what is popular and goes
// together with what she has; or by both.
enum class RankBy { rating, popularity, both };
struct RecommendBy {
  std::optional<RankBy> by = {};          // none: both, where the interest of users is known
  std::optional<Interest> interest = {};  // in the mode that is recommended from
};

// `name` is what the option `option` says; "": nothing. Users' interest in `items` is what the model's
// releases say; where the model protects nobody, what the listed cells say, if any are given.
RecommendBy recommend_by(const ModelFile& file, const std::string& name, std::string_view option, int users,
                         int items, const Cells* listed);

struct Recommended {
  Index position;
  double value;  // the prediction, in the range of the data
};

// A position by its label, or by its number from 1 where the mode has no labels.
std::optional<Index> find_position(const Mode& mode, const std::string& text);

// The items that listed cells give a user.
std::vector<Index> items_of(const CellList& listed, int users, int items, const std::string& user);

// The best `top` positions of `mode`, best first, in their own order if scores are equal; values that the
// range clamps are ranked by the unclamped prediction. `cell` has the positions of the other modes; its
// position of `mode` is ignored, and `seen`, which the user has, are skipped.
std::vector<Recommended> recommend(const ModelFile& file, std::vector<Index> cell, int mode, std::size_t top,
                                   std::span<const Index> seen = {}, const RecommendBy& by = {});

}  // namespace tulle
