"""The layout of the sources is the architecture: what a room may see, where flags may be named, which functions run a method."""
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = [path for folder in ("src", "include") for path in (ROOT / folder).rglob("*.?pp")]
MOST_SOURCES = 20  # of a folder


def rooms():
    """Every room, and those that its CMakeLists.txt names after SEES."""
    seen = {}
    for path in (ROOT / "src").glob("*/CMakeLists.txt"):
        call = re.search(r"tulle_room\((\w+)([^)]*)\)", path.read_text())
        if call:
            sees = re.search(r"SEES ([a-z ]+)", call[2])
            seen[call[1]] = set(sees[1].split()) if sees else set()
    return seen


def room_of(path):
    parts = path.relative_to(ROOT).parts
    return parts[1] if parts[0] == "src" else parts[2] if len(parts) > 3 else None


def included_by(room):
    """Rooms whose headers the sources of a room include, and one place each."""
    places = {}
    for path in SOURCES:
        if room_of(path) == room:
            for other in re.findall(r"#include <tulle/(\w+)/", path.read_text()):
                places.setdefault(other, path)
    return places


@pytest.mark.parametrize("room", sorted(rooms()))
def test_a_room_includes_what_it_may_see_and_nothing_else(room):
    included = included_by(room)
    for other in sorted(rooms()):
        if other == room:
            continue
        allowed = other in rooms()[room]
        assert not (other in included and not allowed), f"{included.get(other)} includes {other}, which {room} may not see"
        assert not (allowed and other not in included), f"{room} may see {other} and does not need it"


def test_rooms_that_are_not_named_do_not_compile(tmp_path):
    """The compiler keeps the plan too: a tensor knows nothing of files."""
    views = [f"-I{tmp_path}/{room}" for room in ("base", "tensor")]
    for room in ("base", "tensor"):
        for folder in (ROOT / "include" / "tulle" / room, ROOT / "src" / room / "headers"):
            shutil.copytree(folder, tmp_path / room / "tulle" / room, dirs_exist_ok=True)

    def compiles(header):
        source = tmp_path / "look.cpp"
        source.write_text(f"#include <tulle/{header}>\n")
        return subprocess.run(["c++", "-std=c++20", "-fsyntax-only", *views, source], capture_output=True).returncode == 0

    assert compiles("tensor/shape.hpp")
    assert not compiles("io/read.hpp")


def test_what_is_installed_is_what_programs_reach():
    """include/ has tulle.hpp and what it includes, directly or not; what other rooms alone need is in headers/ of a room."""
    reached, following = set(), ["tulle/tulle.hpp"]
    while following:
        header = following.pop()
        if header not in reached:
            reached.add(header)
            following += re.findall(r"#include <(tulle/[^>]+)>", (ROOT / "include" / header).read_text())
    assert reached == {str(path.relative_to(ROOT / "include")) for path in (ROOT / "include").rglob("*.hpp")}


def test_the_plan_has_no_circle():
    order, left = [], rooms()
    while left:
        free = [room for room, sees in left.items() if sees <= set(order)]
        assert free, f"a circle among {sorted(left)}"
        order += free
        for room in free:
            del left[room]


def test_the_table_of_rooms_is_true():
    table = dict(re.findall(r"^\| `(\w+)` \|.*\| ([^|]*) \|$", (ROOT / "docs/architecture.md").read_text(), re.MULTILINE))
    for room, sees in rooms().items():
        said = set() if table[room] == "nobody" else set(table[room].split(", "))
        assert said == sees, room


def strings_of(text):
    without_comments = re.sub(r"//[^\n]*", "", text)
    return re.findall(r'"((?:[^"\\\n]|\\.)*)"', without_comments)


def test_flags_are_named_by_the_command_alone():
    """Experiments are excepted: their runs are command lines."""
    for path in SOURCES:
        if room_of(path) in ("cli", "experiment"):
            continue
        for string in strings_of(path.read_text()):
            flag = re.search(r"(?<![\w-])--[a-z][\w-]*", string)
            assert not flag, f"{path}: {flag[0]} is an option of the command; say it in words"


def test_the_audited_path_is_the_shipped_one():
    """Requests and the auditor run methods through the same jobs; the command, and they, call nothing beneath them."""
    beneath = re.compile(r"\b(complete_privately|complete_plainly|complete_best|find_topics|classify|PrivateRun)\(")
    through = {"cli": 0, "request": 0, "audit": 0}
    for path in SOURCES:
        room, text = "request" if path.name == "request.cpp" else room_of(path), path.read_text()
        if room in through:
            assert not beneath.search(text), f"{path} goes around CompletionJob, CompletionRun or TopicJob"
            through[room] += len(re.findall(r"\b(?:job_?|run_?|request)\.run\(", text))
    assert all(through.values()), through


def test_python_runs_what_the_command_runs():
    """Both ask the same requests; the extension includes no method, solver or accountant, and nothing of the command but its start."""
    sources = [path for path in (ROOT / "python" / "extension").glob("*.?pp")]
    assert len([path for path in sources if path.suffix == ".cpp"]) <= MOST_SOURCES
    start = ROOT / "python/extension/command.cpp"
    assert "#include <tulle/" not in start.read_text()
    text = "\n".join(path.read_text() for path in sources if path != start)
    seen = set(re.findall(r"#include <tulle/(\w+)/", text))
    assert seen <= {"audit", "base", "io", "job", "model", "tensor"}, seen
    assert "cli" not in re.findall(r"\w+", re.sub(r"//[^\n]*", "", text))
    command = "\n".join(path.read_text() for path in (ROOT / "src" / "cli").glob("*.cpp"))
    for request in ("completion/request", "topics/request", "classification/request", "counts/request", "counts/query", "coupled/request", "options/cost"):
        assert f"<tulle/job/{request}.hpp>" in text and f"<tulle/job/{request}.hpp>" in command, request


def test_the_command_decides_nothing_about_privacy():
    """It prints what is for the owner; what is private of a run, and what that asks for, is the request's."""
    for path in (ROOT / "src" / "cli").rglob("*.?pp"):
        text = re.sub(r"//[^\n]*", "", path.read_text())
        decides = re.search(r"\b(if|while) *\([^;{]*is_private\(\)|\b(relation_for|privacy_of|check_merging|WarmStart|Terms|DataPrivacy)\b", text)
        if path.name == "methods.cpp":  # a list of the methods
            continue
        assert not decides, f"{path}: {decides[0]}"


def test_messages_are_written_once():
    """An option is named by its id and spelled by the door that shows the message: nobody looks for words in one."""
    for path in [*(ROOT / "src" / "cli").rglob("*.cpp"), *(ROOT / "python").rglob("*.cpp"), *(ROOT / "src" / "io" / "study").glob("*.cpp")]:
        searched = re.search(r"(what\(\)|text_of\(\w+\)|\.text\(\)|message)\.?(find|replace|starts_with|ends_with|substr)\(", path.read_text())
        assert not searched, f"{path}: {searched[0]}"
    for path in (ROOT / "python" / "tulle").glob("*.py"):
        assert not re.search(r"re\.sub\([^)]*(message|error)", path.read_text()), path


def ids_in(text):
    return set(re.findall(r"@([a-z][a-z-]*[a-z])", " ".join(strings_of(text))))


def test_options_that_messages_name_exist():
    """In some table of options, or among the flags of a verb."""
    sources = {path: path.read_text() for path in SOURCES if room_of(path) not in ("experiment", "report")}
    declared = set()
    for text in sources.values():
        declared |= set(re.findall(r'(?:add|add_text|add_function<\w+>)\(\s*"([a-z][a-z-]*)"', text))
        declared |= set(re.findall(r'"(?:-\w,)?--([a-z][a-z-]*)"', text))
    declared |= {"positions", "sizes"}  # sections of a study
    for path, text in sources.items():
        assert ids_in(text) <= declared, f"{path}: {ids_in(text) - declared}"


def test_methods_leave_the_division_of_a_budget_to_the_planner():
    """Methods as published divide it as their papers do, by hand; none calibrates noise with an accountant."""
    for path in SOURCES:
        if room_of(path) == "method":
            calibrates = re.search(r"privacy/account/|\bshare_out\(", path.read_text())
            assert not calibrates, f"{path} calibrates noise; ask the curator: plan, offer, allowance"


def public_headers():
    """tulle.hpp and what it includes, directly or not."""
    found, following = set(), ["tulle/tulle.hpp"]
    while following:
        header = following.pop()
        if header not in found:
            found.add(header)
            following += re.findall(r"^#include <(tulle/[^>]+)>", (ROOT / "include" / header).read_text(), re.MULTILINE)
    return found


def test_public_headers_and_no_others_are_exported():
    """Symbols are hidden (cmake/Flags.cmake) unless a public header declares them."""
    public = public_headers() - {"tulle/tulle.hpp"}  # which declares nothing
    for path in (ROOT / "include").rglob("*.hpp"):
        visibility = re.findall(r"^#pragma GCC visibility (.*)$", path.read_text(), re.MULTILINE)
        is_public = str(path.relative_to(ROOT / "include")) in public
        assert visibility == (["push(default)", "pop"] if is_public else []), path


def test_folders_are_small():
    for folder in [path for path in (ROOT / "src").rglob("*") if path.is_dir()]:
        assert len(list(folder.glob("*.cpp"))) <= MOST_SOURCES, folder


# Every source of these rooms has a test of its own name: of all but the command, which is tested from outside.
TESTED_ROOMS = sorted(set(rooms()) - {"cli"})
# Sources that are tested under another name, which must exist.
TESTED_ELSEWHERE = {
    # Parts of the ledger, which its tests run on both databases.
    **{f"privacy/ledger/{name}": "privacy/ledger/ledger_test.cpp"
       for name in ("balance", "chain", "fingerprint", "postgresql_store", "sha256", "sqlite_store", "store")},
    # The two forms of method als, and the sums that one of them releases.
    "method/completion/entry/als_entries": "method/completion/als_test.cpp",
    "method/completion/user/als_users": "method/completion/als_test.cpp",
    **{f"method/completion/user/{name}": "method/completion/als_test.cpp" for name in ("user_sums", "user_vector")},
    # The sound form of method dp-sgld.
    "method/completion/user/sgld_users": "method/completion/dp_sgld_test.cpp",
    # Steps of the two estimators, which are tested as wholes.
    "method/estimate/descent": "method/estimate/fit_released_test.cpp",
    "method/estimate/effects_posterior": "method/estimate/cell_effects_test.cpp",
    "method/estimate/position_features": "method/estimate/cell_effects_test.cpp",
    # Kernels, which are held against their definitions; a sweep is what several of them share.
    **{f"tensor/kernels/{name}": "tensor/kernels/conformance_test.cpp" for name in ("normal_equations", "sweep")},
    **{f"tensor/kernels/{name}": "tensor/kernels/mttkrp_test.cpp" for name in ("mttkrp_dense", "mttkrp_sparse")},
    "tensor/kernels/cell_gradient": "tensor/kernels/clipped_gradients_test.cpp",
    # What the CPU does as a device, which is held against the naive one.
    **{f"solve/{name}": "solve/device_test.cpp" for name in ("cpu", "cp/cpu_completion", "cp/cpu_sweeps", "tucker/cpu_sweeps")},
    # Products of whole numbers: which way is taken makes no difference, and all are taken there.
    "tensor/kernels/exact_products": "tensor/kernels/row_products_test.cpp",
    # One slice of the t-SVD and of the shrinkage, which do nothing else with it.
    "tensor/tubal/slice_svd": "tensor/tubal/tsvd_test.cpp",
    # Both solvers of Tucker completion are run through the same tests.
    **{f"solve/tucker/{name}": "solve/tucker/complete_test.cpp" for name in ("complete_als", "complete_sgd")},
    # Parts of the readers of text: what each accepts and refuses is the format's, and is tested line by line there.
    **{f"io/text/{name}": "io/text/csv_test.cpp" for name in ("csv_layout", "csv_rows")},
    **{f"io/text/{name}": "io/text/tns_test.cpp" for name in ("assemble", "entries", "listing")},
    # Parts of the readers and writers of archives, of .mat files, and of all arrays.
    **{f"io/binary/{name}": "io/binary/npz_test.cpp" for name in ("expected", "zip_reader", "zip_writer")},
    **{f"io/binary/{name}": "io/binary/mat_test.cpp" for name in ("hdf5", "mat5", "mat73", "mat_write")},
    "io/binary/collect": "io/binary/npy_test.cpp",
    # Steps of reading a study, whose errors name the file's lines.
    **{f"io/study/{name}": "io/study/read_study_test.cpp" for name in ("entity_positions", "formula", "structure", "study_tables")},
    # The idx format is read as a part of labelled examples; what reports end with, as a part of them.
    "io/labelled/idx": "io/labelled/read_labelled_test.cpp",
    "job/run_fields": "job/report_test.cpp",
    "job/topics/table": "job/topics/new_documents_test.cpp",
    # The two sides of a secure sum and what their messages have in common: neither does anything without the other.
    **{f"exchange/{name}": "exchange/secure_sum_test.cpp" for name in ("sum_client", "sum_hub", "sum_message")},
    # What keys depend on is a part of what an adversary could use.
    "exchange/sum_keys": "exchange/malicious_hub_test.cpp",
    # Requests, through the command and Python as well: doors_test and uses_test ask all of them.
    **{f"job/{name}": f"cli/{test}_test.py" for name, test in {
        "topics/request": "topics", "counts/request": "count", "counts/query": "count", "counts/synthesize": "count", "classification/request": "classify", "coupled/request": "couple", "sites/request": "federate",
        "ledger/budgeting": "budget", "describe_model": "verbs", "charging": "budget", "options/common": "uses", "options/cost": "account",
        "options/page": "report", "options/page_checks": "report", "options/privacy": "doors", "options/shipped": "topics"}.items()},
    "audit/request/request": "cli/audit_test.py",
    # A channel is what a party sends over.
    "exchange/channel": "exchange/channel_party_test.cpp",
    # What a pass over the tables of a coupled model is made of.
    **{f"solve/coupled/{name}": "solve/coupled/coupled_passes_test.cpp" for name in ("all_cells", "entry_pass", "observations")},
    # What samplers share.
    **{f"solve/coupled/{name}": "solve/coupled/gibbs_test.cpp" for name in ("chain", "factor_priors")},
}


@pytest.mark.parametrize("room", TESTED_ROOMS)
def test_every_source_has_a_test_of_its_own_name(room):
    for source in sorted((ROOT / "src" / room).rglob("*.cpp")):
        name = str(source.relative_to(ROOT / "src").with_suffix(""))
        test = TESTED_ELSEWHERE.get(name, f"{name}_test.cpp")
        assert (ROOT / "tests" / test).exists(), f"{source} is not tested: write tests/{test}"


def test_no_source_is_excused_without_need():
    for name in TESTED_ELSEWHERE:
        assert (ROOT / "src" / f"{name}.cpp").exists(), f"{name} is gone"
        assert not (ROOT / "tests" / f"{name}_test.cpp").exists(), f"{name} has a test of its own name"
