#include "formula.hpp"

#include <tulle/base/error.hpp>

#include <algorithm>
#include <cctype>

namespace tulle {
namespace {

class FormulaParser {
 public:
  FormulaParser(std::string_view text, const std::string& where) : text_(text), where_(where) {}

  Formula parse() {
    Formula formula;
    formula.left = term();
    expect('=');
    do {
      formula.factors.push_back(term());
      skip('*');
    } while (!at_end());
    return formula;
  }

 private:
  Term term() {
    Term term{identifier("a name"), {}};
    expect('[');
    do {
      term.letters.push_back(identifier("an index letter"));
      if (std::ranges::count(term.letters, term.letters.back()) > 1)
        wrong(fmt::format("index letter {} is used twice in {}", term.letters.back(), term.name));
    } while (skip(','));
    expect(']');
    return term;
  }

  std::string identifier(std::string_view what) {
    blanks();
    std::string word;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_'))
      word += text_[at_++];
    if (word.empty() || std::isdigit(static_cast<unsigned char>(word[0])))
      wrong(fmt::format("{} is expected", what));
    return word;
  }

  void expect(char symbol) {
    if (!skip(symbol)) wrong(fmt::format("'{}' is expected", symbol));
  }

  bool skip(char symbol) {
    blanks();
    if (at_ == text_.size() || text_[at_] != symbol) return false;
    ++at_;
    return true;
  }

  void blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  bool at_end() {
    blanks();
    return at_ == text_.size();
  }

  [[noreturn]] void wrong(const std::string& what) const {
    fail("{}: formula '{}', character {}: {}; write it as X[u,p] = U[u,k] P[p,k]", where_, text_, at_ + 1,
         what);
  }

  std::string_view text_;
  const std::string& where_;
  std::size_t at_ = 0;
};

}  // namespace

Formula parse_formula(std::string_view text, const std::string& where) {
  return FormulaParser(text, where).parse();
}

}  // namespace tulle
