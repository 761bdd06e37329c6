#include <tulle/report/page.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(Page, IsWholeAndEscapes) {
  Page page("A < B");
  page.heading("H & H").paragraph("p");
  page.table({"a", "b"}, {{{"1", "<2>"}, false}, {{"3", "4"}, true}});
  page.plot({"t", "x", "y", false, {{"s", {{0, 0}, {1, 1}}}}});
  const std::string html = page.html();
  EXPECT_TRUE(html.starts_with("<!DOCTYPE html>"));
  for (const char* part : {"<title>A &lt; B</title>", "<h2>H &amp; H</h2>", "<p>p</p>", "<th>a</th>",
                           "<td>&lt;2&gt;</td>", "<tr class='alarming'><td>3</td>", "<svg", "</html>"})
    EXPECT_NE(html.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace tulle
