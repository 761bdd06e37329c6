// An experiment to test with, and a folder for its files.
#pragma once

#include "io/temporary_folder.hpp"

#include <tulle/experiment/experiment.hpp>

#include <gtest/gtest.h>

#include <string>

namespace tulle {

class ExperimentFiles : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) { return folder_.write(name, text); }

  Experiment sample() {
    return load_experiment(write("sample.toml", R"(
title = "A sample"
x = "epsilon"
values = [1, 2.5]
quick_values = [1]
seeds = 3
quick_seeds = 1
[data]
generate = ["cp", "--observed", "{x}"]
arguments = ["--rank", "2"]
[[curves]]
name = "plain"
arguments = ["--method", "plain"]
flat = true
[[curves]]
name = "input, \"noisy\""
arguments = ["--epsilon", "{x}"]
printed = [0.5, 0.25]
)"));
  }

  TemporaryFolder folder_;
};

}  // namespace tulle
