// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "transfer/transfer.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <fstream>
#include <functional>
#include <sstream>
#include <utility>

#include "outcome.hpp"
#include "petstore/storage/memory.hpp"
#include "store/await.hpp"
#include "support/temporary_directory.hpp"

namespace petstore::program {

BOOST_AUTO_TEST_SUITE(transfer)

namespace {

constexpr unix_ms noon{std::chrono::milliseconds{1'790'000'000'000}};
constexpr std::string_view header = R"({"type":"petstore-export","version":1,"environment":"production"})";

std::string dog(int id, std::string_view status = "pending") {
  return R"({"type":"pet","record":{"id":)" + std::to_string(id) + R"(,"name":"Rex","categoryId":1,"status":")" +
         std::string{status} + "\"}}";
}

std::string order_of(int id, int pet, std::string_view status = "placed") {
  return R"({"type":"order","record":{"id":)" + std::to_string(id) + R"(,"petId":)" + std::to_string(pet) +
         R"(,"status":")" + std::string{status} +
         R"(","createdAt":"2026-06-01T12:00:00.000Z","updatedAt":"2026-06-01T12:00:00.000Z"}})";
}

std::string lines(std::initializer_list<std::string> records) {
  std::string text{header};
  text += '\n';
  for (auto const& r : records) text += r + '\n';
  return text;
}

/// A store, and what a command said.
struct shop {
  std::unique_ptr<ports::store> store = storage::make_memory_store(environment::production);
  std::string out;
  std::string err;

  std::string export_all(bool terminal = false) {
    std::istringstream in;
    std::ostringstream text, said;
    export_command(*store, {}, {in, text, said, terminal});
    err = said.str();
    return text.str();
  }

  /// Empty when the import went well.
  std::string import_text(std::string const& text, bool terminal = false) {
    std::istringstream in(text);
    return import_from(in, {}, terminal);
  }

  std::string import_from(std::istream& in, import_options const& options, bool terminal = false) {
    std::ostringstream ignored, said;
    std::string failure;
    try {
      import_command(*store, options, {in, ignored, said, terminal});
    } catch (command_error const& e) {
      failure = e.what();
    }
    err = said.str();
    return failure;
  }

  void fill() {
    await(store->create_category({.name = "dogs },{ \"cats\""}));
    for (int i = 0; i < 3; ++i)
      await(store->create_pet({.name = "Rex", .category_id = 1, .status = pet_status::available}, false, {}, noon));
    await(store->create_order({.pet_id = 2}, {}, noon));
    await(store->delete_pet(3, {}));
  }
};

/// Calls a function with every text that was written, when it is flushed.
class buffer_that_tells final : public std::stringbuf {
 public:
  explicit buffer_that_tells(std::function<void(std::string_view)> tell) : tell_(std::move(tell)) {}
  int sync() override {
    auto const text = str();
    str({});
    tell_(text);
    return 0;
  }

 private:
  std::function<void(std::string_view)> const tell_;
};

void check_refused(std::string const& text, std::string_view line, std::string_view reason) {
  shop empty;
  auto const before = empty.export_all();
  BOOST_TEST(empty.import_text(text).starts_with("nothing was imported"));
  BOOST_TEST(empty.err.find(std::string{line} + ":") != std::string::npos, empty.err);
  BOOST_TEST(empty.err.find(reason) != std::string::npos, empty.err);
  BOOST_TEST(empty.export_all() == before);
}

}  // namespace

BOOST_AUTO_TEST_CASE(export_of_an_import_is_the_same_text) {
  shop from, to;
  from.fill();
  auto const text = from.export_all();
  BOOST_TEST(from.err == "exported 4 records\n");
  BOOST_TEST(to.import_text(text) == "");
  BOOST_TEST(to.err == "imported 4 records; 0 were there already\n");
  BOOST_TEST(to.export_all() == text);
}

BOOST_AUTO_TEST_CASE(export_begins_with_what_it_is) {
  shop from;
  from.fill();
  BOOST_TEST(from.export_all().starts_with(
      R"({"type":"petstore-export","version":1,"environment":"production",)"
      R"("records":{"category":1,"pet":2,"order":1},"lastIds":{"category":1,"pet":3,"order":1}})"
      "\n"
      R"({"type":"category","record":{"id":1,"name":"dogs },{ \"cats\""}})"
      "\n"));
}

BOOST_AUTO_TEST_CASE(id_deleted_before_the_export_is_not_given_again_after_the_import) {
  shop from, to;
  from.fill();
  BOOST_TEST(to.import_text(from.export_all()) == "");
  auto const next = await(to.store->create_pet({.name = "Max", .category_id = 1, .status = {}}, false, {}, noon));
  BOOST_TEST(next->id == 4);
}

BOOST_AUTO_TEST_CASE(head_alone_makes_the_ids_go_on_above_its_own) {
  shop restored;
  restored.fill();
  BOOST_TEST(restored.import_text(R"({"type":"petstore-export","version":1,"environment":"production",)"
                                  R"("records":{"category":0,"pet":0,"order":0},)"
                                  R"("lastIds":{"category":1,"pet":1000,"order":1}})"
                                  "\n") == "");
  auto const next = await(restored.store->create_pet({.name = "Max", .category_id = 1, .status = {}}, false, {}, noon));
  BOOST_TEST(next->id == 1001);
}

BOOST_AUTO_TEST_CASE(animal_that_is_created_during_an_import_takes_none_of_its_ids) {
  shop to;
  std::string text{header};
  for (int id = 1; id <= 1200; ++id) text += '\n' + dog(id);
  std::int64_t created = 0;
  // The bar is drawn anew between two writes.
  buffer_that_tells said([&](std::string_view drawn) {
    if (created != 0 || drawn.find("importing") == drawn.npos || drawn.find("] 0 %") != drawn.npos) return;
    created = await(to.store->create_pet({.name = "Max", .category_id = 1, .status = {}}, false, {}, noon))->id;
  });
  std::istringstream in(text);
  std::ostringstream out;
  std::ostream err(&said);
  import_command(*to.store, {}, {in, out, err, true});
  BOOST_TEST(created == 1201);
}

BOOST_AUTO_TEST_CASE(input_that_is_cut_while_it_is_read_is_no_import) {
  tests::temporary_directory const directory;
  auto const text = std::string{header} + "\n" + dog(1) + "\n" + dog(2) + "\n";
  auto const file = directory.write("shop.jsonl", text);
  shop to;
  std::istringstream none;
  std::ostringstream ignored;
  auto const cut = [&]() -> ports::store& {
    std::filesystem::resize_file(file, text.size() - dog(2).size() - 1);
    return *to.store;
  };
  BOOST_CHECK_EXCEPTION(import_to_new_store(*to.store, cut, {.input = file}, {none, ignored, ignored, false}),
                        command_error, [](command_error const& e) {
                          return std::string_view{e.what()} ==
                                 "the input has changed while it was read: 1 of 2 records are imported";
                        });
}

BOOST_AUTO_TEST_CASE(second_import_of_the_same_file_finds_everything_there) {
  shop from, to;
  from.fill();
  auto const text = from.export_all();
  BOOST_TEST(to.import_text(text) == "");
  BOOST_TEST(to.import_text(text) == "");
  BOOST_TEST(to.err == "imported 0 records; 4 were there already\n");
}

BOOST_AUTO_TEST_CASE(import_that_was_cut_short_is_continued) {
  shop from, to;
  from.fill();
  auto const text = from.export_all();
  std::size_t ignored = 0;
  BOOST_REQUIRE(await(to.store->import_records({category{.id = 1, .name = "dogs },{ \"cats\""}}, ignored)));
  BOOST_TEST(to.import_text(text) == "");
  BOOST_TEST(to.err == "imported 3 records; 1 were there already\n");
  BOOST_TEST(to.export_all() == text);
}

BOOST_AUTO_TEST_CASE(many_records_arrive_in_whatever_order_they_stand) {
  std::string text{header};
  text += '\n';
  for (int id = 2500; id > 0; --id) text += order_of(id, id) + '\n' + dog(id) + '\n';
  shop to;
  BOOST_TEST(to.import_text(text) == "");
  BOOST_TEST(to.err == "imported 5000 records; 0 were there already\n");
}

BOOST_AUTO_TEST_CASE(bad_line_is_named_by_number_and_reason) {
  check_refused(lines({dog(1), R"({"type":"pet","record":{"id":2,"name":"","categoryId":1.5}})"}), "line 3",
                "categoryId");
  check_refused(lines({dog(1), "{"}), "line 3", "must be");
  check_refused(lines({dog(1), ""}), "line 3", "must be");
  check_refused(lines({R"({"type":"fish","record":{"id":2}})"}), "line 2", "type must be");
  check_refused(lines({R"({"type":"pet","record":{"id":2,"id":3,"name":"x","categoryId":1}})"}), "line 2", "id");
  check_refused(lines({R"({"type":"pet","type":"pet","record":{}})"}), "line 2", "must be");
  check_refused(lines({dog(1) + "x"}), "line 2", "must be");
  check_refused(lines({dog(0)}), "line 2", "id");
  check_refused(lines({R"({"type":"pet","record":{"id":2,"name":")" + std::string(70'000, 'x') + R"("}})"}), "line 2",
                "longer");
}

BOOST_AUTO_TEST_CASE(line_that_contradicts_another_is_named) {
  check_refused(lines({dog(1), dog(2), dog(1)}), "line 4", "given twice");
  check_refused(lines({order_of(1, 1)}), "line 2", "does not exist");
  check_refused(lines({order_of(1, 1), dog(1, "available")}), "line 2", "not pending");
  check_refused(lines({dog(1), order_of(1, 1), order_of(2, 1)}), "line 4", "two open orders");
  check_refused(lines({R"({"type":"category","record":{"id":1,"name":"a"}})",
                       R"({"type":"category","record":{"id":2,"name":"a"}})"}),
                "line 3", "has the name of category 1");
}

BOOST_AUTO_TEST_CASE(line_that_contradicts_the_store_is_named_before_anything_is_written) {
  shop to;
  to.fill();
  auto const before = to.export_all();
  auto const refused = to.import_text(lines({dog(77, "sold"), dog(1, "sold"), order_of(9, 2),
                                             R"({"type":"category","record":{"id":5,"name":"dogs },{ \"cats\""}})"}));
  BOOST_TEST(refused == "nothing was imported: the input has 3 faults");
  BOOST_TEST(to.err.find("line 3: pet 1 is in the store with other content") != std::string::npos, to.err);
  BOOST_TEST(to.err.find("line 4: open order 9 is for pet 2, which has another open order") != std::string::npos,
             to.err);
  BOOST_TEST(to.err.find("line 5: category 5 has the name of category 1") != std::string::npos, to.err);
  BOOST_TEST(to.export_all() == before);
}

BOOST_AUTO_TEST_CASE(faults_beyond_a_screenful_are_counted) {
  std::string text{header};
  for (int i = 0; i < 30; ++i) text += "\nnonsense";
  shop to;
  BOOST_TEST(to.import_text(text) == "nothing was imported: the input has 30 faults");
  BOOST_TEST(to.err.find("line 21: ") != std::string::npos);
  BOOST_TEST(to.err.find("line 22: ") == std::string::npos);
  BOOST_TEST(to.err.find("and 10 more\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(export_that_was_cut_off_is_noticed) {
  shop from;
  from.fill();
  auto const text = from.export_all();
  auto const last_line = text.rfind('\n', text.size() - 2);
  check_refused(text.substr(0, last_line + 1), "line 4", "ends after 3 of the 4 records");
}

BOOST_AUTO_TEST_CASE(what_is_no_export_is_refused) {
  check_refused(dog(1) + "\n", "line 1", "the first line must be");
  check_refused(R"({"type":"petstore-export","version":2,"environment":"production"})", "line 1", "version 1");
  check_refused(R"({"type":"petstore-export","version":"x"})", "line 1", "not one without a number");
  check_refused(R"({"type":"petstore-export","version":1,"environment":"moon"})", "line 1", "environment");
  check_refused(R"({"type":"petstore-export","version":1,"environment":"staging","records":7})", "line 1", "count");
  shop to;
  BOOST_TEST(to.import_text("") == "nothing was imported: the input is empty");
}

BOOST_AUTO_TEST_CASE(records_of_the_other_environment_are_taken_with_a_note) {
  shop to;
  BOOST_TEST(to.import_text("{\"type\":\"petstore-export\",\"version\":1,\"environment\":\"staging\"}\n" + dog(1)) ==
             "");
  BOOST_TEST(to.err.starts_with("note: the records were exported from staging"));
}

BOOST_AUTO_TEST_CASE(last_line_needs_no_end_and_lines_may_end_as_on_windows) {
  shop to;
  BOOST_TEST(to.import_text(std::string{header} + "\r\n" + dog(1) + "\r\n" + dog(2)) == "");
  BOOST_TEST(to.err == "imported 2 records; 0 were there already\n");
}

BOOST_AUTO_TEST_CASE(files_are_written_whole_and_read_again) {
  tests::temporary_directory directory;
  shop from, to;
  from.fill();
  std::istringstream none;
  std::ostringstream ignored;
  export_command(*from.store, {.output = directory / "shop.jsonl"}, {none, ignored, ignored, false});
  BOOST_TEST(tests::read_file(directory / "shop.jsonl") == from.export_all());
  BOOST_TEST(!std::filesystem::exists(directory / "shop.jsonl.partial"));

  BOOST_TEST(to.import_from(none, {.input = directory / "shop.jsonl"}) == "");
  BOOST_TEST(to.export_all() == from.export_all());
}

BOOST_AUTO_TEST_CASE(two_exports_never_write_one_file) {
  tests::temporary_directory directory;
  shop from;
  from.fill();
  auto const partial = directory / "shop.jsonl.partial";
  std::ofstream(partial) << "of the other one";
  std::istringstream none;
  std::ostringstream ignored;
  auto const export_it = [&] {
    export_command(*from.store, {.output = directory / "shop.jsonl"}, {none, ignored, ignored, false});
  };
  int const other = ::open(partial.c_str(), O_WRONLY | O_CLOEXEC);
  BOOST_REQUIRE(::flock(other, LOCK_EX | LOCK_NB) == 0);
  BOOST_CHECK_THROW(export_it(), command_error);
  BOOST_TEST(tests::read_file(partial) == "of the other one");
  ::close(other);  // as if it was interrupted
  export_it();
  BOOST_TEST(tests::read_file(directory / "shop.jsonl") == from.export_all());
}

BOOST_AUTO_TEST_CASE(an_export_follows_no_link_that_somebody_else_has_put_there) {
  tests::temporary_directory directory;
  shop from;
  std::ofstream(directory / "precious") << "precious";
  std::filesystem::create_symlink(directory / "precious", directory / "shop.jsonl.partial");
  std::istringstream none;
  std::ostringstream ignored;
  BOOST_CHECK_THROW(export_command(*from.store, {.output = directory / "shop.jsonl"}, {none, ignored, ignored, false}),
                    usage_error);
  BOOST_TEST(tests::read_file(directory / "precious") == "precious");
}

BOOST_AUTO_TEST_CASE(file_that_is_not_there_is_wrong_usage) {
  tests::temporary_directory directory;
  shop any;
  std::istringstream none;
  std::ostringstream ignored;
  streams const io{none, ignored, ignored, false};
  BOOST_CHECK_THROW(import_command(*any.store, {.input = directory / "none"}, io), usage_error);
  BOOST_CHECK_THROW(import_command(*any.store, {.input = directory / ""}, io), usage_error);
  BOOST_CHECK_THROW(export_command(*any.store, {.output = directory / "no/such/place"}, io), usage_error);
}

BOOST_AUTO_TEST_CASE(output_that_fails_is_a_failure) {
  shop from;
  from.fill();
  std::istringstream none;
  std::ostringstream broken, ignored;
  broken.setstate(std::ios::badbit);
  BOOST_CHECK_THROW(export_command(*from.store, {}, {none, broken, ignored, false}), command_error);
}

BOOST_AUTO_TEST_CASE(bar_is_drawn_on_a_terminal_and_taken_away) {
  shop from, to;
  from.fill();
  auto const text = from.export_all(true);
  BOOST_TEST(from.err.find("exporting [") != std::string::npos);
  BOOST_TEST(from.err.find("100 %") != std::string::npos);
  BOOST_TEST(from.err.ends_with("\r\x1b[Kexported 4 records\n"));
  BOOST_TEST(to.import_text(text, true) == "");
  BOOST_TEST(to.err.find("checking [") != std::string::npos);
  BOOST_TEST(to.err.find("importing [") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::program
