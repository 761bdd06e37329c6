#include "completion_entries.hpp"

#include "completion_subject.hpp"

#include <array>

namespace tulle::attacks {
namespace {

constexpr Calibration kPublished = Calibration::published;
constexpr Neighbours kEntry{Unit::entry, Relation::replace};
constexpr Neighbours kCell{Unit::entry, Relation::add_remove};
constexpr Neighbours kUserValues{Unit::user, Relation::replace};
constexpr Neighbours kUser{Unit::user, Relation::add_remove};
constexpr Neighbours kBlankCell{Unit::entry, Relation::zero_out};
constexpr Neighbours kBlankUser{Unit::user, Relation::zero_out};

constexpr std::string_view kOneRun =
    "one run: the bound is on what a model of 1000 cells says of each of them";
constexpr std::string_view kSampled =
    "sampled: outcomes that cost the whole epsilon are too rare for these trials";

void put(SparseTensor& tensor, Index i, Index j, Index k, double value) {
  tensor.append(std::array<Index, 3>{i, j, k}, static_cast<float>(value));
}

// ---- one value, anywhere in its range of 0 to 1 ----

SparseTensor lone_value(double secret) {
  SparseTensor tensor(Shape{1, 1, 1}, Unlisted::missing);
  put(tensor, 0, 0, 0, secret);
  return tensor;
}

const CraftedTensor kLoneValue{.canary = "the value of the only cell",
                               .graded = true,
                               .data = lone_value,
                               .watched_first = 0,
                               .watched_second = 0};

// The canary shares its rows with other values, which are at the end of the range where it starts.
SparseTensor value_among_others(double secret) {
  SparseTensor tensor(Shape{2, 2, 2}, Unlisted::missing);
  for (Index i = 0; i < 2; ++i)
    for (Index j = 0; j < 2; ++j) put(tensor, i, j, 0, 0);
  put(tensor, 1, 1, 1, secret);
  return tensor;
}

const CraftedTensor kValueAmongOthers{
    .canary = "the value of a cell, alone in its slice", .graded = true, .data = value_among_others};

// All other values are at the other end: products with them change the most.
SparseTensor value_in_full_tensor(double secret) {
  SparseTensor tensor(Shape{2, 2, 2}, Unlisted::missing);
  for (Index i = 0; i < 2; ++i)
    for (Index j = 0; j < 2; ++j)
      for (Index k = 0; k < 2; ++k) put(tensor, i, j, k, i + j + k == 0 ? secret : 1);
  return tensor;
}

const CraftedTensor kValueInFullTensor{
    .canary = "the value of a cell of a full tensor", .graded = true, .data = value_in_full_tensor};

// Pairs of positions have enough cells for their sums to be released.
SparseTensor value_in_plane(double secret) {
  constexpr Index kSide = 40;
  SparseTensor tensor(Shape{1, kSide, kSide}, Unlisted::missing);
  for (Index j = 0; j < kSide; ++j)
    for (Index k = 0; k < kSide; ++k) put(tensor, 0, j, k, j + k == 0 ? secret : 0);
  return tensor;
}

const CraftedTensor kValueInPlane{
    .canary = "the value of one of 1600 cells", .graded = true, .data = value_in_plane};

// Zeros and ones alternate, so the mean is in the middle of the range whatever its noise, and all products
// with the canary are as far from it as possible.
SparseTensor value_on_board(double secret) {
  constexpr Index kSide = 10;
  SparseTensor tensor(Shape{kSide, kSide, kSide}, Unlisted::missing);
  for (Index i = 0; i < kSide; ++i)
    for (Index j = 0; j < kSide; ++j)
      for (Index k = 0; k < kSide; ++k) put(tensor, i, j, k, i + j + k == 0 ? secret : (i + j + k) % 2);
  return tensor;
}

const CraftedTensor kValueOnBoard{
    .canary = "the value of a cell among 1000 zeros and ones", .graded = true, .data = value_on_board};

// Neighbouring cells are equal, so sums of blocks of them are released.
SparseTensor value_in_smooth_tensor(double secret) {
  constexpr Index kSide = 16;
  SparseTensor tensor(Shape{kSide, kSide, kSide}, Unlisted::missing);
  for (Index i = 0; i < kSide; ++i)
    for (Index j = 0; j < kSide; ++j)
      for (Index k = 0; k < kSide; ++k) put(tensor, i, j, k, i + j + k == 0 ? secret : i < kSide / 2 ? 0 : 1);
  return tensor;
}

const CraftedTensor kValueInSmoothTensor{
    .canary = "the value of a cell, in sums of blocks", .graded = true, .data = value_in_smooth_tensor};

// The largest value of a slice with small values: dai2026 divides the slice by it.
SparseTensor largest_of_slice(double secret) {
  SparseTensor tensor(Shape{3, 3, 2}, Unlisted::missing);
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 3; ++j)
      for (Index k = 0; k < 2; ++k) put(tensor, i, j, k, i + j + k == 0 ? 0.1 + 0.9 * secret : 0.1);
  return tensor;
}

const CraftedTensor kLargestOfSlice{
    .canary = "the largest value of a slice", .graded = true, .data = largest_of_slice};

// ---- one cell, present or absent ----

SparseTensor cell_or_none(double secret) {
  SparseTensor tensor(Shape{2, 2, 2}, Unlisted::missing);
  put(tensor, 0, 0, 0, 0);
  if (secret >= 0.5) put(tensor, 1, 1, 1, 1);
  return tensor;
}

const CraftedTensor kCellOrNone{
    .canary = "a cell of the largest value beside one other", .data = cell_or_none, .watched_second = 1};
const CraftedTensor kCellOrBlank{.canary = "a cell of the largest value, or one that contributes nothing",
                                 .data = cell_or_none,
                                 .watched_second = 1,
                                 .blanked = {1}};

// ---- one user, of two ----

SparseTensor values_of_user(double secret) {
  SparseTensor tensor(Shape{2, 3, 1}, Unlisted::missing);
  for (Index item = 0; item < 3; ++item) {
    put(tensor, 0, item, 0, 0.5);
    put(tensor, 1, item, 0, secret);
  }
  return tensor;
}

const CraftedTensor kValuesOfUser{
    .canary = "all values of one user, from least to largest", .graded = true, .data = values_of_user};

SparseTensor user_or_none(double secret) {
  SparseTensor tensor(Shape{2, 3, 1}, Unlisted::missing);
  for (Index item = 0; item < 3; ++item) {
    put(tensor, 0, item, 0, 0);
    if (secret >= 0.5) put(tensor, 1, item, 0, item == 0 ? 0 : 1);
  }
  return tensor;
}

const CraftedTensor kUserOrNone{.canary = "a user with extreme values, there or not",
                                .data = user_or_none,
                                .watched_first = 1,
                                .watched_second = 1};

const CraftedTensor kUserOrBlank{.canary = "a user with extreme values, or one who contributes nothing",
                                 .data = user_or_none,
                                 .watched_first = 1,
                                 .watched_second = 1,
                                 .blanked = {1, 3, 5}};

// The only user with some item, among so many other users that noise divided by the number of cells is small.
SparseTensor lone_item_or_none(double secret) {
  constexpr Index kOthers = 60;
  SparseTensor tensor(Shape{kOthers + 1, 2, 1}, Unlisted::missing);
  for (Index user = 0; user < kOthers; ++user) put(tensor, user, 0, 0, 0.5);
  if (secret >= 0.5) put(tensor, kOthers, 1, 0, 1);
  return tensor;
}

// Cells are sampled; hers is the last.
const CraftedTensor kLoneItemOrNone{.canary = "a user with an item of her own, there or not",
                                    .data = lone_item_or_none,
                                    .watched_first = 60,
                                    .watched_second = 60};

SparseTensor one_rating_or_none(double secret) {
  SparseTensor tensor(Shape{2, 1, 1}, Unlisted::missing);
  put(tensor, 0, 0, 0, 0);
  if (secret >= 0.5) put(tensor, 1, 0, 0, 1);
  return tensor;
}

const CraftedTensor kOneRatingOrNone{.canary = "a user with one value, there or not",
                                     .data = one_rating_or_none};

SparseTensor lone_user(double secret) {
  SparseTensor tensor(Shape{1, 1, 1}, Unlisted::missing);
  put(tensor, 0, 0, 0, secret);
  return tensor;
}

const CraftedTensor kLoneUser{.canary = "the value of the only user", .graded = true, .data = lone_user};

// ---- a matrix ----

void put(SparseTensor& matrix, Index i, Index j, double value) {
  matrix.append(std::array<Index, 2>{i, j}, static_cast<float>(value));
}

// The last of many values of one user: its effect on her row reaches all of her items.
SparseTensor value_of_active_user(double secret) {
  constexpr Index kItems = 10;
  SparseTensor matrix(Shape{2, kItems}, Unlisted::missing);
  put(matrix, 0, kItems - 1, 1);
  for (Index item = 0; item + 1 < kItems; ++item) put(matrix, 1, item, 1);
  put(matrix, 1, kItems - 1, secret);
  return matrix;
}

const CraftedTensor kValueOfActiveUser{
    .canary = "the last of 10 values of a user", .graded = true, .data = value_of_active_user};

SparseTensor second_user_or_none(double secret) {
  SparseTensor matrix(Shape{2, 3}, Unlisted::missing);
  for (Index item = 0; item < 2; ++item) put(matrix, 0, item, 0);
  if (secret >= 0.5) put(matrix, 1, 2, 1);
  return matrix;
}

// Cells are sampled, one per user; hers is the last.
const CraftedTensor kSecondUserOrNone{.canary = "a user with one value, there or not, of a matrix",
                                      .data = second_user_or_none,
                                      .watched_first = 1,
                                      .watched_second = 1};

// The baseline, which has no guarantee.
AuditEntry plain_entry() {
  return {.name = "plain",
          .model = "cp",
          .trials = 2'000,
          .quick_trials = 200,
          .subject = [](const Budget&) -> std::variant<Subject, ManyCanaries> {
            const auto complete = [](double secret) {
              const CompletionJob job{.method = "plain", .fit = {.ranks = {1}, .seed = 5}};
              return job.run(value_in_full_tensor(secret));
            };
            return Subject{.canary = kValueInFullTensor.canary,
                           .graded = true,
                           .account = [=] { return complete(1).guarantee; },
                           .run =
                               [=](double secret, RandomBits&) {
                                 return Observation{.output = numbers_of(complete(secret).model)};
                               }};
          }};
}

// An entry for a method that sends counts. As published it has noise only for an epsilon below 1, and a bound
// that is clear at 0.1.
AuditEntry sent_counts(const char* method, const Neighbours& neighbours, const CraftedTensor& tensor,
                       Calibration calibration = Calibration::sound) {
  CompletionCase how{.method = method,
                     .calibration = calibration,
                     .neighbours = neighbours,
                     .trials = 2'000,
                     .quick_trials = 150};
  if (calibration == kPublished) {
    how.quick_trials = 400;
    how.most_epsilon = 0.1;
  }
  return completion_entry(how, tensor);
}

}  // namespace

// A table: as long as there are entries.
std::vector<AuditEntry> completion_entries() {
  constexpr double kDelta = 1e-5;
  // Gradients are clipped to this norm, so small that each unit contributes as much as it may.
  constexpr double kShort = 0.01;
  return {
      plain_entry(),
      completion_entry({.method = "auto", .neighbours = kEntry, .delta = kDelta, .quick_trials = 300},
                       kLoneValue),
      completion_entry(
          {.method = "auto", .neighbours = kCell, .delta = kDelta, .trials = 10'000, .quick_trials = 120},
          kCellOrNone),
      completion_entry({.method = "auto", .neighbours = kCell, .trials = 5'000}, kCellOrNone),
      completion_entry({.method = "auto",
                        .neighbours = kBlankCell,
                        .delta = kDelta,
                        .trials = 10'000,
                        .quick_trials = 120},
                       kCellOrBlank),
      completion_entry(
          {.method = "auto", .neighbours = kUser, .delta = kDelta, .trials = 20'000, .quick_trials = 200},
          kOneRatingOrNone),
      completion_entry({.method = "auto",
                        .neighbours = kBlankUser,
                        .delta = kDelta,
                        .trials = 10'000,
                        .quick_trials = 120},
                       kUserOrBlank),
      completion_entry({.method = "auto", .neighbours = kUserValues, .trials = 1'000, .quick_trials = 100},
                       kValuesOfUser),
      completion_entry({.method = "one-shot", .neighbours = kEntry, .trials = 20'000}, kLoneValue),
      completion_entry({.method = "one-shot", .neighbours = kEntry, .trials = 1'000, .quick_trials = 100},
                       kValueAmongOthers),
      one_run_entry({.method = "one-shot", .neighbours = kEntry, .releases_cells = true}, Shape{10, 10, 10}),
      one_run_entry({.method = "one-shot", .neighbours = kEntry, .slow = true, .releases_cells = true},
                    Shape{60, 60, 20}, 0.05),
      completion_entry({.method = "margins", .neighbours = kEntry, .trials = 3'000, .quick_trials = 300},
                       kValueInPlane),
      completion_entry(
          {.method = "als", .neighbours = kEntry, .delta = kDelta, .trials = 5'000, .quick_trials = 300},
          kLoneValue),
      completion_entry({.method = "als", .neighbours = kEntry, .trials = 3'000, .quick_trials = 300},
                       kValueAmongOthers),
      one_run_entry({.method = "als", .neighbours = kEntry, .note = kOneRun}, Shape{10, 10, 10}),
      completion_entry(
          {.method = "als", .neighbours = kUser, .delta = kDelta, .trials = 20'000, .quick_trials = 300},
          kOneRatingOrNone),
      completion_entry(
          {.method = "als", .neighbours = kUser, .delta = kDelta, .trials = 3'000, .quick_trials = 300},
          kUserOrNone),
      completion_entry({.method = "subspace",
                        .neighbours = kEntry,
                        .model = ModelKind::tucker,
                        .delta = kDelta,
                        .trials = 20'000},
                       kValueOnBoard),
      completion_entry({.method = "input", .neighbours = kEntry, .quick_trials = 300}, kLoneValue),
      completion_entry({.method = "input",
                        .neighbours = kEntry,
                        .model = ModelKind::tucker,
                        .delta = kDelta,
                        .trials = 1'000,
                        .quick_trials = 150},
                       kValueAmongOthers),
      one_run_entry({.method = "input", .neighbours = kEntry, .releases_cells = true}, Shape{10, 10, 10}),
      completion_entry({.method = "input", .neighbours = kCell}, kCellOrNone),
      completion_entry({.method = "input", .neighbours = kUserValues, .quick_trials = 300}, kValuesOfUser),
      completion_entry({.method = "input", .calibration = kPublished, .neighbours = kEntry},
                       kValueAmongOthers),
      completion_entry({.method = "one-shot",
                        .neighbours = kEntry,
                        .model = ModelKind::tubal,
                        .trials = 2'000,
                        .quick_trials = 150},
                       kLargestOfSlice),
      completion_entry({.method = "one-shot",
                        .neighbours = kEntry,
                        .model = ModelKind::tubal,
                        .trials = 2'000,
                        .quick_trials = 100},
                       kValueInSmoothTensor),
      completion_entry({.method = "input",
                        .neighbours = kEntry,
                        .model = ModelKind::tubal,
                        .trials = 10'000,
                        .quick_trials = 150},
                       kLoneValue),
      completion_entry({.method = "input",
                        .calibration = kPublished,
                        .neighbours = kEntry,
                        .model = ModelKind::tubal,
                        .trials = 2'000,
                        .quick_trials = 300},
                       kLargestOfSlice),
      completion_entry({.method = "local", .neighbours = kEntry, .trials = 20'000}, kLoneValue),
      completion_entry({.method = "local", .neighbours = kUserValues, .trials = 1'000, .quick_trials = 100},
                       kValuesOfUser),
      completion_entry({.method = "local", .calibration = kPublished, .neighbours = kUserValues}, kLoneUser),
      completion_entry({.method = "ops", .neighbours = kEntry, .rank = 0, .trials = 20'000}, kLoneValue),
      completion_entry({.method = "ops", .neighbours = kEntry, .rank = 0, .trials = 20'000},
                       kValueAmongOthers),
      sent_counts("ldp1", kEntry, kLoneValue),
      sent_counts("ldp1", kUserValues, kValuesOfUser),
      sent_counts("ldp1", kEntry, kLoneValue, kPublished),
      sent_counts("ldp2", kEntry, kLoneValue),
      sent_counts("ldp2", kUserValues, kValuesOfUser),
      sent_counts("ldp2", kEntry, kLoneValue, kPublished),
      completion_entry({.method = "gradient",
                        .neighbours = kEntry,
                        .delta = kDelta,
                        .settings = Settings().set(setting::steps, 3).set(setting::clip, kShort),
                        .trials = 20'000},
                       kLoneValue),
      completion_entry(
          {.method = "gradient",
           .neighbours = kEntry,
           .delta = kDelta,
           .settings =
               Settings().set(setting::steps, 3).set(setting::sampling_rate, 0.5).set(setting::clip, kShort),
           .note = kSampled},
          kLoneValue),
      completion_entry({.method = "gradient",
                        .neighbours = kBlankCell,
                        .delta = kDelta,
                        .settings = Settings().set(setting::steps, 3).set(setting::clip, kShort),
                        .trials = 20'000},
                       kCellOrBlank),
      completion_entry({.method = "gradient",
                        .neighbours = kCell,
                        .delta = kDelta,
                        .settings = Settings().set(setting::steps, 3).set(setting::clip, kShort),
                        .trials = 20'000},
                       kCellOrNone),
      completion_entry(
          {.method = "gradient",
           .neighbours = kCell,
           .delta = kDelta,
           .settings =
               Settings().set(setting::steps, 3).set(setting::clip, kShort).set(setting::clip_quantile, 0.5),
           .trials = 20'000},
          kCellOrNone),
      completion_entry(
          {.method = "gradient",
           .neighbours = kCell,
           .delta = kDelta,
           .settings =
               Settings().set(setting::steps, 3).set(setting::sampling_rate, 0.5).set(setting::clip, kShort),
           .note = kSampled},
          kCellOrNone),
      completion_entry({.method = "gradient",
                        .neighbours = kBlankUser,
                        .delta = kDelta,
                        .settings = Settings().set(setting::steps, 3).set(setting::clip, kShort),
                        .trials = 20'000},
                       kUserOrBlank),
      completion_entry({.method = "gradient",
                        .neighbours = kUser,
                        .delta = kDelta,
                        .settings = Settings().set(setting::steps, 3).set(setting::clip, kShort),
                        .trials = 20'000},
                       kUserOrNone),
      completion_entry(
          {.method = "gradient",
           .neighbours = kUser,
           .model = ModelKind::tucker,
           .delta = kDelta,
           .settings =
               Settings().set(setting::steps, 3).set(setting::sampling_rate, 0.5).set(setting::clip, kShort),
           .note = kSampled},
          kUserOrNone),
      completion_entry({.method = "dp-sgld",
                        .neighbours = kUser,
                        .delta = kDelta,
                        .settings = Settings().set(setting::steps, 3).set(setting::clip, kShort),
                        .trials = 20'000},
                       kUserOrNone),
      completion_entry(
          {.method = "dp-sgld",
           .neighbours = kUser,
           .delta = kDelta,
           .settings =
               Settings().set(setting::steps, 3).set(setting::sampling_rate, 0.5).set(setting::clip, kShort),
           .note = kSampled},
          kUserOrNone),
      completion_entry({.method = "dp-sgld",
                        .calibration = kPublished,
                        .neighbours = kUser,
                        .delta = kDelta,
                        .settings = Settings()
                                        .set(setting::sgld_rule, SgldRule::li_decreasing)
                                        .set(setting::steps, 3)
                                        .set(setting::sampling_rate, 1)},
                       kLoneItemOrNone),
      one_run_entry({.method = "gradient", .neighbours = kEntry, .delta = kDelta, .note = kOneRun},
                    Shape{10, 10, 10}),
      completion_entry({.method = "gradient",
                        .calibration = kPublished,
                        .neighbours = kEntry,
                        .settings = Settings().set(setting::steps, 1)},
                       kLoneValue),
      completion_entry({.method = "output", .neighbours = kEntry, .delta = kDelta, .trials = 20'000},
                       kLoneValue),
      completion_entry({.method = "output",
                        .neighbours = kEntry,
                        .model = ModelKind::tucker,
                        .settings = Settings().set(setting::steps, 1),
                        .trials = 20'000},
                       kValueAmongOthers),
      completion_entry({.method = "output",
                        .neighbours = kEntry,
                        .model = ModelKind::tucker,
                        .settings = Settings().set(setting::steps, 1),
                        .trials = 20'000},
                       kValueInFullTensor),
      completion_entry({.method = "output",
                        .calibration = kPublished,
                        .neighbours = kEntry,
                        .settings = Settings().set(setting::steps, 1)},
                       kLoneValue),
      completion_entry({.method = "factor", .neighbours = kEntry, .delta = kDelta}, kLoneValue),
      completion_entry({.method = "factor", .neighbours = kEntry}, kValueAmongOthers),
      completion_entry({.method = "factor",
                        .calibration = kPublished,
                        .neighbours = kEntry,
                        .settings = Settings().set(setting::steps, 1)},
                       kLoneValue),
      completion_entry({.method = "factor",
                        .calibration = kPublished,
                        .neighbours = kEntry,
                        .delta = kDelta,
                        .settings = Settings().set(setting::steps, 1)},
                       kLoneValue),
      completion_entry({.method = "dpfact",
                        .calibration = kPublished,
                        .neighbours = kEntry,
                        .delta = kDelta,
                        .settings = Settings().set(setting::steps, 2)},
                       kValueAmongOthers),
      completion_entry({.method = "hua2015",
                        .calibration = kPublished,
                        .neighbours = kEntry,
                        .settings = Settings().set(setting::steps, 2).set(setting::learning_rate, 1.5)},
                       kValueOfActiveUser),
      // The method assumes errors of at most kappa but does not clamp them: a wide prior makes them larger.
      completion_entry({.method = "liu2015",
                        .calibration = kPublished,
                        .neighbours = kUser,
                        .settings = Settings()
                                        .set(setting::steps, 2)
                                        .set(setting::sampling_rate, 1)
                                        .set(setting::learning_rate, 0.01)
                                        .set(setting::entries_per_user, 1),
                        .ridge = 0.001,
                        .most_epsilon = 1},
                       kSecondUserOrNone),
  };
}

}  // namespace tulle::attacks
