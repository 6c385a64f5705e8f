"""The window's look: Fusion on our own tokens, light and dark, following the system or chosen."""

from __future__ import annotations

import weakref
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

import shiboken6
from PySide6.QtCore import QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtWidgets import QApplication, QStyleFactory

from litscape_resources import DARK, LIGHT, Tokens, icon_svg, style_sheet

if TYPE_CHECKING:
    from collections.abc import Iterator

_SMALL, _TITLE = 0.9, 1.25


class TakesIcon(Protocol):
    """A button or an action."""

    def setIcon(self, icon: QIcon) -> None:
        """Show ``icon``."""
        ...


class Theme(QObject):
    """The tokens in force; applies them and redraws the icons when they change."""

    changed = Signal()

    def __init__(self, app: QApplication, choice: str = "system") -> None:
        super().__init__(app)
        self._app = app
        self._choice = choice
        self._icons: weakref.WeakKeyDictionary[TakesIcon, tuple[str, str]] = (
            weakref.WeakKeyDictionary()
        )
        self._pixmaps: dict[tuple[str, str, int, float], QPixmap] = {}
        self.tokens: Tokens = LIGHT
        app.setStyle(QStyleFactory.create("Fusion"))
        self._apply()
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow)

    def choose(self, choice: str) -> None:
        """Use ``system``, ``light`` or ``dark`` from now on."""
        if choice != self._choice:
            self._choice = choice
            self._apply()

    @property
    def choice(self) -> str:
        """What was chosen: system, light or dark."""
        return self._choice

    def colour(self, name: str) -> QColor:
        """The token of that name as a colour."""
        return QColor(getattr(self.tokens, name))

    def font(self, step: str = "body", bold: bool = False) -> QFont:
        """The system's font in one of three steps: small, body or title (semibold)."""
        font = QFont(self._app.font())
        factor = {"small": _SMALL, "body": 1.0, "title": _TITLE}[step]
        font.setPointSizeF(font.pointSizeF() * factor)
        if bold or step == "title":
            font.setWeight(QFont.Weight.DemiBold)
        return font

    def pixmap(self, name: str, size: int = 16, token: str = "text", ratio: float = 1) -> QPixmap:
        """An icon of the set, ``size`` logical pixels, in a token's colour."""
        colour = getattr(self.tokens, token)
        key = (name, colour, size, ratio)
        if key not in self._pixmaps:
            self._pixmaps[key] = _render(name, colour, size, ratio)
        return self._pixmaps[key]

    def icon(self, name: str, token: str = "text", size: int = 16) -> QIcon:
        """The same as an icon, sharp at 1 and 2 times, pale where disabled."""
        icon = QIcon()
        for ratio in (1.0, 2.0):
            icon.addPixmap(self.pixmap(name, size, token, ratio))
            icon.addPixmap(self.pixmap(name, size, "line", ratio), QIcon.Mode.Disabled)
        return icon

    def set_icon(self, target: TakesIcon, name: str, token: str = "text") -> None:
        """Give ``target`` an icon now and again whenever the theme changes."""
        self._icons[target] = (name, token)
        target.setIcon(self.icon(name, token))

    @contextmanager
    def dressed_at_once(self) -> Iterator[None]:
        """Give the widgets that are made meanwhile their look at the end.

        Qt looks the rules of a widget and of all below it up again each time that it is put into
        another: made one into another, a window would be dressed a dozen times.
        """
        self._app.setStyleSheet("")
        try:
            yield
        finally:
            self._app.setStyleSheet(style_sheet(self.tokens))

    def _follow(self) -> None:
        if self._choice == "system":
            self._apply()

    def _apply(self) -> None:
        scheme = QGuiApplication.styleHints().colorScheme()
        dark = scheme == Qt.ColorScheme.Dark if self._choice == "system" else self._choice == "dark"
        self.tokens = DARK if dark else LIGHT
        self._app.setPalette(palette(self.tokens))
        self._app.setStyleSheet(style_sheet(self.tokens))
        for target, (name, token) in list(self._icons.items()):
            # Python may still hold a button or action that Qt has deleted.
            if shiboken6.isValid(target):
                target.setIcon(self.icon(name, token))
        self.changed.emit()


def palette(tokens: Tokens) -> QPalette:
    """The tokens as Qt's colour roles."""
    result = QPalette()
    role = QPalette.ColorRole
    colours = {
        role.Window: tokens.background,
        role.WindowText: tokens.text,
        role.Base: tokens.surface,
        role.AlternateBase: tokens.background,
        role.Text: tokens.text,
        role.Button: tokens.raised,
        role.ButtonText: tokens.text,
        role.BrightText: tokens.bad,
        role.Highlight: tokens.selection,
        role.HighlightedText: tokens.text,
        role.ToolTipBase: tokens.raised,
        role.ToolTipText: tokens.text,
        role.PlaceholderText: tokens.muted,
        role.Link: tokens.accent,
        role.LinkVisited: tokens.accent,
        role.Accent: tokens.accent,
        role.Light: tokens.raised,
        role.Midlight: tokens.raised,
        role.Mid: tokens.line,
        role.Dark: tokens.mark,
        role.Shadow: tokens.line,
    }
    for key, colour in colours.items():
        result.setColor(key, QColor(colour))
    for key in (role.WindowText, role.Text, role.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, key, QColor(tokens.mark))
    return result


def _render(name: str, colour: str, size: int, ratio: float) -> QPixmap:
    from PySide6.QtSvg import QSvgRenderer

    pixmap = QPixmap(QSize(round(size * ratio), round(size * ratio)))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    QSvgRenderer(icon_svg(name, colour)).render(painter, QRectF(0, 0, size, size))
    painter.end()
    return pixmap
