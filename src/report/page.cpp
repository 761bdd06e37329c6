#include "escaped.hpp"

#include <tulle/report/page.hpp>

#include <fmt/format.h>

namespace tulle {
namespace {

constexpr std::string_view kPageStyle =
    "body{font:16px/1.5 system-ui,sans-serif;color:#222;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;width:100%;margin:1rem 0}"
    "th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #ddd;vertical-align:top}"
    "th{background:#f4f6f8}tr.alarming td{background:#fdecea}svg{max-width:100%;height:auto}";

}  // namespace

Page::Page(std::string_view title) : title_(escaped(title)) {}

Page& Page::heading(std::string_view text) {
  body_ += fmt::format("<h2>{}</h2>\n", escaped(text));
  return *this;
}

Page& Page::paragraph(std::string_view text) {
  body_ += fmt::format("<p>{}</p>\n", escaped(text));
  return *this;
}

Page& Page::table(const std::vector<std::string>& columns, const std::vector<Row>& rows) {
  body_ += "<table>\n<tr>";
  for (const std::string& column : columns) body_ += fmt::format("<th>{}</th>", escaped(column));
  body_ += "</tr>\n";
  for (const Row& row : rows) {
    body_ += row.alarming ? "<tr class='alarming'>" : "<tr>";
    for (const std::string& cell : row.cells) body_ += fmt::format("<td>{}</td>", escaped(cell));
    body_ += "</tr>\n";
  }
  body_ += "</table>\n";
  return *this;
}

Page& Page::plot(const Plot& plot) {
  body_ += to_svg(plot);
  return *this;
}

std::string Page::html() const {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang='en'>\n<head><meta charset='utf-8'>"
      "<meta name='viewport' content='width=device-width'><title>{0}</title>\n<style>{1}</style></head>\n"
      "<body>\n<h1>{0}</h1>\n{2}</body>\n</html>\n",
      title_, kPageStyle, body_);
}

}  // namespace tulle
