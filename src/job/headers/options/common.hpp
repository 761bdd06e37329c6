// Options shared by several jobs, declared and worded once.
#pragma once

#include <tulle/io/read.hpp>
#include <tulle/job/completion_data.hpp>
#include <tulle/job/options/option_table.hpp>
#include <tulle/method/completion.hpp>
#include <tulle/method/method.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tulle {

// How a data file is read.
void declare_reading(OptionTable& table, ReadOptions& reading);
// Parts of it, for data that are read in one way alone.
void declare_format(OptionTable& table, ReadOptions& reading);
void declare_header(OptionTable& table, ReadOptions& reading);
void declare_separator(OptionTable& table, std::optional<char>& separator, std::optional<char>& decimal);
void declare_shape(OptionTable& table, ReadOptions& reading);
// The positions that are public where the data's own are private.
void declare_public(OptionTable& table, DataOptions& data, std::string_view input);
inline constexpr const char* kReading = "Reading";  // the heading of these
// A UsageError if an option of it differs from its default, except that of the header.
void refuse_reading(const ReadOptions& reading, std::string_view reason);

// How a completed tensor is estimated, apart from the kind of its model.
void declare_estimate(OptionTable& table, FitOptions& fit, int least_rank = 1);
void declare_releases(OptionTable& table, bool& keep);  // those that a model is made from, in its file
inline constexpr const char* kFitting = "Fitting";      // their heading

void declare_settings(OptionTable& table, Job job, Settings& settings);  // of all methods of a job
// Of the methods of completion that are wanted, without settings that have options of their own.
void declare_settings(OptionTable& table, const IsWanted& is_wanted, Settings& settings, const char* heading,
                      const std::vector<std::string_view>& others = {});
void declare_threads(OptionTable& table);  // takes effect when given
void declare_seed(OptionTable& table, std::optional<std::uint64_t>& seed);
std::uint64_t seed_or_new(std::optional<std::uint64_t> seed);  // without one, from the operating system

// A UsageError if the name of a drawing is given and does not end in .svg.
void check_drawing(std::string_view option, const std::string& path);

std::vector<std::string> split_at_commas(const std::string& text);
std::vector<int> parse_ranks(const std::string& text, int least = 1);  // "8" or "8,8,4"
// LOW:HIGH, as given to an option.
Range parse_range(std::string_view option, const std::string& text);

}  // namespace tulle
