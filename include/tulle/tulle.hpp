// All that programs on top of Tulle are meant to use. The headers named here are public: docs/architecture.md
// says what that promises. Others may change with any version.
#pragma once

// Data: files, tensors with named modes, documents, labelled examples, splits.
#include <tulle/base/error.hpp>
#include <tulle/data/split.hpp>
#include <tulle/io/read.hpp>
#include <tulle/io/read_documents.hpp>
#include <tulle/io/read_labelled.hpp>
#include <tulle/io/write.hpp>
#include <tulle/tensor/dataset.hpp>

// Requests: what the command and Python ask for, as data, terms, fit and outputs.
#include <tulle/job/classification/request.hpp>
#include <tulle/job/completion/request.hpp>
#include <tulle/job/counts/request.hpp>
#include <tulle/job/refit/request.hpp>
#include <tulle/job/topics/request.hpp>

// Jobs: a method on terms, its model, what it promises, a report of it.
#include <tulle/io/saved_model.hpp>
#include <tulle/job/classify.hpp>
#include <tulle/job/completion_data.hpp>
#include <tulle/job/completion_run.hpp>
#include <tulle/job/jobs.hpp>
#include <tulle/job/merging.hpp>
#include <tulle/job/report.hpp>
#include <tulle/job/warm_start.hpp>
#include <tulle/model/model.hpp>

// Budgets: what releases cost together, and the record of what was granted and spent.
#include <tulle/job/payment.hpp>
#include <tulle/privacy/account/accountant.hpp>
#include <tulle/privacy/ledger/ledger.hpp>

// Methods of one's own: registration, releases through a curator, audits.
#include <tulle/audit/audit.hpp>
#include <tulle/base/sum_grid.hpp>
#include <tulle/base/unit_blocks.hpp>
#include <tulle/method/method.hpp>
#include <tulle/privacy/curator.hpp>
