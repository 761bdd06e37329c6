#include "escaped.hpp"
#include "page_style.hpp"

#include <tulle/report/page.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

namespace tulle {
namespace {

constexpr std::string_view kOwnerBegins = "<section class='owner'", kSectionEnds = "</section>\n";

}  // namespace

Page::Page(std::string_view title) : title_(escaped(title)) {}

Page& Page::begin_section(std::string_view heading, std::string_view kind) {
  if (!sections_.empty()) body_ += kSectionEnds;
  sections_.push_back(escaped(heading));
  body_ += fmt::format("{} id='part-{}'>\n", kind, sections_.size());
  return this->heading(heading);
}

Page& Page::section(std::string_view heading) {
  return begin_section(heading, "<section");
}

Page& Page::owner_section(std::string_view heading) {
  return begin_section(heading, kOwnerBegins);
}

Page& Page::heading(std::string_view text) {
  body_ += fmt::format("<h2>{}</h2>\n", escaped(text));
  return *this;
}

Page& Page::paragraph(std::string_view text) {
  body_ += fmt::format("<p>{}</p>\n", escaped(text));
  return *this;
}

Page& Page::notice(Tone tone, std::string_view heading, std::string_view text) {
  constexpr std::array kClasses = {"good", "warning", "alarming"};
  body_ += fmt::format("<p class='notice {}'><strong>{}</strong><span>{}</span></p>\n",
                       kClasses[static_cast<std::size_t>(tone)], escaped(heading), escaped(text));
  return *this;
}

Page& Page::key_figure(std::string_view value, std::string_view meaning) {
  body_ += fmt::format("<p class='key'><b>{}</b><span>{}</span></p>\n", escaped(value), escaped(meaning));
  return *this;
}

Page& Page::facts(const std::vector<std::pair<std::string, std::string>>& facts) {
  body_ += "<dl>\n";
  for (const auto& [what, value] : facts)
    body_ += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escaped(what), escaped(value));
  body_ += "</dl>\n";
  return *this;
}

Page& Page::items(const std::vector<std::string>& items) {
  body_ += "<ul>\n";
  for (const std::string& item : items) body_ += fmt::format("<li>{}</li>\n", escaped(item));
  body_ += "</ul>\n";
  return *this;
}

Page& Page::command(std::string_view text) {
  body_ += fmt::format("<pre>{}</pre>\n", escaped(text));
  return *this;
}

// A table wider than a phone scrolls separately, with the keyboard too.
Page& Page::table(const std::vector<std::string>& columns, const std::vector<Row>& rows) {
  body_ +=
      fmt::format("<div class='scroll' tabindex='0' role='region' aria-label='Table: {}'>\n<table>\n<tr>",
                  escaped(fmt::format("{}", fmt::join(columns, ", "))));
  for (const std::string& column : columns) body_ += fmt::format("<th>{}</th>", escaped(column));
  body_ += "</tr>\n";
  for (const Row& row : rows) {
    body_ += row.alarming ? "<tr class='alarming'>" : "<tr>";
    for (const std::string& cell : row.cells) body_ += fmt::format("<td>{}</td>", escaped(cell));
    body_ += "</tr>\n";
  }
  body_ += "</table>\n</div>\n";
  return *this;
}

Page& Page::plot(const Plot& plot) {
  body_ += to_svg(plot);
  return *this;
}

Page& Page::drawing(std::string_view svg, std::string_view caption) {
  // Consecutive drawings are side by side if there is room.
  constexpr std::string_view kEnds = "</div><!-- drawings -->\n";
  if (body_.ends_with(kEnds))
    body_.resize(body_.size() - kEnds.size());
  else
    body_ += "<div class='drawings'>\n";
  body_ += fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n{}", svg, escaped(caption), kEnds);
  return *this;
}

std::string Page::html() const {
  std::string contents;
  for (std::size_t i = 0; i < sections_.size(); ++i)
    contents += fmt::format("<li><a href='#part-{}'>{}</a></li>\n", i + 1, sections_[i]);
  if (!contents.empty()) contents = fmt::format("<nav aria-label='Contents'><ol>\n{}</ol></nav>\n", contents);
  // An icon in the page keeps browsers from asking a server for one.
  return fmt::format(
      "<!DOCTYPE html>\n<html lang='en'>\n<head><meta charset='utf-8'>"
      "<meta name='viewport' content='width=device-width,initial-scale=1'><link rel='icon' href='data:,'>"
      "<title>{0}</title>\n<style>{1}</style></head>\n<body>\n<main>\n<h1>{0}</h1>\n{2}{3}{4}</main>\n</"
      "body>\n</html>\n",
      title_, kPageStyle, contents, body_, sections_.empty() ? "" : kSectionEnds);
}

std::string without_owner_sections(std::string html) {
  for (std::size_t begin; (begin = html.find(kOwnerBegins)) != std::string::npos;) {
    const std::size_t end = html.find(kSectionEnds, begin);
    html.erase(begin, end == std::string::npos ? end : end + kSectionEnds.size() - begin);
  }
  return html;
}

}  // namespace tulle
