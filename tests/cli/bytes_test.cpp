// The byte audit of the command: for every sound method, unit and relation, and every format with labels, a
// run on one data set and a run on a neighbouring one, with its releases replayed, publish the same bytes and
// ask for exact answers within the sensitivity of each other.
#include "run.hpp"

#include <tulle/audit/bytes.hpp>
#include <tulle/base/json.hpp>
#include <tulle/base/random.hpp>
#include <tulle/job/completion_run.hpp>
#include <tulle/job/report.hpp>
#include <tulle/job/site_run.hpp>
#include <tulle/method/private_completion.hpp>
#include <tulle/method/topics.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tulle {
namespace {

namespace fs = std::filesystem;
using Files = std::map<std::string, std::string>;

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// A folder of its own, where the command runs.
class Folder {
 public:
  Folder()
      : path_(fs::temp_directory_path() / fmt::format("tulle-bytes-{}", getpid())),
        before_(fs::current_path()) {
    fs::remove_all(path_);
    fs::create_directories(path_);
    fs::current_path(path_);
  }
  ~Folder() {
    fs::current_path(before_);
    fs::remove_all(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

 private:
  fs::path path_, before_;
};

// While it lives, a standard stream goes to a file.
class Redirected {
 public:
  Redirected(FILE* stream, const char* file) : stream_(stream), saved_(dup(fileno(stream))) {
    std::fflush(stream);
    const int target = open(file, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    dup2(target, fileno(stream));
    close(target);
  }
  ~Redirected() {
    std::fflush(stream_);
    dup2(saved_, fileno(stream_));
    close(saved_);
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;

 private:
  FILE* stream_;
  int saved_;
};

CommandOutput run_command(const std::string& arguments, const Files& inputs) {
  const Folder folder;
  for (const auto& [name, content] : inputs) std::ofstream(name, std::ios::binary) << content;
  std::vector<std::string> words = {"tulle"};
  std::istringstream text(arguments);
  for (std::string word; text >> word;) words.push_back(word);
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  CommandOutput published;
  {
    const Redirected output(stdout, "standard-output"), errors(stderr, "standard-error");
    published.status = cli::run(static_cast<int>(pointers.size()), pointers.data());
  }
  published.output = bytes_of("standard-output");
  published.errors = bytes_of("standard-error");
  for (const char* name : {"model.npz", "report.html"})
    if (fs::exists(name)) published.files[name] = bytes_of(name);
  return published;
}

struct Case {
  std::string name, arguments;
  std::function<Files(int side)> inputs;
};

// ---- Data ----

using Entry = std::tuple<int, int, double>;  // user, film, rating; both numbered from 1

// Users with a few ratings each. Of two neighbouring data sets one unit differs, `odd` says how.
std::vector<Entry> ratings(int users, int films, double share = 0.5) {
  Random random(11);
  std::vector<Entry> entries;
  for (int user = 1; user <= users; ++user)
    for (int film = 1; film <= films; ++film)
      if (random.chance(share))
        entries.emplace_back(user, film, 1 + static_cast<double>(random.below(9)) / 2);
  return entries;
}

std::string as_tns(const std::vector<Entry>& entries) {
  std::string text;
  for (const auto& [user, film, rating] : entries) text += fmt::format("{} {} {}\n", user, film, rating);
  return text;
}

std::string as_csv(const std::vector<Entry>& entries) {
  std::string text = "user,film,rating\n";
  for (const auto& [user, film, rating] : entries) text += fmt::format("u{},f{},{}\n", user, film, rating);
  return text;
}

std::string as_mtx(const std::vector<Entry>& entries, int users, int films) {
  return fmt::format("%%MatrixMarket matrix coordinate real general\n{} {} {}\n", users, films,
                     entries.size()) +
         as_tns(entries);
}

std::string film_list(int films) {
  std::string text;
  for (int film = 1; film <= films; ++film) text += fmt::format("f{}\n", film);
  return text;
}

std::string user_list(int users) {
  std::string text;
  for (int user = 1; user <= users; ++user) text += fmt::format("u{}\n", user);
  return text;
}

// The value of one entry differs.
std::vector<Entry> with_other_value(std::vector<Entry> entries, int side) {
  std::get<2>(entries[entries.size() / 2]) = side == 0 ? 1 : 5;
  return entries;
}

// One entry is there or not. It comes first, so that whatever goes by the order of the file shifts.
std::vector<Entry> with_one_more(std::vector<Entry> entries, int side, const Entry& more) {
  if (side == 1) entries.insert(entries.begin(), more);
  return entries;
}

// A user is there or not, with the films of the others but in an order of their own, first in the file.
std::vector<Entry> with_another_user(std::vector<Entry> entries, int side, int user, int films) {
  if (side == 0) return entries;
  std::vector<Entry> all;
  for (int film = films; film > films / 3; --film) all.emplace_back(user, film, film % 2 == 0 ? 5 : 1);
  all.insert(all.end(), entries.begin(), entries.end());
  return all;
}

// ---- Cases ----

constexpr int kUsers = 14, kFilms = 9;
const std::string kCommon = " --epsilon 2 --range 1:5 --seed 5 --threads 1 -o model.npz";

void add_in_every_form(std::vector<Case>& cases, const Case& basic) {
  cases.push_back(basic);
  cases.push_back({basic.name + " as JSON and as a page", basic.arguments + " --json --report report.html",
                   basic.inputs});
}

// Methods that need a delta get one, at which their releases are few enough to be quick.
std::string settings_of(const std::string& method) {
  if (method == "gradient") return " --delta 1e-3 --steps 5 -v";
  if (method == "subspace") return " --delta 1e-3 --model tucker";
  return "";
}

// Method margins wants three modes, with many cells for every pair of positions.
std::string as_tns_of_three_modes(int side) {
  Random random(4);
  std::string text = fmt::format("1 1 1 {}\n", side == 0 ? 1 : 5);
  for (int cell = 1; cell < 45 * 45 * 4; ++cell)
    text +=
        fmt::format("{} {} {} {}\n", 1 + cell % 45, 1 + cell / 45 % 45, 1 + cell / 2025, 1 + random.below(5));
  return text;
}

bool is_sound(const Method& method) {
  return !method.protects.empty() && method.guarantee != "none is proven";
}

std::vector<Case> entry_replace_cases() {
  std::vector<Case> cases;
  const std::vector<Entry> entries = ratings(kUsers, kFilms);
  for (const Method& method : methods(Job::completion)) {
    constexpr Neighbours kEntryValues{Unit::entry, Relation::replace};
    if (!is_sound(method) || method.name == "margins" ||
        std::ranges::find(method.protects, kEntryValues) == method.protects.end())
      continue;
    const std::string start = fmt::format(" --method {}{}{}", method.name, settings_of(method.name), kCommon);
    add_in_every_form(cases,
                      {method.name + " entry replace, csv", "complete data.csv" + start, [entries](int side) {
                         return Files{{"data.csv", as_csv(with_other_value(entries, side))}};
                       }});
    cases.push_back({method.name + " entry replace, tns, holdout", "complete data.tns --holdout 0.2" + start,
                     [entries](int side) {
                       return Files{{"data.tns", as_tns(with_other_value(entries, side))}};
                     }});
    cases.push_back({method.name + " entry replace, value beyond the range", "complete data.csv" + start,
                     [entries](int side) {
                       std::vector<Entry> extreme = entries;
                       std::get<2>(extreme[3]) = side == 0 ? -1e30 : 1e30;
                       return Files{{"data.csv", as_csv(extreme)}};
                     }});
  }
  add_in_every_form(cases,
                    {"margins entry replace", "complete data.tns --method margins" + kCommon, [](int side) {
                       return Files{{"data.tns", as_tns_of_three_modes(side)}};
                     }});
  return cases;
}

std::vector<Case> entry_add_remove_cases() {
  std::vector<Case> cases;
  const Entry more{kUsers - 1, kFilms, 5};
  std::vector<Entry> entries = ratings(kUsers, kFilms);
  std::erase_if(entries,
                [](const Entry& e) { return std::get<0>(e) == kUsers - 1 && std::get<1>(e) == kFilms; });
  for (const std::string method : {"input", "gradient", "auto", "auto --delta 1e-3"}) {
    const std::string start =
        fmt::format(" --method {}{} --relation add-remove{}", method, settings_of(method), kCommon);
    add_in_every_form(
        cases, {method + " entry add-remove, csv with lists",
                "complete data.csv --public user=users.txt --public film=films.txt" + start, [=](int side) {
                  return Files{{"data.csv", as_csv(with_one_more(entries, side, more))},
                               {"users.txt", user_list(kUsers)},
                               {"films.txt", film_list(kFilms)}};
                }});
    cases.push_back({method + " entry add-remove, positions found",
                     "complete data.csv --public user,film" + start, [=](int side) {
                       return Files{{"data.csv", as_csv(with_one_more(entries, side, more))}};
                     }});
    cases.push_back(
        {method + " entry add-remove, a label that no list has",
         "complete data.csv --public user=users.txt --public film=films.txt" + start, [=](int side) {
           return Files{{"data.csv", as_csv(with_one_more(entries, side, {kUsers + 7, kFilms + 7, 3}))},
                        {"users.txt", user_list(kUsers)},
                        {"films.txt", film_list(kFilms)}};
         }});
    cases.push_back(
        {method + " entry add-remove, tns", "complete data.tns --shape 20x12" + start, [=](int side) {
           return Files{{"data.tns", as_tns(with_one_more(entries, side, {20, 12, 5}))}};
         }});
    cases.push_back({method + " entry add-remove, beyond the shape",
                     "complete data.tns --shape 20x12" + start, [=](int side) {
                       return Files{{"data.tns", as_tns(with_one_more(entries, side, {21, 13, 5}))}};
                     }});
    cases.push_back({method + " entry add-remove, the only entry", "complete data.tns --shape 20x12" + start,
                     [=](int side) {
                       return Files{{"data.tns", as_tns(with_one_more({}, side, {2, 3, 5}))}};
                     }});
    cases.push_back(
        {method + " entry add-remove, mtx", "complete data.mtx --public 1,2" + start, [=](int side) {
           return Files{{"data.mtx", as_mtx(with_one_more(entries, side, more), kUsers, kFilms)}};
         }});
    cases.push_back({method + " entry add-remove, holdout",
                     "complete data.csv --public user,film --holdout 0.3" + start, [=](int side) {
                       return Files{{"data.csv", as_csv(with_one_more(entries, side, more))}};
                     }});
    cases.push_back({method + " entry add-remove, test file",
                     "complete data.csv --public user,film --test test.csv" + start, [=](int side) {
                       return Files{
                           {"data.csv", as_csv(entries)},
                           {"test.csv", side == 0 ? as_csv({{1, 1, 3}}) : as_csv({{99, 98, 3}, {1, 2, 4}})}};
                     }});
  }
  // One entry more, and delta is no longer below 1/n.
  for (const std::string method : {"input", "gradient --steps 5", "auto"})
    cases.push_back(
        {method + " entry add-remove, as many entries as 1 / delta",
         fmt::format("complete data.tns --shape 20x12 --method {} --delta {} --relation add-remove{}", method,
                     1 / (static_cast<double>(entries.size()) + 0.5), kCommon),
         [=](int side) {
           return Files{{"data.tns", as_tns(with_one_more(entries, side, {20, 12, 5}))}};
         }});
  return cases;
}

std::vector<Case> user_cases() {
  std::vector<Case> cases;
  const std::vector<Entry> entries = ratings(kUsers, kFilms);
  const std::string user = " --unit user --user-mode user";
  const auto alice = [=](int side) {
    return Files{{"data.csv", as_csv(with_another_user(entries, side, 77, kFilms))}};
  };
  for (const std::string method :
       {"als", "als --steps 2", "gradient", "gradient --clip-quantile 0.5", "dp-sgld --steps 3", "auto"}) {
    const std::string start = fmt::format(
        " --method {}{}{} --delta 1e-3{}{}", method, method.starts_with("gradient") ? " --steps 4" : "", user,
        method.starts_with("als") || method == "auto" ? "" : " --relation add-remove", kCommon);
    add_in_every_form(cases, {method + " user add-remove", "complete data.csv --public film" + start, alice});
    cases.push_back({method + " user add-remove, holdout",
                     "complete data.csv --public film --holdout 0.3" + start, alice});
    cases.push_back({method + " user add-remove, the only user",
                     "complete data.csv --public film=films.txt" + start, [=](int side) {
                       return Files{{"data.csv", as_csv(with_another_user({}, side, 1, kFilms))},
                                    {"films.txt", film_list(kFilms)}};
                     }});
    cases.push_back({method + " user add-remove, far more cells than 1 / delta",
                     "complete data.csv --public film=films.txt" + start, [=](int side) {
                       return Files{
                           {"data.csv", as_csv(with_another_user(ratings(60, 30, 0.5548), side, 77, 30))},
                           {"films.txt", film_list(30)}};
                     }});
  }
  // One user more, and delta is no longer below 1/n.
  for (const std::string method : {"als", "gradient --steps 4", "auto"})
    cases.push_back(
        {method + " user add-remove, as many users as 1 / delta",
         fmt::format("complete data.csv --public film --method {}{} --delta {} --relation add-remove{}",
                     method, user, 1 / (kUsers + 0.5), kCommon),
         alice});
  for (const std::string method : {"input", "local", "auto"})
    cases.push_back(
        {method + " user replace",
         fmt::format("complete data.csv --method {} --relation replace{}{}", method, user, kCommon),
         [=](int side) {
           std::vector<Entry> changed = entries;
           for (auto& [who, film, rating] : changed)
             if (who == 3) rating = side == 0 ? 1 : 5;
           return Files{{"data.csv", as_csv(changed)}};
         }});
  return cases;
}

// A user of the second of three sites is there or not.
std::vector<Case> site_cases() {
  const std::string study =
      "entities = [\"user\", \"film\"]\nprivate = [\"user\"]\n[positions]\nfilm = "
      "\"films.txt\"\n[[relations]]\n"
      "name = \"ratings\"\nentities = [\"user\", \"film\"]\ncolumns = [\"user\", \"film\", \"rating\"]\n"
      "[[sites]]\nname = \"a\"\nfile = \"a.csv\"\n[[sites]]\nname = \"b\"\nfile = \"b.csv\"\ntest = "
      "\"a.csv\"\n"
      "[[sites]]\nname = \"c\"\nfile = \"c.csv\"\n";
  std::vector<Case> cases;
  for (const std::string method : {"als", "gradient --sweeps 3", "dp-sgld --sweeps 3"}) {
    const auto inputs = [study](const std::vector<Entry>& own) {
      return [study, own](int side) {
        return Files{{"study.toml", study},
                     {"films.txt", film_list(kFilms)},
                     {"a.csv", as_csv(ratings(kUsers, kFilms))},
                     {"b.csv", as_csv(with_another_user(own, side, 77, kFilms))},
                     {"c.csv", as_csv(ratings(3, kFilms))}};
      };
    };
    const std::string arguments =
        "federate study.toml --delta 1e-3 --epsilon 2 --range 1:5 --seed 5 -o model.npz "
        "--method " +
        method;
    add_in_every_form(cases, {method + " over sites", arguments, inputs(ratings(kUsers, kFilms))});
    cases.push_back({method + " over sites, the only user of one", arguments, inputs({})});
  }
  // Which cells there are is public; one count of the second site differs.
  for (const std::string method : {"ldp1", "ldp2"})
    add_in_every_form(cases, {method + " over sites",
                              "federate study.toml --epsilon 2 --range 1:5 --unit entry --rank 2 "
                              "--seed 5 -o model.npz "
                              "--method " +
                                  method,
                              [study](int side) {
                                std::vector<Entry> own = ratings(kUsers, kFilms);
                                std::get<2>(own[4]) = side == 0 ? 1 : 5;
                                return Files{{"study.toml", study},
                                             {"films.txt", film_list(kFilms)},
                                             {"a.csv", as_csv(ratings(kUsers, kFilms))},
                                             {"b.csv", as_csv(own)},
                                             {"c.csv", as_csv(ratings(3, kFilms))}};
                              }});
  return cases;
}

std::string features_of_films() {
  std::string features = "user,film,rating\n";
  for (int film = 1; film <= kFilms; ++film) features += fmt::format("f{},x,{}\nf{},y,1\n", film, film, film);
  return features;
}

// The same user in two relations, at a site or in one place, beside a public table and factors of each site's
// own.
std::vector<Case> coupled_site_cases() {
  const auto study = [](const std::string& keys, const std::string& relations) {
    std::string text =
        keys +
        (relations.empty() ? "entities = [\"user\", \"film\"]\n"
                           : "entities = [\"user\", \"film\", \"feature\"]\n") +
        "private = [\"user\"]\n[positions]\nfilm = "
        "\"films.txt\"\n[[relations]]\nname = \"ratings\"\nentities = [\"user\", \"film\"]\n"
        "columns = [\"user\", \"film\", \"rating\"]\n[[relations]]\nname = \"seen\"\nentities = "
        "[\"user\", \"film\"]\nrange = [0, 5]\ncolumns = [\"user\", \"film\", \"rating\"]\n" +
        relations;
    for (const char* site : {"a", "b"})
      text += fmt::format(
          "[[sites]]\nname = \"{0}\"\nfile = \"{0}.csv\"\nfiles = {{ seen = \"{0}-seen.csv\" }}\n", site);
    return text;
  };
  const std::string with_table =
      study("",
            "[[relations]]\nname = \"features\"\nentities = [\"film\", \"feature\"]\npublic = true\nfile = "
            "\"features.csv\"\ncolumns = [\"user\", \"film\", \"rating\"]\n");
  std::vector<Case> cases;
  for (const std::string& text : {with_table, study("local = [\"film\"]\n", "")}) {
    const auto inputs = [text](int side) {
      return Files{{"study.toml", text},
                   {"films.txt", film_list(kFilms)},
                   {"features.csv", features_of_films()},
                   {"a.csv", as_csv(ratings(kUsers, kFilms))},
                   {"a-seen.csv", as_csv(ratings(3, kFilms))},
                   {"b.csv", as_csv(with_another_user(ratings(4, kFilms), side, 77, kFilms))},
                   {"b-seen.csv", as_csv(with_another_user(ratings(kUsers, kFilms), side, 77, kFilms))}};
    };
    add_in_every_form(cases,
                      {fmt::format("relations over sites{}", text == with_table ? "" : ", local films"),
                       "federate study.toml --delta 1e-3 --epsilon 2 --range 1:5 --seed 5 -o "
                       "model.npz --method dp-sgld --sweeps 3",
                       inputs});
    if (text != with_table)
      cases.push_back({"local films, protection shared",
                       "federate study.toml --delta 1e-3 --epsilon 2 --range 1:5 --seed 5 -o "
                       "model.npz --method dp-sgld --sweeps 3 --protection shared",
                       inputs});
  }
  std::string in_one_place = with_table.substr(0, with_table.find("[[sites]]"));
  in_one_place.insert(in_one_place.find("columns"), "file = \"a.csv\"\n");
  in_one_place.insert(in_one_place.find("range = "), "file = \"seen.csv\"\n");
  for (const char* held_out : {"", " --missing 0.3"})
    add_in_every_form(
        cases,
        {fmt::format("relations in one place{}", held_out),
         fmt::format(
             "couple study.toml --delta 1e-3 --epsilon 2 --range 1:5 --seed 5 -o model.npz --steps 3{}",
             held_out),
         [in_one_place](int side) {
           return Files{{"study.toml", in_one_place},
                        {"films.txt", film_list(kFilms)},
                        {"features.csv", features_of_films()},
                        {"a.csv", as_csv(with_another_user(ratings(4, kFilms), side, 77, kFilms))},
                        {"seen.csv", as_csv(with_another_user(ratings(kUsers, kFilms), side, 77, kFilms))}};
         }});
  return cases;
}

// Every other user likes all films, the others none.
std::vector<Entry> in_turn(std::vector<Entry> entries) {
  for (auto& [user, film, rating] : entries) rating = user % 2 == 0 ? 5 : 1;
  return entries;
}

// One table of everybody, dealt to simulated sites: who is at which must not follow from who else there is.
// The user who comes or goes is the first or the last of the file, or the only one. Of releases that are
// sampled the exact answers are not compared here: the sum of values before them shows who is where.
std::vector<Case> split_cases() {
  const auto study = [](const std::string& keys, const std::string& split) {
    return keys +
           "entities = [\"user\", \"film\"]\nprivate = [\"user\"]\n[positions]\nfilm = \"films.txt\"\n"
           "[[relations]]\nname = \"ratings\"\nentities = [\"user\", \"film\"]\n"
           "columns = [\"user\", \"film\", \"rating\"]\n[split]\nfile = \"all.csv\"\nsites = 2\n" +
           split;
  };
  const auto of_two_relations = [&] {
    std::string text = study("local = [\"film\"]\n", "files = { seen = \"seen.csv\" }\n");
    text.insert(text.find("[split]"),
                "[[relations]]\nname = \"seen\"\nentities = [\"user\", \"film\"]\nrange = [0, 5]\n"
                "columns = [\"user\", \"film\", \"rating\"]\n");
    return text;
  }();
  const std::vector<Entry> others = in_turn(ratings(kUsers, kFilms));
  const auto last = [](const std::vector<Entry>& entries, int side) {
    std::vector<Entry> all = entries;
    for (const Entry& more : with_another_user({}, side, 77, kFilms)) all.push_back(more);
    return all;
  };
  const auto inputs = [](const std::string& text, const std::function<std::vector<Entry>(int)>& table) {
    return [text, table](int side) {
      return Files{{"study.toml", text},
                   {"films.txt", film_list(kFilms)},
                   {"all.csv", as_csv(table(side))},
                   {"seen.csv", as_csv(table(side))}};
    };
  };
  const auto first_in_file = [=](int side) { return with_another_user(others, side, 77, kFilms); };
  const std::string run =
      "federate study.toml --delta 1e-3 --epsilon 2 --range 1:5 --seed 5 -o model.npz --method ";
  const std::string local = study("local = [\"film\"]\n", "holdout = 0.3\n");
  std::vector<Case> cases;
  add_in_every_form(cases, {"split with local films", run + "dp-sgld --sweeps 3 --entries-per-user 1",
                            inputs(local, first_in_file)});
  cases.push_back({"split with local films, the last user", run + "dp-sgld --sweeps 3 --entries-per-user 1",
                   inputs(local, [=](int side) { return last(others, side); })});
  cases.push_back({"split with local films, the only user",
                   run + "dp-sgld --sweeps 3 --entries-per-user 1 --json",
                   inputs(local, [=](int side) { return last({}, side); })});
  cases.push_back({"split with local films, protection shared",
                   run + "dp-sgld --sweeps 3 --entries-per-user 1 --protection shared",
                   inputs(local, first_in_file)});
  cases.push_back({"split with local films, users at two sites",
                   run + "dp-sgld --sweeps 3 --entries-per-user 1 --overlap 2",
                   inputs(local, first_in_file)});
  add_in_every_form(
      cases, {"split of two relations with local films", run + "dp-sgld --sweeps 3 --entries-per-user 1",
              inputs(of_two_relations, first_in_file)});
  for (const std::string method : {"als", "gradient --sweeps 3 --entries-per-user 1"})
    cases.push_back({"split, " + method, run + method, inputs(study("", ""), first_in_file)});
  return cases;
}

// What the held-out cells are decides neither whether a model is made nor how the run ends: all of their
// values 0, which has no relative error, or one other; none of them, or one.
std::vector<Case> held_out_cases() {
  const std::vector<Entry> entries = ratings(kUsers, kFilms);
  const std::vector<Entry> zeros = {{1, 1, 0}, {2, 2, 0}}, other = {{1, 1, 0}, {2, 2, 5}};
  const std::string of_users = " --unit user --user-mode user --public film=films.txt --delta 1e-3";
  const std::string terms = " --epsilon 2 --range 0:5 --seed 5 --threads 1 -o model.npz";
  std::vector<Case> cases;
  for (const std::string method : {"input", "als --delta 1e-3", "one-shot", "auto"})
    add_in_every_form(
        cases,
        {method + ", tested on zeros", "complete data.tns --test test.tns --method " + method + terms,
         [=](int side) {
           return Files{{"data.tns", as_tns(entries)}, {"test.tns", as_tns(side == 0 ? zeros : other)}};
         }});
  for (const std::string method :
       {"als", "gradient --steps 4 --relation add-remove", "dp-sgld --steps 3 --relation add-remove"}) {
    const std::string run = "complete data.csv --test test.csv --method " + method + of_users + terms;
    const auto tested_on = [=](const std::vector<Entry>& one, const std::vector<Entry>& another) {
      return [=](int side) {
        return Files{{"data.csv", as_csv(entries)},
                     {"test.csv", as_csv(side == 0 ? one : another)},
                     {"films.txt", film_list(kFilms)}};
      };
    };
    add_in_every_form(cases, {method + " of users, tested on zeros", run, tested_on(zeros, other)});
    add_in_every_form(cases, {method + " of users, no test cells", run, tested_on({}, {{2, 2, 0}})});
  }
  cases.push_back(
      {"input, next to nothing held out",
       "complete data.tns --shape 20x12 --relation add-remove --holdout 0.01 --method input --json" + terms,
       [=](int side) {
         return Files{{"data.tns", as_tns(with_one_more(ratings(3, 3), side, {20, 12, 0}))}};
       }});
  cases.push_back(
      {"input, with a curve on zeros",
       "complete data.tns --test test.tns --method input --report report.html --curve 0.5,4" + terms,
       [=](int side) {
         return Files{{"data.tns", as_tns(entries)}, {"test.tns", as_tns(side == 0 ? zeros : other)}};
       }});
  const std::string study =
      "entities = [\"user\", \"film\"]\nprivate = [\"user\"]\n[positions]\nfilm = \"films.txt\"\n"
      "[[relations]]\nname = \"ratings\"\nentities = [\"user\", \"film\"]\ncolumns = [\"user\", \"film\", "
      "\"rating\"]\n[[sites]]\nname = \"a\"\nfile = \"a.csv\"\n[[sites]]\nname = \"b\"\nfile = "
      "\"b.csv\"\ntest = \"test.csv\"\n";
  const auto at_sites = [=](const std::vector<Entry>& one, const std::vector<Entry>& another) {
    return [=](int side) {
      return Files{{"study.toml", study},
                   {"films.txt", film_list(kFilms)},
                   {"a.csv", as_csv(ratings(kUsers, kFilms))},
                   {"b.csv", as_csv(ratings(5, kFilms))},
                   {"test.csv", as_csv(side == 0 ? one : another)}};
    };
  };
  const std::string run =
      "federate study.toml --delta 1e-3 --epsilon 2 --range 0:5 --seed 5 -o model.npz --method "
      "als";
  add_in_every_form(cases, {"sites, tested on zeros", run, at_sites(zeros, other)});
  add_in_every_form(cases, {"sites, no test cells", run, at_sites({}, {{1, 1, 0}})});
  return cases;
}

// Ratings as rows of numbers without a header.
std::string as_bare_csv(const std::vector<Entry>& entries) {
  std::string text;
  for (const auto& [user, film, rating] : entries) text += fmt::format("{},{},{}\n", user, film, rating);
  return text;
}

// A table of users x films, with NaN where there is no rating.
std::string as_npy(const std::vector<Entry>& entries, int users, int films) {
  std::string header =
      fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, {}), }}", users, films);
  header.resize(117, ' ');
  std::vector<double> table(static_cast<std::size_t>(users * films), std::nan(""));
  for (const auto& [user, film, rating] : entries)
    table[static_cast<std::size_t>((user - 1) * films + film - 1)] = rating;
  std::string bytes = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + '\n';
  return bytes.append(reinterpret_cast<const char*>(table.data()), table.size() * sizeof(double));
}

std::string number_list(int last) {
  std::string text;
  for (int number = 1; number <= last; ++number) text += fmt::format("{}\n", number);
  return text;
}

// What a reader could infer from the data: a header, labels or numbers, sizes, how many modes there are.
std::vector<Case> reader_cases() {
  const std::vector<Entry> entries = ratings(kUsers, kFilms);
  const std::string user = " --method als --unit user --user-mode 1 --delta 1e-3" + kCommon;
  const std::string entry = " --method input --relation add-remove" + kCommon;
  const auto only_user = [](int side) { return with_another_user({}, side, 1, kFilms); };
  std::vector<Case> cases;
  cases.push_back(
      {"reader, the only user of a csv without a header",
       "complete data.csv --header no --public 2=films.txt" + user, [=](int side) {
         return Files{{"data.csv", as_bare_csv(only_user(side))}, {"films.txt", number_list(kFilms)}};
       }});
  cases.push_back(
      {"reader, the only entry of a csv with chosen columns",
       "complete data.csv --header no --columns 2,1,3 --public 1=films.txt --public 2=users.txt" + entry,
       [=](int side) {
         return Files{{"data.csv", as_bare_csv(with_one_more({}, side, {2, 3, 4}))},
                      {"films.txt", number_list(kFilms)},
                      {"users.txt", number_list(kUsers)}};
       }});
  cases.push_back({"reader, a user whose name is no number",
                   "complete data.csv --header yes --public 2" + user, [=](int side) {
                     return Files{{"data.csv", "user,film,rating\n" +
                                                   std::string(side == 0 ? "" : "x7,3,5\nx7,10,1\n") +
                                                   "1,10,4\n" + as_bare_csv(entries)}};
                   }});
  cases.push_back(
      {"reader, an entry of a user whose name is no number",
       "complete data.csv --header yes --public 1=users.txt --public 2=films.txt" + entry, [=](int side) {
         return Files{{"data.csv", "user,film,rating\n" + std::string(side == 0 ? "" : "x7,3,5\n") +
                                       as_bare_csv(entries)},
                      {"films.txt", number_list(kFilms)},
                      {"users.txt", number_list(kUsers)}};
       }});
  cases.push_back(
      {"reader, the only user of a tns", "complete data.tns --public 2=films.txt" + user, [=](int side) {
         return Files{{"data.tns", as_tns(only_user(side))}, {"films.txt", number_list(kFilms)}};
       }});
  cases.push_back({"reader, the only user of an mtx", "complete data.mtx --public 2" + user, [=](int side) {
                     return Files{{"data.mtx", as_mtx(only_user(side), side, kFilms)}};
                   }});
  cases.push_back({"reader, the only user of a table", "complete data.npy --nan-missing --public 2" + user,
                   [=](int side) {
                     return Files{{"data.npy", as_npy(only_user(side), side, kFilms)}};
                   }});
  cases.push_back(
      {"reader, the last row of a table", "complete data.npy --nan-missing --public 2" + user, [=](int side) {
         return Files{{"data.npy",
                       as_npy(with_another_user(entries, side, kUsers + 1, kFilms), kUsers + side, kFilms)}};
       }});
  cases.push_back({"reader, the only user, with a test file",
                   "complete data.csv --header yes --public 2=films.txt --test test.csv" + user,
                   [=](int side) {
                     return Files{{"data.csv", as_csv(only_user(side))},
                                  {"test.csv", as_csv(entries)},
                                  {"films.txt", film_list(kFilms)}};
                   }});
  cases.push_back({"reader, the only user, tested by number",
                   "complete data.tns --public 2=films.txt --test test.csv --header no" + user,
                   [=](int side) {
                     return Files{{"data.tns", as_tns(only_user(side))},
                                  {"test.csv", as_bare_csv(entries)},
                                  {"films.txt", number_list(kFilms)}};
                   }});
  cases.push_back({"reader, nothing is left to learn from",
                   "complete data.tns --public 2=films.txt --holdout 0.999999" + user, [=](int side) {
                     return Files{{"data.tns", as_tns(only_user(side))}, {"films.txt", number_list(kFilms)}};
                   }});
  cases.push_back({"reader, a user of a large number and a film beyond the list",
                   "complete data.tns --public 2=films.txt --holdout 0.2" + user, [=](int side) {
                     return Files{{"data.tns", as_tns(entries) + (side == 0 ? ""
                                                                            : "4000000000 3 5\n"
                                                                              "4000000000 4000000000 1\n")},
                                  {"films.txt", number_list(kFilms)}};
                   }});
  for (const std::string value : {"1e39", "-1e400"})
    cases.push_back(
        {"reader, a value of " + value + " is clamped",
         "complete data.csv --method input --epsilon 2 --range 1:5 --seed 5 -o model.npz", [=](int side) {
           return Files{{"data.csv", as_csv(entries) + "u1,new," + (side == 0 ? value : "3") + "\n"}};
         }});
  return cases;
}

// Rows of one cell: some of everybody's are listed again at the end, with another value.
std::vector<Entry> with_rows_again(std::vector<Entry> entries) {
  const std::size_t count = entries.size();
  for (std::size_t entry = 0; entry < count; entry += 3) {
    auto [user, film, rating] = entries[entry];
    entries.emplace_back(user, film, 6 - rating);
  }
  return entries;
}

// Rows of a cell are merged before the values are clamped. Neighbours differ in how many rows a user or a
// cell has, in their values and in where they stand: first in the file, so that whatever goes by its order
// shifts.
std::vector<Case> merging_cases() {
  std::vector<Case> cases;
  const std::vector<Entry> entries = with_rows_again(ratings(kUsers, kFilms));
  const std::string user = " --unit user --user-mode user";
  const auto another_user = [=](int side) {
    std::vector<Entry> own;
    if (side == 1)
      for (int film = kFilms; film > 0; --film)
        for (int row = 0; row < film; ++row) own.emplace_back(77, film, row % 2 == 0 ? 1e38 : -7);
    own.insert(own.end(), entries.begin(), entries.end());
    return Files{{"data.csv", as_csv(own)}};
  };
  // The last cell of the data, with one row or with three that come before all others.
  const auto another_rows = [=](int side) {
    std::vector<Entry> rows = ratings(kUsers, kFilms);
    const auto [who, film, rating] = rows.back();
    if (side == 1)
      for (double value : {5.0, 3e38, 3e38}) rows.insert(rows.begin(), {who, film, value});
    return Files{{"data.csv", as_csv(rows)}};
  };
  for (const std::string duplicates : {"mean", "last", "sum", "count"}) {
    const std::string start = " --duplicates " + duplicates;
    for (const std::string method : {"als", "gradient --steps 4", "auto"}) {
      const std::string users =
          fmt::format("{} --method {}{} --delta 1e-3 --relation add-remove{}", start, method, user, kCommon);
      add_in_every_form(cases, {method + " user add-remove, duplicates " + duplicates,
                                "complete data.csv --public film" + users, another_user});
      cases.push_back({method + " user add-remove, holdout, duplicates " + duplicates,
                       "complete data.csv --public film --holdout 0.3" + users, another_user});
    }
    for (const std::string method : {"one-shot", "als", "input"})
      add_in_every_form(
          cases, {method + " entry replace, duplicates " + duplicates,
                  fmt::format("complete data.csv --holdout 0.2 --method {}{}{}", method, start, kCommon),
                  another_rows});
    cases.push_back(
        {"input user replace, duplicates " + duplicates,
         fmt::format("complete data.csv --method input --relation replace{}{}{}", user, start, kCommon),
         another_rows});
  }
  return cases;
}

std::vector<Case> topic_cases() {
  std::vector<Case> cases;
  const auto documents = [](int side) {
    Random random(3);
    std::string text;
    for (int document = 0; document < 40; ++document) {
      const int length = 3 + static_cast<int>(random.below(4));
      for (int word = 0; word < length; ++word) text += fmt::format("{} ", 1 + random.below(6));
      text += '\n';
    }
    return Files{{"docs.txt", (side == 0 ? "1 1 1 1\n" : "6 5 6 5 6 6 6\n") + text}};
  };
  const auto short_document = [documents](int side) {
    return Files{{"docs.txt", (side == 0 ? "1 1 1 1\n" : "6 5\n") + documents(0).at("docs.txt")}};
  };
  for (const Method& method : methods(Job::topics)) {
    if (!method.is_private()) continue;
    const std::string start = fmt::format(
        "topics docs.txt --topics 2 --words 6 --method {} --epsilon 3 --delta 1e-3 --seed 5 --threads 1 -o "
        "model.npz",
        method.name);
    add_in_every_form(cases, {method.name + " topics", start, documents});
    cases.push_back({method.name + " topics, a document of two words", start, short_document});
    cases.push_back(
        {method.name + " topics, a document without words", start, [documents](int side) {
           return Files{{"docs.txt", (side == 0 ? "1 1 1 1\n" : "\n") + documents(0).at("docs.txt")}};
         }});
    cases.push_back({method.name + " topics, a document of any number of words",
                     "topics bags.mtx --format mtx" + start.substr(start.find(" --topics")), [](int side) {
                       std::string bags = "%%MatrixMarket matrix coordinate real general\n30 6 61\n";
                       for (int document = 1; document <= 30; ++document)
                         bags += fmt::format("{} {} 3\n{} 6 2\n", document, 1 + document % 5, document);
                       return Files{{"bags.mtx", bags + (side == 0 ? "30 2 1\n" : "30 2 1e39\n")}};
                     }});
  }
  return cases;
}

// One event more, in a cell that has no other, or elsewhere: first in a log, and in a tensor.
std::vector<Case> count_cases() {
  const auto log = [](int side) {
    std::string text = "from,to\n";
    if (side == 1) text += "c,z\n";
    for (int row = 0; row < 20; ++row) text += row % 3 == 0 ? "a,x\n" : "b,y\n";
    return Files{{"log.csv", text}, {"from.txt", "a\nb\nc\n"}, {"to.txt", "x\ny\nz\n"}};
  };
  const auto sums = [](int side) {
    return Files{{"sums.tns", side == 0 ? "1 1 16777217\n2 2 5\n" : "1 1 16777218\n2 2 5\n"}};
  };
  const auto elsewhere = [](int side) {
    return Files{{"events.tns", side == 0 ? "1 1 4\n2 2 5\n" : "1 1 4\n2 2 4\n3 1 1\n"}};
  };
  std::vector<Case> cases;
  for (const Method& method : methods(Job::counts)) {
    const std::string common =
        fmt::format(" --method {} --epsilon 3 --delta 1e-3 --seed 5 --threads 1 -o model.npz", method.name);
    add_in_every_form(
        cases, {method.name + " counts, one more row of a log",
                "count log.csv --columns from,to --public from=from.txt --public to=to.txt" + common, log});
    cases.push_back(
        {method.name + " counts, more than a cell counts", "count sums.tns --shape 3x3" + common, sums});
    cases.push_back({method.name + " counts, an event elsewhere",
                     "count events.tns --shape 3x3 --relation replace" + common, elsewhere});
  }
  return cases;
}

Files examples(const std::string& first) {
  Random random(6);
  std::string text = first;
  for (int example = 0; example < 40; ++example) {
    const auto label = random.below(2);
    text += fmt::format("{:.3f},{:.3f},{}\n", random.uniform(), 0.5 * random.uniform() + 0.5 * double(label),
                        label);
  }
  return {{"data.csv", text}};
}

// An example that is there or not, first in the file, of a class that no other has, or of none, with values
// beyond the range; or another one in its place.
std::vector<Case> classification_cases() {
  std::vector<Case> cases;
  for (const Method& method : methods(Job::classification)) {
    if (!method.is_private()) continue;
    const std::string start = fmt::format(
        "classify data.csv --header no --classes 3 --method {} --hidden 4 --steps 3 --sampling-rate 1 "
        "--range 0:1 "
        "--epsilon 3 "
        "--delta 1e-3 --seed 5 --threads 1 -o model.npz",
        method.name);
    for (const std::string odd : {"0.5,0.5,2\n", "1e30,-1e30,7\n", "nan,0,-1\n"}) {
      const auto one_more = [=](int side) { return examples(side == 0 ? "" : odd); };
      add_in_every_form(cases, {method.name + " classifier, one more example", start, one_more});
      cases.push_back({method.name + " classifier, holdout", start + " --holdout 0.3", one_more});
      for (const std::string share : {"0.999999", "0.000001"})
        cases.push_back(
            {method.name + " classifier, all or none held out", start + " --holdout " + share, one_more});
      cases.push_back({method.name + " classifier, replace", start + " --holdout 0.3 --relation replace",
                       [=](int side) { return examples(side == 0 ? "0,0,0\n" : odd); }});
    }
  }
  return cases;
}

// A part of the page is the owner's: runs with other budgets, held-out errors. All else is as without it.
std::vector<Case> owner_part_cases() {
  const std::vector<Entry> entries = ratings(kUsers, kFilms);
  const std::string arguments =
      "complete data.tns --method input --holdout 0.2 --report report.html --curve 0.5,4" + kCommon;
  return {{"input, with a curve for the owner", arguments, [entries](int side) {
             return Files{{"data.tns", as_tns(with_other_value(entries, side))}};
           }}};
}

std::vector<Case> all_cases() {
  std::vector<Case> all;
  for (const auto& cases :
       {entry_replace_cases(), entry_add_remove_cases(), user_cases(), site_cases(), coupled_site_cases(),
        split_cases(), held_out_cases(), reader_cases(), merging_cases(), topic_cases(), count_cases(),
        classification_cases(), owner_part_cases()})
    all.insert(all.end(), cases.begin(), cases.end());
  return all;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = all_cases();
  return all;
}

// A run stops where public lists and the range take much of the data, which these data sets are made to do;
// then its exit status is covered with this option alone.
std::string accepting_losses(const std::string& arguments) {
  return arguments + (arguments.starts_with("federate") ? "" : " --accept-losses");
}

class BytesOfTheCommand : public ::testing::TestWithParam<std::size_t> {};

TEST_P(BytesOfTheCommand, DoNotDependOnOneUnit) {
  const Case& chosen = cases()[GetParam()];
  int status = 0;
  const ByteAudit audit = audit_bytes([&](int side) {
    const CommandOutput published = run_command(accepting_losses(chosen.arguments), chosen.inputs(side));
    status = std::max(status, published.status);
    if (published.status != 0) ADD_FAILURE() << chosen.arguments << "\n" << published.errors;
    return published;
  });
  EXPECT_EQ(status, 0);
  EXPECT_GT(audit.releases, 0u);
  for (const std::string& difference : audit.differences) ADD_FAILURE() << chosen.name << ": " << difference;
}

std::string test_name(const ::testing::TestParamInfo<std::size_t>& info) {
  std::string name = fmt::format("{}_{}", info.param, cases()[info.param].name);
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, BytesOfTheCommand, ::testing::Range<std::size_t>(0, cases().size()), test_name);

// A program that is linked with the library, in a folder with its files: what it saves and what it is told.
CommandOutput run_program(const Files& inputs, const std::function<Json()>& program) {
  const Folder folder;
  for (const auto& [name, content] : inputs) std::ofstream(name, std::ios::binary) << content;
  CommandOutput published{.output = json_text(program())};
  published.files["model.npz"] = bytes_of("model.npz");
  return published;
}

// As docs and examples have it: data with what is public of them, a run on terms, the model and the report.
Json complete_in_a_program(CompletionJob job, const DataOptions& options, const DataPrivacy& privacy) {
  job.terms.seed = job.fit.seed = 5;
  CompletionData data = read_completion_data(options, privacy, job.fit.seed);
  job.terms.scope.public_facts = data.public_facts;
  if (job.terms.unit == Unit::user) job.terms.scope.mode = data.modes[0].name;
  CompletionRun run(job, std::move(data));
  const CompletionOutcome outcome = run.run({}, {});
  save_models({"model.npz", ""}, job, outcome, run.data());
  return report_of(job, outcome, true);
}

void expect_no_difference(const RunOnSide& run) {
  const ByteAudit audit = audit_bytes(run);
  EXPECT_GT(audit.releases, 0u);
  for (const std::string& difference : audit.differences) ADD_FAILURE() << difference;
}

TEST(BytesOfAProgram, OnUsersDoNotDependOnOne) {
  const std::vector<Entry> entries = ratings(kUsers, kFilms);
  for (const std::string method : {"als", "auto", "gradient"}) {
    CompletionJob job{.method = method, .terms = {.budget = {2, 1e-3}, .unit = Unit::user, .range = {1, 5}}};
    job.terms.relation = Relation::add_remove;
    if (method == "gradient") job.settings.set(setting::steps, 4);
    DataOptions options{.train = "data.csv", .holdout = 0.3, .public_modes = {{"film", "films.txt"}}};
    options.reading.header = true;
    for (const bool alone : {false, true})
      expect_no_difference([&](int side) {
        const auto rows = with_another_user(alone ? std::vector<Entry>() : entries, side, 77, kFilms);
        return run_program({{"data.csv", as_csv(rows)}, {"films.txt", film_list(kFilms)}}, [&] {
          return complete_in_a_program(job, options,
                                       {.values = true, .positions = true, .user_mode = "user"});
        });
      });
  }
}

TEST(BytesOfAProgram, OnEntriesDoNotDependOnOne) {
  const std::vector<Entry> entries = ratings(kUsers, kFilms);
  const CompletionJob job{.method = "input", .terms = {.budget = {2, 0}, .range = {0, 5}}};
  expect_no_difference([&](int side) {
    const std::vector<Entry> test = {{1, 1, 0}, {2, 2, side == 0 ? 0.0 : 5.0}};
    return run_program(
        {{"data.tns", as_tns(with_other_value(entries, side))}, {"test.tns", as_tns(test)}}, [&] {
          return complete_in_a_program(job, {.train = "data.tns", .test = "test.tns"}, {.values = true});
        });
  });
}

TEST(BytesOfAProgram, OnSitesOfOneTableDoNotDependOnOneUser) {
  const std::vector<Entry> entries = in_turn(ratings(kUsers, kFilms));
  const std::string study =
      "entities = [\"user\", \"film\"]\nprivate = [\"user\"]\nlocal = [\"film\"]\n[positions]\nfilm = "
      "\"films.txt\"\n[[relations]]\nname = \"ratings\"\nentities = [\"user\", \"film\"]\n"
      "columns = [\"user\", \"film\", \"rating\"]\n[split]\nfile = \"all.csv\"\nsites = 2\n";
  expect_no_difference([&](int side) {
    return run_program(
        {{"study.toml", study},
         {"films.txt", film_list(kFilms)},
         {"all.csv", as_csv(with_another_user(entries, side, 77, kFilms))}},
        [&] {
          SiteJob job{.study = read_study("study.toml"), .completion = {.method = "dp-sgld"}};
          job.completion.terms = {.budget = {2, 1e-3}, .range = {1, 5}, .seed = 5, .sites = Sites()};
          job.completion.fit.seed = 5;
          job.completion.settings.set(setting::steps, 3).set(setting::entries_per_user, 1);
          complete_terms(job);
          const std::vector<SiteOutcome> sites = run_sites_here(job);
          save_models({"model.npz", ""}, job.completion, sites.front().outcome, *sites.front().data);
          return report_of(job, sites);
        });
  });
}

std::vector<Case> published_cases() {
  const std::vector<Entry> entries = ratings(kUsers, kFilms);
  std::vector<Case> cases;
  for (const std::string method :
       {"liu2015", "dp-sgld --delta 1e-3", "dp-sgld --delta 1e-3 --protection all"})
    add_in_every_form(cases,
                      {method,
                       fmt::format("complete data.csv --public film --method {} --unit user --user-mode "
                                   "user --relation add-remove --steps 3 --sampling-rate 0.5",
                                   method) +
                           kCommon,
                       [=](int side) {
                         return Files{{"data.csv", as_csv(with_another_user(entries, side, 77, kFilms))}};
                       }});
  for (const std::string accounting : {"ac", "zcdp"})
    add_in_every_form(
        cases,
        {"dpd " + accounting,
         fmt::format("classify data.csv --header no --classes 3 --method dpd --accounting {} --hidden 4 "
                     "--steps 3 --sampling-rate 0.5 --range 0:1 --epsilon 3 --delta 1e-3 --seed 5 "
                     "--threads 1 -o model.npz",
                     accounting),
         [](int side) { return examples(side == 0 ? "" : "0.5,0.5,2\n"); }});
  return cases;
}

// Nothing is proven of these forms, but what they publish follows from what they release: batches, users'
// rows and their noise stay with the data. Exact answers may be further apart than their sensitivity.
TEST(BytesOfPublishedForms, FollowFromTheirReleases) {
  for (const Case& chosen : published_cases()) {
    const ByteAudit audit = audit_bytes([&](int side) {
      CommandOutput published =
          run_command(chosen.arguments + " --calibration published", chosen.inputs(side));
      EXPECT_EQ(published.status, 0) << chosen.name << ": " << published.errors;
      return published;
    });
    EXPECT_GT(audit.releases, 0u);
    for (const std::string& difference : audit.differences)
      EXPECT_NE(difference.find("times its sensitivity apart"), std::string::npos)
          << chosen.name << ": " << difference;
  }
}

// A model that was fitted to the same data without privacy does not get into what is published.
TEST(BytesOfAWarmStart, OfARunThatStartsFromAPlainModelOfTheSameDataAreTheSame) {
  const ByteAudit audit = audit_bytes([](int side) {
    const std::string data = as_tns(with_other_value(ratings(kUsers, kFilms), side));
    const CommandOutput plain = run_command(
        "complete data.tns --method plain --rank 2 --seed 1 --threads 1 -o model.npz", {{"data.tns", data}});
    return run_command("complete data.tns --method one-shot --from plain.npz --hold 1" + kCommon,
                       {{"data.tns", data}, {"plain.npz", plain.files.at("model.npz")}});
  });
  for (const std::string& difference : audit.differences) ADD_FAILURE() << difference;
}

// Runs that are refused, whatever the data: by the same words.
void expect_refused_alike(const std::string& arguments, const std::vector<std::string>& data) {
  for (std::size_t other = 1; other < data.size(); ++other) {
    const ByteAudit audit = audit_bytes([&](int side) {
      CommandOutput published = run_command(arguments, {{"data.csv", data[side == 0 ? 0 : other]}});
      EXPECT_EQ(published.status, 2) << published.errors;
      EXPECT_EQ(std::ranges::count(published.errors, '\n'), 1);
      return published;
    });
    for (const std::string& difference : audit.differences) ADD_FAILURE() << difference;
  }
}

TEST(BytesOfARefusal, WithoutAWordOnTheHeaderDoNotDependOnTheData) {
  const std::vector<Entry> entries = ratings(kUsers, kFilms);
  for (const std::string arguments : {"--unit user --user-mode 1 --public 2 --delta 1e-3",
                                      "--columns 1,2,3 --relation add-remove --public 1,2",
                                      "--columns 1,2,3 --relation add-remove --public column1,column2"})
    expect_refused_alike("complete data.csv " + arguments + kCommon,
                         {"user,film,rating\n", as_csv(entries), as_bare_csv(entries), ""});
}

TEST(BytesOfARefusal, OfASizeForAModeWithLabelsDoNotDependOnTheData) {
  expect_refused_alike("complete data.csv --header yes --relation add-remove --shape 20x12" + kCommon,
                       {"user,film,rating\n", as_csv(ratings(kUsers, kFilms))});
}

// Whether rows are merged is a choice of the owner: that it is refused does not tell whether there are any.
TEST(BytesOfARefusal, ToMergeRowsOfEntriesDoNotDependOnTheData) {
  const std::vector<Entry> entries = ratings(kUsers, kFilms);
  for (const std::string relation : {"add-remove --public user,film", "zero-out"})
    expect_refused_alike(
        "complete data.csv --method gradient --delta 1e-3 --duplicates mean --relation " + relation + kCommon,
        {as_csv(entries), as_csv(with_rows_again(entries)), ""});
}

// The audit itself must be able to fail: other labels under add-remove, declared public on one side only,
// show.
TEST(ByteAudit, SeesALabelThatLeaves) {
  const ByteAudit audit = audit_bytes([](int side) {
    return run_command(
        "complete data.csv --public user,film --method input --relation add-remove --epsilon 1 --range "
        "1:5 --seed 5 -o model.npz",
        {{"data.csv", as_csv(with_one_more(ratings(5, 4), side, {6, 5, 2}))}});
  });
  EXPECT_FALSE(audit.differences.empty());
}

// Nothing but the exact answers differs where one entry moves others: here, where there are four more.
TEST(ByteAudit, SeesExactAnswersThatAreTooFarApart) {
  const ByteAudit audit = audit_bytes([](int side) {
    std::vector<Entry> entries = {{5, 4, 3}};
    for (int film = 1; film <= 4; ++film) entries = with_one_more(entries, side, {1, film, 5});
    return run_command("complete data.tns --shape 5x4 --method input --relation add-remove" + kCommon,
                       {{"data.tns", as_tns(entries)}});
  });
  ASSERT_FALSE(audit.differences.empty());
  for (const std::string& difference : audit.differences)
    EXPECT_TRUE(difference.ends_with("times its sensitivity apart")) << difference;
}

// A page of a run without privacy tells the data, and the audit reads pages.
TEST(ByteAudit, SeesAPageThatTellsTheData) {
  const ByteAudit audit = audit_bytes([](int side) {
    CommandOutput published =
        run_command("complete data.tns --method plain --rank 1 --seed 1 --threads 1 --report report.html",
                    {{"data.tns", as_tns(with_other_value(ratings(kUsers, kFilms), side))}});
    published.output = "";
    return published;
  });
  ASSERT_EQ(audit.differences.size(), 1u);
  EXPECT_TRUE(audit.differences[0].starts_with("report.html differs")) << audit.differences[0];
}

TEST(ByteAudit, SeesAnExitStatusAndAMessage) {
  const ByteAudit audit = audit_bytes(
      [](int side) { return CommandOutput{.status = side, .errors = side == 0 ? "" : "tulle: no\n"}; });
  EXPECT_EQ(audit.differences.size(), 2u);
}

TEST(ByteAudit, SetsAsideWhatIsMarkedForTheOwner) {
  const ByteAudit audit = audit_bytes([](int side) {
    return CommandOutput{
        .output =
            fmt::format("Held out: {} (for the data owner, not covered by the guarantee)\nDone\n", side)};
  });
  EXPECT_TRUE(audit.differences.empty());
  const ByteAudit json = audit_bytes([](int side) {
    return CommandOutput{
        .output = fmt::format(R"({{"rmse": {}, "owner_only": {{"fields": ["rmse"], "note": ""}}}})", side)};
  });
  EXPECT_TRUE(json.differences.empty());
  const auto page = [](const std::string& place) {
    return audit_bytes([&](int side) {
      return CommandOutput{
          .files = {{"report.html", fmt::format("<section{}><p>{}</p></section>\n", place, side)}}};
    });
  };
  EXPECT_TRUE(page(" class='owner'").differences.empty());
  EXPECT_EQ(page("").differences.size(), 1u);
}

}  // namespace
}  // namespace tulle
