// One HTML page that needs nothing but itself: headings, paragraphs, tables, plots.
#pragma once

#include <tulle/report/plot.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tulle {

class Page {
 public:
  explicit Page(std::string_view title);

  Page& heading(std::string_view text);
  Page& paragraph(std::string_view text);

  struct Row {
    std::vector<std::string> cells;
    bool alarming = false;  // stands out
  };
  Page& table(const std::vector<std::string>& columns, const std::vector<Row>& rows);
  Page& plot(const Plot& plot);

  std::string html() const;

 private:
  std::string title_, body_;
};

}  // namespace tulle
