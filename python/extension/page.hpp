// The page of a fitted model, from its report.
#pragma once

#include <tulle/io/write.hpp>
#include <tulle/job/write_page.hpp>

#include <string>
#include <vector>

namespace tulle::python {

// `report` is JSON, with the fields of the owner if the page is to have a part for him.
inline void write_page(const std::string& path, const std::string& title, const std::string& report,
                       bool owner, std::vector<Drawing> drawings) {
  RunPage page{.title = title,
               .result = nlohmann::ordered_json::parse(report),
               .drawings = std::move(drawings),
               .checks = {},
               .owner = {}};
  page.checks = checks_of(page.result);
  if (owner) page.owner.emplace();
  write_text(path, to_page(page));
}

}  // namespace tulle::python
