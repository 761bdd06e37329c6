// MatrixMarket: https://math.nist.gov/MatrixMarket/formats.html
//   %%MatrixMarket matrix coordinate|array real|integer|pattern general|symmetric|skew-symmetric
//   % comments
//   rows columns [entries]
//   row column value   (coordinate)      or      value   (array, column by column)
#include "text/assemble.hpp"
#include "text/formats.hpp"
#include "text/listing.hpp"
#include "text/output.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/parse.hpp>
#include <tulle/tensor/float32.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace tulle {
namespace {

constexpr char kMtxComment = '%';
constexpr std::string_view kBanner = "%%MatrixMarket";

enum class Symmetry { general, symmetric, skew };

struct Header {
  bool coordinate;
  bool pattern;
  Symmetry symmetry;
  std::uint64_t rows, columns;
  std::uint64_t entries;  // as the file states; for an array, the number of cells that it lists
};

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  for (char c : line) {
    if (!std::isspace(static_cast<unsigned char>(c))) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

std::uint64_t size_in(const std::string& word, const LineChunks& chunks) {
  const auto line = chunks.dropped_lines() + 1;
  const auto size = parse_number<std::uint64_t>(word);
  if (!size)
    fail("{}:{}: '{}' is not a size; expected rows, columns and, for coordinates, entries", chunks.name(),
         line, word.substr(0, 40));
  return *size;
}

// The number of cells that an array lists: the lower triangle if it is symmetric, without the diagonal if it
// is skew-symmetric.
std::uint64_t cells_listed(const Header& header) {
  const auto n = static_cast<unsigned __int128>(header.rows);
  unsigned __int128 cells = n * header.columns;
  if (header.symmetry == Symmetry::symmetric) cells = n * (n + 1) / 2;
  if (header.symmetry == Symmetry::skew) cells = n * (n - 1) / 2;
  return static_cast<std::uint64_t>(cells);  // sizes are below 2^32
}

Header read_header(LineChunks& chunks, const ReadOptions& options) {
  const auto first = chunks.peek();
  const auto banner = words_of(first.substr(0, first.find('\n')));
  const auto one_of = [&](std::size_t word, std::initializer_list<std::string_view> choices) {
    const auto found = std::find(choices.begin(), choices.end(), banner[word]);
    if (found == choices.end())
      fail("{}:1: '{}' is not supported; expected {}", chunks.name(), banner[word].substr(0, 40),
           fmt::join(choices, ", "));
    return found - choices.begin();
  };
  if (banner.size() != 5 || !first.starts_with(kBanner))
    fail("{}:1: the first line must be '{} matrix coordinate real general' or alike", chunks.name(), kBanner);
  Header header{};
  one_of(1, {"matrix"});
  header.coordinate = one_of(2, {"coordinate", "array"}) == 0;
  header.pattern = one_of(3, {"real", "integer", "double", "pattern"}) == 3;
  header.symmetry = static_cast<Symmetry>(one_of(4, {"general", "symmetric", "skew-symmetric"}));
  if (header.pattern && (!header.coordinate || header.symmetry == Symmetry::skew))
    fail("{}:1: a pattern has coordinates and is not skew-symmetric; correct the first line", chunks.name());

  if (options.one_cell_per_entry && header.symmetry != Symmetry::general)
    fail(
        "{}:1: in a symmetric matrix an entry stands for two cells, but a private run protects single ones; "
        "write it as general",
        chunks.name());

  const auto sizes = words_of(first_data_line(chunks, kMtxComment));
  const auto line = chunks.dropped_lines() + 1;
  const std::size_t expected = header.coordinate ? 3 : 2;
  if (sizes.size() != expected)
    fail("{}:{}: {} sizes, but {} are needed: rows, columns{}", chunks.name(), line, sizes.size(), expected,
         header.coordinate ? ", entries" : "");
  header.rows = size_in(sizes[0], chunks);
  header.columns = size_in(sizes[1], chunks);
  const std::uint64_t least = header.coordinate && options.may_be_empty ? 0 : 1;
  if (std::min(header.rows, header.columns) < least || std::max(header.rows, header.columns) > kMaxDimension)
    fail("{}:{}: a {} x {} matrix; sizes run from {} to {}", chunks.name(), line, header.rows, header.columns,
         least, kMaxDimension);
  if (header.symmetry != Symmetry::general && header.rows != header.columns)
    fail("{}:{}: a symmetric matrix is square, not {} x {}", chunks.name(), line, header.rows,
         header.columns);
  header.entries = header.coordinate ? size_in(sizes[2], chunks) : cells_listed(header);
  chunks.drop(chunks.peek().find('\n') + 1);
  return header;
}

// The shape of the result: the matrix's own, or the larger one that was requested.
Shape shape_in(const Header& header, const ReadOptions& options, const std::string& file) {
  check_numbers_are_positions(file, options);
  const auto expected = expected_order(options);
  if (expected && *expected != 2)
    fail("{}: a matrix has 2 modes, but {} are expected; is it the right file?", file, *expected);
  const Bounds bounds = bounds_of(options);
  if (header.rows > bounds[0] || header.columns > bounds[1])
    fail("{}: a {} x {} matrix does not fit into {} x {}; give a larger shape[ (@shape)]", file, header.rows,
         header.columns, bounds[0], bounds[1]);
  const auto labels = [&](std::size_t mode) {
    return mode < options.known.size() ? options.known[mode].labels.size() : 0;
  };
  return shape_for(options, {std::max<std::uint64_t>({1, header.rows, labels(0)}),
                             std::max<std::uint64_t>({1, header.columns, labels(1)})});
}

void check_count(std::size_t found, std::uint64_t promised, const std::string& file) {
  if (found != promised)
    fail("{}: {} entries, but its size line promises {}; the file is cut or its header is wrong", file, found,
         promised);
}

std::vector<Mode> modes_of(const ReadOptions& options) {
  return options.known.empty() ? unnamed_modes(2) : options.known;
}

// Moves entries of a symmetric matrix to the lower triangle, where most files have them, so that an entry and
// its mirror image are the same cell.
void fold(EntryBlock& block, Symmetry symmetry) {
  for (std::size_t entry = 0; entry < block.size(); ++entry) {
    Index& row = block.column(0)[entry];
    Index& column = block.column(1)[entry];
    if (row < column) {
      std::swap(row, column);
      if (symmetry == Symmetry::skew) block.values()[entry] = -block.values()[entry];
    } else if (row == column && symmetry == Symmetry::skew) {
      block.error = LineError{block.line_of(entry),
                              "a skew-symmetric matrix has zeros on its diagonal; remove the line"};
      return block.shorten(entry);
    }
  }
}

// The listed cells followed, in the same order, by the mirror images of those off the diagonal.
SparseTensor unfold(const SparseTensor& lower, Symmetry symmetry) {
  std::vector<std::vector<Index>> columns(2);
  for (int mode : {0, 1}) columns[mode].assign(lower.column(mode).begin(), lower.column(mode).end());
  std::vector<float> values(lower.values().begin(), lower.values().end());
  for (std::size_t entry = 0; entry < lower.size(); ++entry) {
    const Index row = lower.column(0)[entry], column = lower.column(1)[entry];
    if (row == column) continue;
    columns[0].push_back(column);
    columns[1].push_back(row);
    values.push_back(symmetry == Symmetry::skew ? -values[entry] : values[entry]);
  }
  return {Cells(lower.shape(), std::move(columns)), std::move(values), lower.unlisted()};
}

EntryList read_coordinates(LineChunks& chunks, const Header& header, Listing::Values values,
                           const ReadOptions& options) {
  const Listing listing{2, values, kMtxComment, options.nan_is_missing, options.clamp_to_float32};
  EntryList entries(chunks, 2, values == Listing::Values::parsed);
  SpareBlocks spare(2, values == Listing::Values::parsed);
  std::size_t missing = 0;
  for_each_chunk(
      chunks,
      [&](std::string_view text) {
        EntryBlock block = parse_listing(text, listing, spare);
        if (header.symmetry != Symmetry::general) fold(block, header.symmetry);
        return block;
      },
      [&](EntryBlock&& block, std::size_t line) {
        missing += block.missing();
        entries.add(block, line, {header.rows, header.columns});
        spare.put(std::move(block));
      });
  check_count(entries.size() + missing, header.entries, chunks.name());
  return entries;
}

Dataset read_sparse(LineChunks& chunks, const Header& header, const Shape& shape,
                    const ReadOptions& options) {
  const auto values = header.pattern ? Listing::Values::none : Listing::Values::parsed;
  EntryList entries = read_coordinates(chunks, header, values, options);
  ReadOptions shaped = options;
  shaped.shape = shape;
  Dataset data = assemble(entries, modes_of(options), shaped);
  if (header.symmetry != Symmetry::general)
    data.tensor = unfold(std::get<SparseTensor>(data.tensor), header.symmetry);
  return data;
}

struct ValueBlock : ParsedBlock {
  std::vector<double> values;
};

ValueBlock parse_values(std::string_view text, const ReadOptions& options) {
  ValueBlock block;
  block.lines = count_lines(text);
  const char* at = text.data();
  for (std::size_t line = 0; line < block.lines; ++line, ++at) {
    for (; *at != '\n'; ++at) {
      if (*at == ' ' || *at == '\t' || *at == '\r') continue;
      if (*at == kMtxComment) {
        at = std::find(at, text.data() + text.size(), '\n');
        break;
      }
      const auto number = clamped(parse_real<double>(at), options.clamp_to_float32);
      const char* const end = std::find_if(at, text.data() + text.size(), [](char c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
      });
      const bool fine =
          number.fault == NumberFault::none || (number.fault == NumberFault::nan && options.nan_is_missing);
      if (!fine || number.end != end) {
        const auto fault = fine ? NumberFault::malformed : number.fault;
        block.error = LineError{line, explain(fault, std::string_view(at, end), Precision::full)};
        return block;
      }
      block.values.push_back(number.value);
      at = end - 1;
    }
  }
  return block;
}

// The values in the order of the file. Memory depends on the values read, never on the header's number.
std::vector<double> read_listed(LineChunks& chunks, const Header& header, const ReadOptions& options) {
  std::vector<double> listed;
  for_each_chunk(
      chunks, [&](std::string_view text) { return parse_values(text, options); },
      [&](ValueBlock&& block, std::size_t) {
        listed.insert(listed.end(), block.values.begin(), block.values.end());
        if (listed.size() > header.entries && !block.error)
          check_count(listed.size(), header.entries, chunks.name());
      });
  check_count(listed.size(), header.entries, chunks.name());
  return listed;
}

DenseTensor arrange(const std::vector<double>& listed, const Header& header) {
  DenseTensor matrix({header.rows, header.columns});
  auto cells = matrix.values();
  const std::size_t rows = header.rows, columns = header.columns;
  auto next = listed.begin();
  for (std::size_t column = 0; column < columns; ++column) {
    const std::size_t top =
        header.symmetry == Symmetry::general ? 0 : column + (header.symmetry == Symmetry::skew ? 1 : 0);
    for (std::size_t row = top; row < rows; ++row) {
      const double value = *next++;
      cells[row * columns + column] = value;
      if (header.symmetry != Symmetry::general)
        cells[column * columns + row] = header.symmetry == Symmetry::skew && row != column ? -value : value;
    }
  }
  return matrix;
}

// The cells other than NaN, as a sparse tensor.
SparseTensor known_cells(const DenseTensor& matrix, const Shape& shape, const ReadOptions& options,
                         const std::string& file) {
  SparseTensor cells(shape, options.unlisted);
  for (Index row = 0; row < matrix.shape()[0]; ++row)
    for (Index column = 0; column < matrix.shape()[1]; ++column) {
      const std::array<Index, 2> cell{row, column};
      const double value = matrix[cell];
      if (std::isnan(value)) continue;
      if (std::abs(value) > std::numeric_limits<float>::max() && !options.clamp_to_float32)
        fail("{}: {}", file, explain(NumberFault::too_large, fmt::format("{}", value)));
      cells.append(cell, to_float32(value));
    }
  return cells;
}

Dataset read_dense(LineChunks& chunks, const Header& header, const Shape& shape, const ReadOptions& options) {
  DenseTensor matrix = arrange(read_listed(chunks, header, options), header);
  if (options.nan_is_missing) return {modes_of(options), known_cells(matrix, shape, options, chunks.name())};
  if (shape != matrix.shape())
    fail("{}: a dense {} matrix does not fill the shape {}", chunks.name(), matrix.shape().text(),
         shape.text());
  return {modes_of(options), std::move(matrix)};
}

}  // namespace

Dataset read_mtx(Source& source, const ReadOptions& options, std::size_t chunk_bytes) {
  LineChunks chunks(source, Quotes::none, chunk_bytes);
  const Header header = read_header(chunks, options);
  const Shape shape = shape_in(header, options, chunks.name());
  Dataset data = header.coordinate ? read_sparse(chunks, header, shape, options)
                                   : read_dense(chunks, header, shape, options);
  data.repeats_entries = header.symmetry != Symmetry::general;
  return data;
}

CellList read_mtx_cells(Source& source, const ReadOptions& options, std::size_t chunk_bytes) {
  LineChunks chunks(source, Quotes::none, chunk_bytes);
  const Header header = read_header(chunks, options);
  const Shape shape = shape_in(header, options, chunks.name());
  if (!header.coordinate || header.symmetry != Symmetry::general)
    fail("{}:1: cells to predict are listed as general coordinates; write them so", chunks.name());
  EntryList entries = read_coordinates(
      chunks, header, header.pattern ? Listing::Values::none : Listing::Values::ignored, options);
  ReadOptions shaped = options;
  shaped.shape = shape;
  return assemble_cells(entries, modes_of(options), shaped);
}

void write_mtx(Sink& sink, const Dataset& data) {
  const Shape& shape = data.shape();
  std::string line;
  if (const auto* dense = std::get_if<DenseTensor>(&data.tensor)) {
    sink.write(fmt::format("{} matrix array real general\n{} {}\n", kBanner, shape[0], shape[1]));
    for (Index column = 0; column < shape[1]; ++column)
      for (Index row = 0; row < shape[0]; ++row) {
        line.clear();
        append_number(line, (*dense)[std::array{row, column}]);
        sink.write(line += '\n');
      }
    return;
  }
  sink.write(fmt::format("{} matrix coordinate real general\n{} {} {}\n", kBanner, shape[0], shape[1],
                         data.listed()));
  write_listing(sink, data);
}

}  // namespace tulle
