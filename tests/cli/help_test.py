"""Help: what everyone needs first, all of it on request."""
import re

import pytest

LONG = ["complete", "topics", "count", "classify", "couple", "federate"]


def options(page):
    return set(re.findall(r"^\s+(?:-\w,\s*)?(--[a-z][\w-]*)", page, re.MULTILINE))


@pytest.mark.parametrize("verb", LONG)
def test_help_of_a_long_verb_is_short_and_says_how_to_see_all(tulle, verb):
    short, whole = tulle(verb, "--help").out, tulle(verb, "--help-all").out
    assert 8 <= len(options(short)) <= 17 and options(short) < options(whole)
    more = re.search(rf"^(\d+) more options: tulle {verb} --help-all$", short, re.MULTILINE)
    assert len(options(whole)) - len(options(short)) == int(more.group(1))
    assert {"--output", "--epsilon", "--method", "--help", "--json"} <= options(short)
    assert "Example:" in short and "Privacy:" in whole and "Privacy:" not in short


def test_the_manual_page_and_completions_have_all_options(tulle):
    whole = options(tulle("complete", "--help-all").out)
    for words in (("man",), ("completion", "bash")):
        text = tulle(*words).out.replace("\\-", "-")
        assert not [option for option in whole if option not in text], words
