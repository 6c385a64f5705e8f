"""Writing the map that is shown to a file: how it is to look, where to, and the work itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QFileDialog, QSpinBox, QWidget

from litscape.jobs.runners import Lane
from litscape_app.window.exporting import whole_name
from litscape_app.window.widgets.basics import horizontal, label, push_button, vertical
from litscape_app.window.words import count

if TYPE_CHECKING:
    from pathlib import Path

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.maps.records import MapLayout
    from litscape_app.actions.command import Desk

KINDS = (
    (".png", "Picture, PNG", "For slides and pages; of any size"),
    (".svg", "Picture, SVG", "Sharp at any size, and can be edited"),
    (".pdf", "Document, PDF", "Sharp at any size"),
    (".html", "Page to explore, HTML", "One file with search, cards, zoom and legend, to send on"),
    (".csv", "Table, CSV", "Places, topics and papers"),
    (".parquet", "Table, Parquet", "The same with types; needs pyarrow"),
)
_PICTURES = (".png", ".svg", ".pdf")
_LEAST, _MOST = 200, 20_000
_SIZE = (2400, 1800)


class ExportDialog(QDialog):
    """Asks for the kind of file and the look of a picture."""

    def __init__(self, parent: QWidget, *, dark: bool) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export the map")
        self.kind = QComboBox()
        self.kind.setAccessibleName("Kind of file")
        for suffix, title, _tip in KINDS:
            self.kind.addItem(title, suffix)
        self.about = label("", "muted", wrap=True)
        self.width_box, self.height_box = QSpinBox(), QSpinBox()
        for box, name, size in zip(
            (self.width_box, self.height_box), ("Width", "Height"), _SIZE, strict=True
        ):
            box.setRange(_LEAST, _MOST)
            box.setValue(size)
            box.setSingleStep(100)
            box.setSuffix(" px")
            box.setAccessibleName(f"{name} in pixels")
        self.dark = QCheckBox("Dark ground")
        self.dark.setChecked(dark)
        self.look = QWidget()
        line = horizontal(None, label("Size"), self.width_box, label("×"), self.height_box, 0)
        vertical(self.look, line, self.dark)
        go = push_button("Choose file …", self.accept, kind="primary")
        go.setDefault(True)
        buttons = horizontal(None, 0, push_button("Cancel", self.reject), go)
        vertical(self, self.kind, self.about, self.look, 0, buttons, margins=(16,) * 4, spacing=10)
        self.setMinimumWidth(380)
        self.kind.currentIndexChanged.connect(lambda _row: self._tell())
        self._tell()

    @property
    def suffix(self) -> str:
        """Of the file."""
        return str(self.kind.currentData())

    def _tell(self) -> None:
        self.about.setText(KINDS[self.kind.currentIndex()][2])
        self.look.setVisible(self.suffix in _PICTURES)


def ask_and_export(desk: Desk, layout: MapLayout | None, by: str) -> None:
    """Ask how and where to, and write the stored map beside the window."""
    if layout is None:
        desk.session.say("The map is not made yet: it can be exported once it is.")
        return
    dark = desk.session.theme.tokens.name == "dark"
    dialog = ExportDialog(desk.page("map"), dark=dark)
    if not dialog.exec():
        return
    suffix = dialog.suffix
    title = next(title for one, title, _tip in KINDS if one == suffix)
    name, _filter = QFileDialog.getSaveFileName(
        desk.page("map"), "Export the map", f"map{suffix}", f"{title} (*{suffix})"
    )
    path = whole_name(desk.page("map"), name, suffix, (suffix,)) if name else None
    if path is not None:
        size = dialog.width_box.value(), dialog.height_box.value()
        start_export(desk, layout.key, path, by, size, dark=dialog.dark.isChecked())


def start_export(
    desk: Desk, key: int, path: Path, by: str, size: tuple[int, int], *, dark: bool
) -> None:
    """Write a stored map to ``path``."""

    def write(library: Library, ctx: JobContext) -> int:
        from litscape.apart import run_apart
        from litscape_app.pictures.apart import write_map

        return run_apart(library, write_map, ctx, key, path, by, size, dark=dark)

    def told(papers: int) -> str:
        said = f"Exported a map of {count(papers, 'paper')} to {path.name}"
        desk.session.say(said)
        return said

    desk.session.work(f"Export the map to {path.name}", write, Lane.READ, done=told)
