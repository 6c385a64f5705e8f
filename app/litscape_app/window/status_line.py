"""The line at the foot: how far similarity is, which model, how many jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QLabel

from litscape_app.window.fulltext import TextKeeper, TextPhase, TextStanding
from litscape_app.window.similarity import Phase, Similarity, Standing
from litscape_app.window.widgets.basics import horizontal, label, tool_button
from litscape_app.window.words import count, plain_tooltip

if TYPE_CHECKING:
    from litscape_app.window.theme import Theme

_MARKS = {
    Phase.NONE: "line",
    Phase.READY: "good",
    Phase.BEHIND: "warn",
    Phase.RUNNING: "accent",
    Phase.PAUSED: "warn",
    Phase.FAILED: "bad",
}


class StatusLine(QFrame):
    """States, with a button each where something can be done."""

    jobs_wanted = Signal()
    model_wanted = Signal()
    training_wanted = Signal()

    def __init__(self, theme: Theme, similarity: Similarity, keeper: TextKeeper) -> None:
        super().__init__()
        self.setProperty("role", "foot")
        self._theme, self._similarity, self._keeper = theme, similarity, keeper
        self._mark = QLabel()
        self.text = label()
        self.act = tool_button(theme, "", "Pause", self._act, text="Pause", kind="link")
        self.pdfs = label(tone="muted")
        self.act_pdfs = tool_button(theme, "", "Pause", self._act_pdfs, text="Pause", kind="link")
        self.model = tool_button(
            theme, "model", "The model that similarity comes from", self.model_wanted.emit, text=" "
        )
        self.model.setProperty("kind", "quiet")
        self.training = tool_button(
            theme, "play", "Show the training", self.training_wanted.emit, text=" "
        )
        self.training.setProperty("kind", "quiet")
        self.training.hide()
        self.jobs = tool_button(
            theme, "jobs", "Show or hide the jobs", self.jobs_wanted.emit, text="No jobs"
        )
        self.jobs.setProperty("kind", "quiet")
        for part in (
            self.text,
            self.act,
            self.pdfs,
            self.act_pdfs,
            self.training,
            self.model,
            self.jobs,
        ):
            part.setFont(theme.font("small"))
        horizontal(
            self,
            self._mark, self.text, self.act, 8, self.pdfs, self.act_pdfs, 0,
            self.training, self.model, self.jobs,
            margins=(16, 2, 8, 2), spacing=6,
        )  # fmt: skip
        self.setFixedHeight(32)
        similarity.moved.connect(self.show_standing)
        keeper.moved.connect(self.show_pdfs)
        self.show_pdfs(keeper.standing)
        theme.changed.connect(self._dress)
        self.show_standing(similarity.standing)

    def show_standing(self, standing: Standing) -> None:
        """Say how far similarity is."""
        phase = standing.phase
        nothing = phase is Phase.NONE
        dot = self._theme.pixmap("dot", 12, _MARKS[phase], self.devicePixelRatioF())
        self._mark.setPixmap(dot)
        self._mark.setVisible(not nothing)
        self.text.setText(standing.sentence)
        self.text.setToolTip(plain_tooltip(" ".join((standing.problem, standing.note)).strip()))
        words = {
            Phase.RUNNING: "Pause",
            Phase.PAUSED: "Resume",
            Phase.BEHIND: "Start",
            Phase.FAILED: "Restart",
        }
        self.act.setVisible(phase in words)
        if phase in words:
            self.act.setText(words[phase])
            self.act.setToolTip(f"{words[phase]} computing similarity")
            self.act.setAccessibleName(self.act.toolTip())
        self.model.setText(f"Model: {standing.model}")
        self.model.setVisible(bool(standing.model))

    def show_pdfs(self, standing: TextStanding) -> None:
        """Say how far the reading of PDFs is, while it goes on or waits."""
        words = {
            TextPhase.RUNNING: "Pause",
            TextPhase.WAITING: "Pause",
            TextPhase.PAUSED: "Resume",
            TextPhase.FAILED: "Try again",
        }
        shown = standing.phase in words
        self.pdfs.setText(standing.sentence)
        self.pdfs.setToolTip(plain_tooltip(standing.problem))
        self.pdfs.setVisible(shown)
        self.act_pdfs.setVisible(shown)
        if shown:
            self.act_pdfs.setText(words[standing.phase])
            self.act_pdfs.setToolTip(f"{words[standing.phase]}: reading the text of PDFs")
            self.act_pdfs.setAccessibleName(self.act_pdfs.toolTip())

    def _act_pdfs(self) -> None:
        if self._keeper.standing.phase in (TextPhase.RUNNING, TextPhase.WAITING):
            self._keeper.pause()
        else:
            self._keeper.start()

    def _dress(self) -> None:
        self.show_standing(self._similarity.standing)

    def show_training(self, text: str) -> None:
        """Say how far a training is; nothing where none goes on."""
        self.training.setText(text)
        self.training.setAccessibleName(f"{text}. Show it" if text else "Show the training")
        self.training.setVisible(bool(text))

    def show_jobs(self, running: int) -> None:
        """Say how many jobs are at work."""
        self.jobs.setText(count(running, "job") if running else "No jobs")

    def _act(self) -> None:
        phase = self._similarity.standing.phase
        if phase is Phase.RUNNING:
            self._similarity.pause()
        elif phase is Phase.FAILED:
            self._similarity.restart()
        else:
            self._similarity.resume()
