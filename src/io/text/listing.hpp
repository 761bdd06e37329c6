// Lines of the form "position position ... value", separated by blanks: .tns files and MatrixMarket
// coordinates.
#pragma once

#include "sink.hpp"
#include "text/entries.hpp"
#include "text/number.hpp"

#include <tulle/tensor/dataset.hpp>

#include <string>
#include <string_view>

namespace tulle {

struct Listing {
  enum class Values { none, ignored, parsed };

  int order;
  Values values;
  char comment;         // a line that starts with it is skipped, and so is the rest of a line behind it
  bool nan_is_missing;  // a line whose value is NaN is skipped
  bool clamp;           // a value that is too large is the largest

  int columns() const { return order + (values == Values::none ? 0 : 1); }
};

EntryBlock parse_listing(std::string_view text, const Listing& listing, SpareBlocks& spare);

// The first line that is neither blank nor a comment, without its line end; lines before it are dropped.
// Empty at the end.
std::string_view first_data_line(LineChunks& chunks, char comment);
int count_columns(std::string_view line, char comment);

// Every listed cell of the data on a line.
void write_listing(Sink& sink, const Dataset& data);

// Why a value or a position was refused, and what to do about it; columns count from 1.
enum class Precision { single, full };
std::string explain(NumberFault fault, std::string_view value, Precision precision = Precision::single);
std::string explain_position(std::string_view text, int column);

std::string shortened(std::string_view text);  // the user's own text, fit for a message
std::string_view trimmed(std::string_view text);

}  // namespace tulle
