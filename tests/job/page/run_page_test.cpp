#include "text_parts.hpp"

#include <tulle/job/run_page.hpp>
#include <tulle/privacy/protected.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

using Json = nlohmann::ordered_json;

Json private_result() {
  return Json::parse(
      R"json({"method": "auto", "picked": "als", "shape": "4x3", "test_rmse": 0.4242, "seconds": 1.2345,
    "remarks": ["Chose <als>."], "owner_notes": ["7 values were clamped."],
    "history": [{"objective": 3, "change": 1}, {"objective": 2, "change": 0.5}],
    "guarantee": {"sentence": "epsilon 1", "status": "proven", "epsilon": 1.0, "delta": 0.0, "unit": "entry",
      "relation": "replace", "joint": false, "public": ["which cells are observed"],
      "adversary": "anybody who sees the releases", "accounting": "pure, planned", "reproducible": false,
      "releases": [{"what": "every entry", "noise": "piecewise", "coordinates": 6, "stddev": 0.5, "event": "pure, epsilon 1",
        "accounted": {"mechanism": "approximate", "epsilon": 1.0, "delta": 0.0, "count": 1}}]},
    "owner_only": {"fields": ["test_rmse", "seconds", "owner_notes"], "note": ""}})json");
}

TEST(RunPage, ShowsWhatIsPublicAndNothingOfTheOwners) {
  const std::string html = to_page({.title = "Report",
                                    .result = private_result(),
                                    .drawings = {{"<svg id='mine'/>", "A factor"}},
                                    .checks = {{"Attack it:", "tulle audit als"}}});
  for (const char* part :
       {"<h1>Report</h1>", "<b>73.2 %</b>", "which cells are observed", "<td>every entry</td>",
        "<dd>als</dd>", "Chose &lt;als&gt;.", "<svg id='mine'/>", "Convergence: the objective of the fit",
        "What is not covered", "<pre>tulle audit als</pre>"})
    EXPECT_TRUE(has(html, part)) << part;
  for (const char* part : {"0.4242", "1.2345", "were clamped", "class='owner'"})
    EXPECT_FALSE(has(html, part)) << part;
}

TEST(RunPage, ShowsTheOwnersPartLabelledAndApart) {
  RunPage page{.title = "Report", .result = private_result()};
  page.owner = OwnerPart{.curves = {AccuracyCurve{"test_rmse", 3, {{0.1, 0.91, 0.02}, {1, 0.52, 0.01}}}},
                         .ledger_head = "abc123"};
  const std::string html = to_page(page);
  const std::string owner = html.substr(html.find("<section class='owner'"));
  for (const std::string& part : {std::string(kForTheOwner), std::string("0.4242"),
                                  std::string("were clamped"), std::string("0.91"), std::string("abc123")})
    EXPECT_TRUE(has(owner, part)) << part;
  const std::string before = html.substr(0, html.find("<section class='owner'"));
  for (const char* part : {"0.4242", "0.91", "abc123"}) EXPECT_FALSE(has(before, part)) << part;
}

// A mean that needs no model, with the curve, in numbers and as a line of the drawing.
TEST(RunPage, ShowsWhatACurveHasToBeat) {
  RunPage page{.title = "Report", .result = private_result()};
  page.owner =
      OwnerPart{.curves = {AccuracyCurve{
                    "test_rmse", 3, {{0.1, 0.91, 0.02}, {1, 0.52, 0.01}}, {{"baseline_mean_rmse", 0.7654}}}}};
  const std::string html = to_page(page);
  const std::string owner = html.substr(html.find("<section class='owner'"));
  EXPECT_TRUE(has(owner, "Without a model, and without noise: baseline_mean_rmse 0.7654."));
  EXPECT_TRUE(has(owner, ">baseline_mean_rmse</text>"));
  EXPECT_FALSE(has(html.substr(0, html.find("<section class='owner'")), "0.7654"));
}

TEST(RunPage, NamesTheModelsThatScoresAreOf) {
  RunPage page{.title = "Report", .result = private_result()};
  page.result["test_with_own_rows"] = {{"cells", 7}, {"rmse", 0.4242}};
  page.result["test_published_model"] = {{"cells", 7}, {"rmse", 0.7171}};
  for (const char* field : {"test_with_own_rows", "test_published_model"})
    page.result["owner_only"]["fields"].push_back(field);
  EXPECT_FALSE(has(to_page(page), "0.7171"));
  page.owner.emplace();
  EXPECT_TRUE(has(to_page(page), "<dt>Test RMSE, with own rows</dt><dd>0.4242</dd>"));
  EXPECT_TRUE(has(to_page(page), "<dt>Test RMSE, published model alone</dt><dd>0.7171</dd>"));
}

TEST(RunPage, OfARunWithoutPrivacySaysSoFirst) {
  Json result = private_result();
  result["guarantee"] = nullptr;
  result.erase("owner_only");
  const std::string html = to_page({.title = "Report", .result = result});
  EXPECT_TRUE(has(html, "<strong>Not private</strong>"));
  EXPECT_TRUE(has(html, "0.4242"));  // then nothing is the owner's alone
  EXPECT_FALSE(has(html, "Every release"));
}

TEST(RunPage, HasTheAccountThatWasCharged) {
  Json result = private_result();
  result["budget"] = {{"name", "ratings"}, {"epsilon", 3.0}, {"delta", 0.0}, {"spent", 1.0}, {"fits", 2.0}};
  EXPECT_TRUE(
      has(to_page({.title = "Report", .result = result}), "<dt>Charged to account</dt><dd>ratings</dd>"));
}

}  // namespace
}  // namespace tulle
