"""The pages that take the middle of the window, by name; a new page is one line and one maker."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from litscape_app.window.main_window import MainWindow

Maker = Callable[["MainWindow"], "QWidget"]
"""Makes a page; imports its module then, so that a start does not wait for it."""


def _citations(window: MainWindow) -> QWidget:
    from litscape_app.window.pages.citations_page.page import CitationsPage

    return CitationsPage(window)


def _network(window: MainWindow) -> QWidget:
    from litscape_app.window.pages.network_page.page import NetworkPage

    return NetworkPage(window)


def _map(window: MainWindow) -> QWidget:
    from litscape_app.window.map.page import MapPage

    return MapPage(window, window.menus.actions)


def _evaluate(window: MainWindow) -> QWidget:
    from litscape_app.window.pages.evaluate_page.page import EvaluatePage

    return EvaluatePage(window)


def _separation(window: MainWindow) -> QWidget:
    from litscape_app.window.pages.separation_page.page import SeparationPage

    return SeparationPage(window)


def _keys(window: MainWindow) -> QWidget:
    from litscape_app.window.pages.keys import KeysPage

    return KeysPage(window)


def _searching(window: MainWindow) -> QWidget:
    from litscape_app.window.pages.searching import SearchingPage

    return SearchingPage(window)


def _import(window: MainWindow) -> QWidget:
    from litscape_app.window.pages.import_page.page import ImportPage

    return ImportPage(window)


def _zotero(window: MainWindow) -> QWidget:
    from litscape_app.window.pages.zotero_page.page import ZoteroPage

    return ZoteroPage(window, window.watching)


def _watch(window: MainWindow) -> QWidget:
    from litscape_app.window.pages.watch_page.page import WatchPage

    return WatchPage(window, window.watching)


def _report(window: MainWindow) -> QWidget:
    from litscape_app.window.pages.report_page.page import ReportPage

    return ReportPage(window)


def _duplicates(window: MainWindow) -> QWidget:
    from litscape_app.window.pages.duplicates_page.page import DuplicatesPage

    return DuplicatesPage(window)


def _lookup(window: MainWindow) -> QWidget:
    from litscape_app.window.pages.lookup_page.page import LookupPage

    return LookupPage(window)


def _add(window: MainWindow) -> QWidget:
    from litscape_app.window.pages.add_paper.page import AddPage

    return AddPage(window)


def _feed(window: MainWindow) -> QWidget:
    from litscape_app.window.pages.feed_page.page import FeedPage

    return FeedPage(window)


def _settings(window: MainWindow) -> QWidget:
    from litscape_app.window.pages.settings_page import SettingsPage

    return SettingsPage(window)


def _compare(window: MainWindow) -> QWidget:
    from litscape_app.window.pages.compare_page.page import ComparePage

    return ComparePage(window)


def _train(window: MainWindow) -> QWidget:
    from litscape_app.window.training_watch import LOADING

    with LOADING:
        from litscape_app.window.pages.train_page.page import TrainPage

    return TrainPage(window)


def _models(window: MainWindow) -> QWidget:
    from litscape_app.window.pages.models_page.page import ModelsPage

    return ModelsPage(window)


def _libraries(window: MainWindow) -> QWidget:
    from litscape_app.window.pages.libraries_page.page import LibrariesPage

    return LibrariesPage(window)


def _log(window: MainWindow) -> QWidget:
    from litscape_app.window.pages.log_page.page import LogPage

    return LogPage(window)


def _history(window: MainWindow) -> QWidget:
    from litscape_app.window.pages.history_page import HistoryPage

    return HistoryPage(window)


PAGES: dict[str, Maker] = {
    "import": _import,
    "zotero": _zotero,
    "watch": _watch,
    "report": _report,
    "duplicates": _duplicates,
    "citations": _citations,
    "network": _network,
    "map": _map,
    "evaluate": _evaluate,
    "separation": _separation,
    "lookup": _lookup,
    "add": _add,
    "feed": _feed,
    "settings": _settings,
    "train": _train,
    "compare": _compare,
    "models": _models,
    "libraries": _libraries,
    "history": _history,
    "log": _log,
    "keys": _keys,
    "searching": _searching,
}
