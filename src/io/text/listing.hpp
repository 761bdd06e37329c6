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
  char comment;         // this character and the rest of its line are skipped
  bool nan_is_missing;  // a line whose value is NaN is skipped
  bool clamp;           // too large a value becomes the largest one

  int columns() const { return order + (values == Values::none ? 0 : 1); }
};

EntryBlock parse_listing(std::string_view text, const Listing& listing, SpareBlocks& spare);

// The first line that is neither blank nor a comment, without its line end; lines before it are dropped.
// Empty at the end.
std::string_view first_data_line(LineChunks& chunks, char comment);
int count_columns(std::string_view line, char comment);

// Writes every listed cell of the data on a line of its own.
void write_listing(Sink& sink, const Dataset& data);

// The reason why a value or a position was refused, and the remedy; columns count from 1.
enum class Precision { single, full };
std::string explain(NumberFault fault, std::string_view value, Precision precision = Precision::single);
std::string explain_position(std::string_view text, int column);

std::string shortened(std::string_view text);  // the user's text, short and safe enough for a message
std::string_view trimmed(std::string_view text);

}  // namespace tulle
