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

TEST(Page, ListsItsSectionsAndClosesThem) {
  Page page("t");
  page.section("One").paragraph("a").section("Two & more").items({"x", "<y>"}).facts({{"w", "v"}});
  page.notice(Page::Tone::alarming, "No", "why").key_figure("73 %", "sure").command("tulle a < b");
  const std::string html = page.html();
  for (const char* part :
       {"<a href='#part-1'>One</a>", "<a href='#part-2'>Two &amp; more</a>",
        "<section id='part-2'>\n<h2>Two &amp; more</h2>", "<li>&lt;y&gt;</li>", "<dt>w</dt><dd>v</dd>",
        "<p class='notice alarming'><strong>No</strong>", "<b>73 %</b>", "<pre>tulle a &lt; b</pre>"})
    EXPECT_NE(html.find(part), std::string::npos) << part;
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_EQ(html.find("http"), html.find("http://www.w3.org/2000/svg"));  // nothing is loaded from anywhere
}

TEST(Page, PutsDrawingsSideBySide) {
  Page page("t");
  page.section("s").drawing("<svg>1</svg>", "one").drawing("<svg>2</svg>", "two & more").paragraph("p");
  const std::string html = page.html();
  EXPECT_EQ(html.find("<div class='drawings'>"), html.rfind("<div class='drawings'>"));
  EXPECT_NE(html.find("<figcaption>two &amp; more</figcaption>"), std::string::npos);
}

TEST(Page, WithoutOwnerSectionsHasTheOthersAlone) {
  Page page("t");
  page.section("One")
      .paragraph("public")
      .owner_section("Owner")
      .paragraph("secret 1")
      .section("Three")
      .paragraph("also public");
  page.owner_section("Owner again").paragraph("secret 2");
  const std::string html = page.html(), published = without_owner_sections(html);
  EXPECT_NE(html.find("secret 2"), std::string::npos);
  EXPECT_EQ(published.find("secret"), std::string::npos) << published;
  for (const char* part : {"<p>public</p>", "<p>also public</p>", "</main>"})
    EXPECT_NE(published.find(part), std::string::npos) << part;
}

// What is said of the data is escaped, so a text cannot end a section early and so leave it.
TEST(Page, TextCannotEndASection) {
  Page page("t");
  page.owner_section("Owner").paragraph("</section>\n secret");
  EXPECT_EQ(without_owner_sections(page.html()).find("secret"), std::string::npos);
}

}  // namespace
}  // namespace tulle
