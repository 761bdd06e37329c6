#include "binary/npy.hpp"

#include "binary/binary.hpp"
#include "binary/expected.hpp"
#include "text/listing.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/parse.hpp>

#include <bit>
#include <charconv>

namespace tulle {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMaxHeader = 65536;  // NumPy itself writes a few hundred bytes
constexpr char kNativeOrder = std::endian::native == std::endian::little ? '<' : '>';

// The header is a Python dictionary literal of three keys, in any order:
//   {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
class HeaderParser {
 public:
  HeaderParser(const std::string& name, std::string_view text) : name_(name), text_(text) {}

  NpyHeader parse() {
    expect('{');
    while (!accept('}')) {
      const std::string_view key = string();
      expect(':');
      if (key == "descr")
        descr();
      else if (key == "fortran_order")
        order();
      else if (key == "shape")
        shape();
      else
        fail("{}: the header has an unknown key '{}'; write the file with numpy.save", name_, shortened(key));
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_spaces();
    if (next_ != text_.size()) wrong();
    if (!has_descr_ || !has_order_ || !has_shape_)
      fail("{}: the header lacks '{}'; write the file with numpy.save", name_,
           !has_descr_   ? "descr"
           : !has_order_ ? "fortran_order"
                         : "shape");
    return header_;
  }

 private:
  [[noreturn]] void wrong() const {
    fail("{}: the header cannot be understood at its character {}; write the file with numpy.save", name_,
         next_ + 1);
  }

  void skip_spaces() {
    while (next_ < text_.size() && (text_[next_] == ' ' || text_[next_] == '\n' || text_[next_] == '\t'))
      ++next_;
  }
  bool accept(char c) {
    skip_spaces();
    if (next_ >= text_.size() || text_[next_] != c) return false;
    ++next_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) wrong();
  }
  bool accept_word(std::string_view word) {
    skip_spaces();
    if (text_.substr(next_, word.size()) != word) return false;
    next_ += word.size();
    return true;
  }

  std::string_view string() {
    skip_spaces();
    if (next_ >= text_.size() || (text_[next_] != '\'' && text_[next_] != '"')) wrong();
    const char quote = text_[next_];
    const std::size_t end = text_.find(quote, next_ + 1);
    if (end == std::string_view::npos) wrong();
    const std::string_view result = text_.substr(next_ + 1, end - next_ - 1);
    next_ = end + 1;
    return result;
  }

  void once(bool& seen) const {
    if (seen) wrong();
    seen = true;
  }

  void order() {
    once(has_order_);
    if (accept_word("True"))
      header_.order = CellOrder::fortran;
    else if (!accept_word("False"))
      wrong();
  }

  void shape() {
    once(has_shape_);
    expect('(');
    std::uint64_t elements = 1;
    while (!accept(')')) {
      if (accept('-')) fail("{}: the header states a negative size; write the file with numpy.save", name_);
      const std::uint64_t size = number();
      accept('L');  // the suffix of Python 2's long integers
      if (__builtin_mul_overflow(elements, std::max<std::uint64_t>(size, 1), &elements)) too_many();
      header_.shape.push_back(size);
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    // No type read here has more than 16 bytes per element, so later sums and products of sizes in bytes fit.
    if (elements > std::numeric_limits<std::int64_t>::max() / 16) too_many();
  }

  std::uint64_t number() {
    skip_spaces();
    std::uint64_t value = 0;
    const char* const end = text_.data() + text_.size();
    const auto [stop, error] = std::from_chars(text_.data() + next_, end, value);
    if (error == std::errc::result_out_of_range) too_many();
    if (error != std::errc()) wrong();
    next_ = static_cast<std::size_t>(stop - text_.data());
    return value;
  }

  [[noreturn]] void too_many() const {
    fail("{}: the header promises more cells than any memory holds; write the file with numpy.save", name_);
  }

  void descr() {
    once(has_descr_);
    skip_spaces();
    if (next_ < text_.size() && (text_[next_] == '[' || text_[next_] == '('))
      fail("{}: has a structured dtype; save one of its fields as an array of numbers", name_);
    const std::string_view text = string();
    std::string_view type = text;
    char byte_order = '|';
    if (!type.empty() && std::string_view("<>|=").find(type[0]) != std::string_view::npos) {
      byte_order = type[0];
      type.remove_prefix(1);
    }
    header_.type.swapped = (byte_order == '<' || byte_order == '>') && byte_order != kNativeOrder;
    if (!type.empty() && type[0] == 'O')
      fail(
          "{}: holds Python objects, which are not read because unpickling runs code; save an array of "
          "numbers",
          name_);
    if (!type.empty() && type[0] == 'c')
      fail("{}: holds complex numbers ({}); save their real part or their magnitude", name_, shortened(text));
    if (!number_type(type) && !text_type(type))
      fail("{}: dtype '{}' is not numeric; convert it with .astype(float)", name_, shortened(text));
  }

  bool number_type(std::string_view type) {
    static constexpr std::array<std::pair<std::string_view, Element>, 12> types = {{{"b1", Element::boolean},
                                                                                    {"u1", Element::u1},
                                                                                    {"u2", Element::u2},
                                                                                    {"u4", Element::u4},
                                                                                    {"u8", Element::u8},
                                                                                    {"i1", Element::i1},
                                                                                    {"i2", Element::i2},
                                                                                    {"i4", Element::i4},
                                                                                    {"i8", Element::i8},
                                                                                    {"f2", Element::f2},
                                                                                    {"f4", Element::f4},
                                                                                    {"f8", Element::f8}}};
    for (const auto& [name, element] : types)
      if (type == name) {
        header_.type.element = element;
        return true;
      }
    return false;
  }

  bool text_type(std::string_view type) {
    if (type.empty() || (type[0] != 'S' && type[0] != 'U')) return false;
    const auto length = parse_number<std::size_t>(type.substr(1));
    if (!length || *length == 0 || *length > 16) return false;
    header_.text_bytes = type[0] == 'U' ? 4 * *length : *length;
    return true;
  }

  const std::string& name_;
  std::string_view text_;
  std::size_t next_ = 0;
  NpyHeader header_;
  bool has_descr_ = false;
  bool has_order_ = false;
  bool has_shape_ = false;
};

std::string read_exactly(ByteStream& stream, std::size_t count) {
  std::string bytes(count, '\0');
  if (stream.read(bytes) < count)
    fail("{}: ends inside the header; the file is cut off, copy or write it again", stream.name());
  return bytes;
}

class SourceStream final : public ByteStream {
 public:
  explicit SourceStream(Source& source) : ByteStream(source.name()), source_(source) {}
  std::size_t read(std::span<char> buffer) override { return source_.read(buffer); }

 private:
  Source& source_;
};

}  // namespace

std::uint64_t NpyHeader::elements() const {
  return std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>());
}

std::uint64_t NpyHeader::bytes() const {
  return header_bytes + elements() * (text_bytes > 0 ? text_bytes : bytes_of(type.element));
}

NpyHeader read_npy_header(ByteStream& stream) {
  const std::string& name = stream.name();
  std::string start(kMagic.size(), '\0');
  start.resize(stream.read(start));
  if (start.empty()) fail("{}: is empty; write it with numpy.save", name);
  if (start.starts_with("\x80") && !start.starts_with(kMagic))
    fail("{}: is a Python pickle, which is not read because unpickling runs code; write it with numpy.save",
         name);
  if (start != kMagic.substr(0, start.size()))
    fail("{}: is no .npy file (it does not begin with \\x93NUMPY); write it with numpy.save", name);
  if (start.size() < kMagic.size())
    fail("{}: ends inside the header; the file is cut off, copy or write it again", name);

  const std::string version = read_exactly(stream, 2);
  const int major = static_cast<unsigned char>(version[0]);
  const int minor = static_cast<unsigned char>(version[1]);
  if (major < 1 || major > 3 || minor != 0)
    fail("{}: .npy version {}.{} is unknown; write it with numpy.save", name, major, minor);
  const std::string length_bytes = read_exactly(stream, major == 1 ? 2 : 4);
  std::size_t length = 0;
  for (std::size_t i = length_bytes.size(); i-- > 0;)
    length = length << 8 | static_cast<unsigned char>(length_bytes[i]);
  if (length > kMaxHeader)
    fail(
        "{}: states a header of {} bytes, more than the {} of any array of numbers; write it with numpy.save",
        name, length, kMaxHeader);

  const std::string text = read_exactly(stream, length);
  NpyHeader header = HeaderParser(name, text).parse();
  header.header_bytes = start.size() + version.size() + length_bytes.size() + text.size();
  return header;
}

void read_npy_elements(ByteStream& stream, const NpyHeader& header, const TakeNumbers& take) {
  const std::string& name = stream.name();
  if (header.text_bytes > 0) fail("{}: holds text; convert it with .astype(float)", name);
  const std::uint64_t elements = header.elements();
  const std::uint64_t promised = header.bytes() - header.header_bytes;
  if (const std::uint64_t arrived = read_elements(stream, header.type, elements, take); arrived < promised)
    fail(
        "{}: the header promises {} elements ({} bytes), but only {} bytes follow; the file is cut off or "
        "its header wrong, "
        "write it again",
        name, elements, promised, arrived);
  char more;
  if (stream.read({&more, 1}) > 0)
    fail("{}: bytes follow behind the {} elements of the array; save one array a file, or several as .npz",
         name, elements);
}

Dataset read_npy_tensor(ByteStream& stream, const NpyHeader& header, const ReadOptions& options) {
  return read_array(stream.name(), header.shape, header.order, options,
                    [&](const TakeNumbers& take) { read_npy_elements(stream, header, take); });
}

std::string npy_header(std::string_view descr, std::span<const std::uint64_t> shape) {
  std::string text = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}{}), }}",
                                 kNativeOrder, descr, fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  // NumPy pads with spaces so that the elements begin at a multiple of 64 bytes.
  const std::size_t before = kMagic.size() + 4;
  text.append(63 - (before + text.size()) % 64, ' ');
  text += '\n';
  const char version_and_length[] = {1, 0, static_cast<char>(text.size() & 0xff),
                                     static_cast<char>(text.size() >> 8)};
  return std::string(kMagic).append(version_and_length, 4) + text;
}

Dataset read_npy(Source& source, const ReadOptions& options) {
  SourceStream stream(source);
  const NpyHeader header = read_npy_header(stream);
  return as_expected(source.name(), read_npy_tensor(stream, header, options), options);
}

void read_npy(Source& source, const std::function<void(const Shape&)>& begin, const TakeNumbers& take) {
  SourceStream stream(source);
  const NpyHeader header = read_npy_header(stream);
  begin(shape_in_file(source.name(), header.shape));
  if (header.order == CellOrder::c) return read_npy_elements(stream, header, take);
  const Dataset data = read_npy_tensor(stream, header);  // all of it, to transpose it
  take(std::get<DenseTensor>(data.tensor).values());
}

void write_npy(Sink& sink, const Dataset& data) {
  const auto& tensor = std::get<DenseTensor>(data.tensor);
  const auto dimensions = tensor.shape().dimensions();
  sink.write(npy_header("f8", std::vector<std::uint64_t>(dimensions.begin(), dimensions.end())));
  sink.write({reinterpret_cast<const char*>(tensor.values().data()), tensor.values().size_bytes()});
}

}  // namespace tulle
