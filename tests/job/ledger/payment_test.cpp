#include "io/expect_error.hpp"
#include "io/temporary_folder.hpp"

#include <tulle/job/data_fingerprint.hpp>
#include <tulle/job/payment.hpp>
#include <tulle/privacy/curator.hpp>
#include <tulle/privacy/ledger/fingerprint.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

// A ledger that grants epsilon 2 for the entries of a file.
struct Account {
  explicit Account(const std::string& fingerprint = "") {
    Ledger ledger = Ledger::open_or_make(address.ledger);
    ledger.create({"ratings", fingerprint, Unit::entry, Relation::replace, ""});
    ledger.grant("ratings", {2, 0}, "for a test");
  }
  TemporaryFolder folder;
  AccountAddress address{folder / "ledger.db", "ratings"};
  std::string data = folder.write("ratings.tns", "1 1 5\n");
};

Curator run_of(double epsilon) {
  Curator run = Curator::with_budget({epsilon, 0}, Unit::entry, Relation::replace);
  run.plan({Event::pure(epsilon)});
  return run;
}

TEST(Payment, WithoutALedgerIsNone) {
  Payment payment({}, "complete", "-");
  EXPECT_FALSE(payment.on_first_release());
  EXPECT_NO_THROW(payment.delivered());
  EXPECT_FALSE(payment.statement());
}

TEST(Payment, IsChargedFirstAndDeliveredAfter) {
  const Account account;
  Payment payment(account.address, "complete ratings", account.data);
  payment.on_first_release()(run_of(0.5));
  ASSERT_EQ(payment.statement()->charges.size(), 1u);
  EXPECT_EQ(payment.statement()->charges[0].what, "complete ratings");
  EXPECT_EQ(payment.statement()->spent, 0.5);
  EXPECT_FALSE(payment.statement()->charges[0].delivered);
  payment.delivered();
  EXPECT_TRUE(payment.statement()->charges[0].delivered);
}

TEST(Payment, OfMoreThanIsGrantedIsRefusedAndNotRecorded) {
  const Account account;
  Payment payment(account.address, "complete", account.data);
  EXPECT_THROW(payment.on_first_release()(run_of(2.5)), Error);
  EXPECT_TRUE(payment.statement()->charges.empty());
  EXPECT_MESSAGE(payment.delivered(), "nothing was charged to 'ratings': the run made no release");
}

TEST(Payment, IsForTheFileOfTheAccount) {
  const TemporaryFolder other;
  const Account account(fingerprint_of_file(other.write("ratings.tns", "1 1 5\n")));
  Payment same(account.address, "complete", account.data);
  EXPECT_NO_THROW(same.on_first_release()(run_of(0.5)));
  Payment changed(account.address, "complete", account.folder.write("changed.tns", "1 1 4\n"));
  EXPECT_THROW(changed.on_first_release()(run_of(0.5)), Error);
}

// Of one whose fingerprint is not known, none is.
TEST(Payment, IsForAllFilesOfTheRun) {
  const TemporaryFolder folder;
  const std::vector<std::string> files = {folder.write("a.tns", "1 1 5\n"), folder.write("b.tns", "1 2 3\n")};
  const Account account(fingerprint_of_files(files));
  Payment both(account.address, "couple", files);
  EXPECT_NO_THROW(both.on_first_release()(run_of(0.5)));
  folder.write("b.tns", "1 2 4\n");
  Payment changed(account.address, "couple", files);
  EXPECT_THROW(changed.on_first_release()(run_of(0.5)), Error);
  Payment piped(account.address, "couple", std::vector<std::string>{files[0], "-"});
  EXPECT_THROW(piped.check(run_of(0.5)), Error);
}

// Nothing that a run is not charged for goes without a word, and no ledger is needed to run.
TEST(UnchargedNote, IsOfAccountsThatAreKeptForTheData) {
  const TemporaryFolder folder;
  const std::string data = folder.write("ratings.tns", "1 1 5\n"), other = folder.write("o.tns", "1 1 4\n");
  EXPECT_FALSE(uncharged_note(folder / "ledger.db", {data})) << "there is no ledger";
  EXPECT_FALSE(uncharged_note(data, {data})) << "that is no ledger";
  const Account account(fingerprint_of_file(data));
  const auto note = uncharged_note(account.address.ledger, {other, data});
  ASSERT_TRUE(note);
  EXPECT_NE(note->find("'ratings'"), std::string::npos) << *note;
  EXPECT_FALSE(uncharged_note(account.address.ledger, {other}));
  EXPECT_FALSE(uncharged_note(account.address.ledger, {"-"}));
  EXPECT_FALSE(uncharged_note(Account().address.ledger, {data})) << "it is kept for any data";
}

// Two files of MNIST: a magic number, the sizes, the bytes.
struct Images {
  explicit Images(const TemporaryFolder& folder, const std::string& label = std::string("\1", 1))
      : images(
            folder.write("train-images-idx3-ubyte", std::string("\0\0\10\3\0\0\0\1\0\0\0\1\0\0\0\1\7", 17))),
        labels(folder.write("train-labels-idx1-ubyte", std::string("\0\0\10\1\0\0\0\1", 8) + label)) {}
  std::string images, labels;
};

TEST(Payment, OfImagesIsForTheirLabelsToo) {
  const TemporaryFolder folder;
  const Images data(folder);
  const Account account(fingerprint_of_data({data.images}));
  const auto charged = [&](const std::vector<std::string>& files) {
    Payment(account.address, "classify", files).check(run_of(0.5));
  };
  EXPECT_NO_THROW(charged({data.images}));
  EXPECT_NO_THROW(charged({folder / ""})) << "the folder that they lie in";
  EXPECT_NO_THROW(charged({data.images, data.labels})) << "labels that are named";
  EXPECT_THROW(charged({data.images, folder.write("labels", "others")}), Error);
  Images(folder, std::string("\2", 1));
  EXPECT_THROW(charged({data.images}), Error) << "other labels of the same images";
}

// They could be charged for the same images with other labels, and still can.
TEST(Payment, OfAnAccountFromBeforeLabelsCountedIsForTheImages) {
  const TemporaryFolder folder;
  const Images data(folder);
  const Account account(fingerprint_of_file(data.images));
  EXPECT_NO_THROW(Payment(account.address, "classify", data.images).check(run_of(0.5)));
  folder.write("train-images-idx3-ubyte", std::string("\0\0\10\3\0\0\0\1\0\0\0\1\0\0\0\1\10", 17));
  EXPECT_THROW(Payment(account.address, "classify", data.images).check(run_of(0.5)), Error);
}

}  // namespace
}  // namespace tulle
