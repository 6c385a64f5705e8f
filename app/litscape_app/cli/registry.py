"""Every command in the order of the help; a new one is one file and one line here."""

from __future__ import annotations

from litscape_app.cli.commands.add import ADD
from litscape_app.cli.commands.citations import CITATIONS
from litscape_app.cli.commands.citing import CITE, OPEN
from litscape_app.cli.commands.collections import COLLECTION
from litscape_app.cli.commands.duplicates import DUPLICATES
from litscape_app.cli.commands.edit import EDIT
from litscape_app.cli.commands.embed import EMBED
from litscape_app.cli.commands.evaluate import EVALUATE
from litscape_app.cli.commands.export import EXPORT
from litscape_app.cli.commands.facets import FACETS
from litscape_app.cli.commands.feed import FEED
from litscape_app.cli.commands.fulltext import FULLTEXT
from litscape_app.cli.commands.imports import IMPORT
from litscape_app.cli.commands.info import INFO
from litscape_app.cli.commands.libraries import BACKUP, LIBRARY
from litscape_app.cli.commands.listing import LIST, SHOW
from litscape_app.cli.commands.maps import MAP
from litscape_app.cli.commands.mark import MARK, READING_LIST
from litscape_app.cli.commands.models import MODELS
from litscape_app.cli.commands.notes import NOTE
from litscape_app.cli.commands.related import RELATED
from litscape_app.cli.commands.reports import REPORTS
from litscape_app.cli.commands.saved import SAVED, SEARCHES
from litscape_app.cli.commands.search import SEARCH
from litscape_app.cli.commands.settings import SETTINGS
from litscape_app.cli.commands.similar import READ_NEXT, SIMILAR, WEIGHTS
from litscape_app.cli.commands.tags import TAG
from litscape_app.cli.commands.topics import TOPICS
from litscape_app.cli.commands.train import TRAIN
from litscape_app.cli.commands.trash import DELETE, RESTORE, TRASH
from litscape_app.cli.commands.undo import HISTORY, REDO, UNDO
from litscape_app.cli.commands.watch import WATCH, WATCHED

COMMANDS = (
    IMPORT,
    REPORTS,
    WATCH,
    WATCHED,
    EXPORT,
    ADD,
    EDIT,
    DELETE,
    RESTORE,
    TRASH,
    TAG,
    COLLECTION,
    NOTE,
    MARK,
    READING_LIST,
    DUPLICATES,
    RELATED,
    CITATIONS,
    LIST,
    SHOW,
    OPEN,
    CITE,
    INFO,
    EMBED,
    SEARCH,
    SAVED,
    SEARCHES,
    FACETS,
    FULLTEXT,
    SIMILAR,
    READ_NEXT,
    WEIGHTS,
    FEED,
    MAP,
    TOPICS,
    EVALUATE,
    UNDO,
    REDO,
    HISTORY,
    LIBRARY,
    MODELS,
    TRAIN,
    BACKUP,
    SETTINGS,
)
