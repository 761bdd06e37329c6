"""A hook of MkDocs: in the navigation, methods/VERB/*.md is a page for every method of the verb, in the order of `tulle methods`."""
import fnmatch
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from method_pages import page_path
from pages import methods


def pages_of(named, found):
    """The pages that an item of the navigation names, of these methods."""
    return [page_path(method) for method in found if fnmatch.fnmatch(page_path(method), named)] if "*" in named else [named]


def expanded(item, found):
    """A part of the navigation, in which patterns are lists of pages."""
    if isinstance(item, list):
        return [expanded(each, found) for each in item]
    if isinstance(item, dict):
        return {title: expanded(each, found) for title, each in item.items()}
    return pages_of(item, found) if "*" in item else item


def on_config(config):
    config["nav"] = expanded(config["nav"], methods())
    return config
