// A model that a fit starts from, and why a private run may start from it: what the model knows goes into the
// new one, which keeps all of a mode that is held.
#pragma once

#include <tulle/method/terms.hpp>
#include <tulle/model/model.hpp>

#include <memory>
#include <optional>
#include <string>

#pragma GCC visibility push(default)

namespace tulle {

class WarmStart {
 public:
  WarmStart() = default;  // from nothing
  // A model of which nothing is known: for fits without privacy. A private run refuses it.
  WarmStart(std::shared_ptr<const Model> model) : model_(std::move(model)) {}

  // The owner states that it was not fitted to private data.
  static WarmStart stated_public(std::shared_ptr<const Model> model);
  // What is promised of it is the guarantee in its file (to_json(Guarantee)), whose cost adds up with that of
  // the new run if both saw the same data and protect the same unit. Where none holds, nothing is known of
  // the model. `name` is what errors call it.
  static WarmStart with_guarantee(std::shared_ptr<const Model> model, const std::string& guarantee,
                                  std::string name);

  explicit operator bool() const { return model_ != nullptr; }
  const Model& operator*() const { return *model_; }

  // What the new guarantee says of it, which is for these neighbours, users by the name of their mode. A
  // UsageError where nothing is known of it: the model may have been fitted to the very data of the new run,
  // and the new one would carry that on. Empty: from nothing.
  std::string source(const Neighbours& neighbours, const std::string& user_mode) const;

 private:
  std::shared_ptr<const Model> model_;
  bool is_public_ = false;
  std::string guarantee_, name_ = "the model to start from";
};

}  // namespace tulle

#pragma GCC visibility pop
