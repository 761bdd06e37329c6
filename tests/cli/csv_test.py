"""CSV files as programs write them."""
import pytest

ROWS = [(f"u{k % 7}", f"f{k % 5}", k % 4 + 0.5) for k in range(35)]
PLAIN = ("--method", "plain", "--rank", 1, "--seed", 1, "--json")


def written(separator, decimal):
    lines = [separator.join(("user", "film", "stars"))] + [separator.join((user, film, str(stars).replace(".", decimal))) for user, film, stars in ROWS]
    return "\n".join(lines) + "\n"


@pytest.fixture
def expected(tulle):
    (tulle.folder / "plain.csv").write_text(written(",", "."))
    return fit(tulle, "plain.csv")


def fit(tulle, path, *args, **more):
    report = tulle("complete", path, *PLAIN, "--validation", 0.2, *args, **more).json
    return {name: value for name, value in report.items() if name not in ("seconds", "owner_notes")}, report.get("owner_notes", report["remarks"])


def test_semicolons_and_decimal_commas_are_found_and_said(tulle, expected):
    (tulle.folder / "excel.csv").write_text(written(";", ","))
    assert fit(tulle, "excel.csv")[0] == expected[0]
    run = ("complete", "excel.csv", "--columns", "user,film,stars", "--epsilon", 5, "--range", "0:4", "--json")
    assert any("semicolons" in note for note in tulle(*run).json["owner_notes"])
    assert not any("semicolons" in note for note in tulle(*run, "--separator", ";").json["owner_notes"])


@pytest.mark.parametrize("separator, decimal, stated", [
    ("|", ".", ("--separator", "|")), (";", ",", ("--separator", ";", "--decimal", "comma")), ("\t", ".", ("--separator", "tab"))])
def test_separators_may_be_stated(tulle, expected, separator, decimal, stated):
    (tulle.folder / "stated.csv").write_text(written(separator, decimal))
    assert fit(tulle, "stated.csv", *stated)[0] == expected[0]


def test_columns_make_standard_input_csv(tulle, expected):
    assert fit(tulle, "-", "--columns", "user,film,stars", stdin=written(",", "."))[0] == expected[0]


def test_missing_words_are_missing_values(tulle):
    (tulle.folder / "na.csv").write_text(written(",", ".") + "u9,f1,NA\nu9,f2,\nu9,f3,null\nu9,f4,1\n")
    assert "NA" in tulle("complete", "na.csv", *PLAIN, status=1).err
    assert tulle("info", "na.csv", "--nan-missing", "--json").json["listed_cells"] == len(ROWS) + 1


@pytest.mark.parametrize("name, words", [("ratings.parquet", "pandas.read_parquet('ratings.parquet')"), ("ratings.xlsx", "pandas.read_excel('ratings.xlsx')")])
def test_formats_that_python_reads_are_named_with_the_way(tulle, name, words):
    (tulle.folder / name).write_bytes(b"PAR1")
    error = tulle("complete", name, *PLAIN, status=1).err
    assert words in error and error.count("\n") == 1


@pytest.mark.parametrize("separator", ["ab", "1", ".", '"'])
def test_no_separator_is_a_part_of_a_field(tulle, expected, separator):
    assert "--separator" in tulle("complete", "plain.csv", *PLAIN, "--separator", separator, status=2).err
