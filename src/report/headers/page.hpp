// One self-contained HTML page: headings, paragraphs, tables, drawings. For screens, light and dark, of
// phones and larger, and for paper; without scripts.
#pragma once

#include <tulle/report/plot.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tulle {

class Page {
 public:
  explicit Page(std::string_view title);

  // Begins a section, which the list of contents links to; the next one ends it.
  Page& section(std::string_view heading);
  // A section for the owner of the data only: without_owner_sections() removes it.
  Page& owner_section(std::string_view heading);

  Page& heading(std::string_view text);
  Page& paragraph(std::string_view text);

  enum class Tone { good, warning, alarming };
  Page& notice(Tone tone, std::string_view heading, std::string_view text);
  Page& key_figure(std::string_view value, std::string_view meaning);
  Page& facts(const std::vector<std::pair<std::string, std::string>>& facts);  // names and values
  Page& items(const std::vector<std::string>& items);
  Page& command(std::string_view text);

  struct Row {
    std::vector<std::string> cells;
    bool alarming = false;  // highlighted
  };
  Page& table(const std::vector<std::string>& columns, const std::vector<Row>& rows);
  Page& plot(const Plot& plot);
  Page& drawing(std::string_view svg, std::string_view caption);

  std::string html() const;

 private:
  Page& begin_section(std::string_view heading, std::string_view kind);

  std::string title_, body_;
  std::vector<std::string> sections_;  // headings, as HTML
};

// The page without the sections for the owner of the data.
std::string without_owner_sections(std::string html);

}  // namespace tulle
