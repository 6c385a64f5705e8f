"""Encodings are found out from the bytes, and what can't be read is said in one sentence."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from litscape.errors import UserError
from litscape.importers.decode import read_source, source_problems

if TYPE_CHECKING:
    from pathlib import Path

GERMAN = "@article{a, title={Größe und „Maß“ – Zoë Peña}}\n"
SAMPLES = {
    "cp1252": GERMAN,
    "iso-8859-2": "@article{a, author={Łukasz Żółć}, title={Zażółć gęślą jaźń, źdźbło trawy}}",
    "cp1250": "@article{a, author={Dvořák, Jiří}, title={Příliš žluťoučký kůň úpěl ďábelské ódy}}",
    "cp1251": "@article{a, author={Иванов, Иван}, title={Исследование русского языка}}",
    "koi8-r": "@article{a, author={Иванов, Иван}, title={Исследование русского языка}}",
    "gbk": "@article{a, author={王小明}, title={基于深度学习的图像分类研究}}",
    "shift_jis": "@article{a, author={山田太郎}, title={日本語の論文の題名について}}",
    "euc-kr": "@article{a, author={김철수}, title={한국어 논문 제목에 대한 연구}}",
    "mac-roman": "@article{a, author={Müller, Zoé}, title={Größe und Maß, naïve café}}",
    "iso2022_jp": "@article{a, title={日本語の論文}}",
    "utf-16-le": GERMAN,
    "utf-16-be": GERMAN,
}


@pytest.mark.parametrize("encoding", SAMPLES)
def test_undeclared_encodings_are_guessed_and_noted(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.bib"
    path.write_bytes(SAMPLES[encoding].encode(encoding))
    source = read_source(path)
    assert source.text == SAMPLES[encoding]
    (problem,) = source_problems(source)
    assert (problem.code, problem.severity, problem.line) == ("encoding-guessed", "note", 1)
    assert problem.source == str(path)
    assert source.encoding in problem.message


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_marks_and_utf8_are_sure(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.bib"
    path.write_bytes(GERMAN.encode(encoding))
    source = read_source(path)
    assert source.text == GERMAN
    assert not source_problems(source)


@pytest.mark.parametrize(
    ("declared", "codec"),
    [
        ("% Encoding: ISO8859_2\n", "iso-8859-2"),
        ("% Encoding: Cp1252\n", "cp1252"),
        ("% Encoding: x-MacRoman\n", "mac-roman"),
        ("@comment{x-kbibtex-encoding=latin1}\n", "cp1252"),
        ("% -*- coding: latin-1 -*-\n", "cp1252"),
    ],
)
def test_a_declared_encoding_is_no_guess(tmp_path: Path, declared: str, codec: str) -> None:
    text = declared + "@article{a, title={Größe}}"
    path = tmp_path / "a.bib"
    path.write_bytes(text.encode(codec))
    source = read_source(path)
    assert source.text == text
    assert not source.guessed


def test_a_wrong_declaration_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "a.bib"
    path.write_bytes(("% Encoding: Cp1252\n" + GERMAN).encode())
    assert read_source(path).text.endswith(GERMAN)
    path.write_bytes(("% Encoding: UTF-8\n" + GERMAN).encode("cp1252"))
    source = read_source(path)
    assert source.text.endswith(GERMAN)
    assert source.guessed


def test_joined_files_of_two_encodings(tmp_path: Path) -> None:
    path = tmp_path / "a.bib"
    path.write_bytes(GERMAN.encode() * 3 + "@article{b, title={Größe}}".encode("latin-1"))
    assert read_source(path).text == GERMAN * 3 + "@article{b, title={Größe}}"


def test_a_file_cut_inside_a_character(tmp_path: Path) -> None:
    path = tmp_path / "a.bib"
    path.write_bytes("@article{a, title={Größe und Ü".encode()[:-1])
    source = read_source(path)
    assert source.text == "@article{a, title={Größe und \ufffd"
    assert [one.code for one in source_problems(source)] == ["undecodable-text"]


def test_a_told_encoding_wins(tmp_path: Path) -> None:
    path = tmp_path / "a.bib"
    path.write_bytes("Größe".encode("cp437"))
    assert read_source(path, "cp437").text == "Größe"
    with pytest.raises(UserError, match="no encoding called “klingon”"):
        read_source(path, "klingon")


def test_gzip_is_undone_even_when_cut(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(GERMAN.encode()))
    assert read_source(path).text == GERMAN
    path.write_bytes(gzip.compress(GERMAN.encode() * 5000)[:-12])
    source = read_source(path)
    assert source.text.startswith(GERMAN)
    assert "file-truncated" in {one.code for one in source_problems(source)}


@pytest.mark.parametrize("content", [b"", b"\n \n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_a_warning(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.bib"
    path.write_bytes(content)
    (problem,) = source_problems(read_source(path))
    assert (problem.code, problem.severity) == ("source-empty", "warning")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"%PDF-1.7 and so on", "is a PDF: no known kind"),
        (b"PK\x03\x04rest", "no known kind"),
        (b"SQLite format 3\x00", "no known kind"),
        (bytes(range(256)) * 8, "is binary data: no known kind"),
        (b"\x1f\x8bnot really", "damaged gzip"),
    ],
)
def test_binary_files_are_refused(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "a.bib"
    path.write_bytes(content)
    with pytest.raises(UserError, match=sentence) as refusal:
        read_source(path)
    assert str(path) in str(refusal.value)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is a folder; choose"):
        read_source(tmp_path)
    with pytest.raises(UserError, match="There is no file"):
        read_source(tmp_path / "none.bib")


def test_too_large_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.bib"
    with path.open("wb") as stream:
        stream.truncate(3 << 30)
    with pytest.raises(UserError, match="Split it"):
        read_source(path)
