"""Large files are decoded slice by slice, with the same outcome as all at once."""

from __future__ import annotations

import pytest

from litscape.importers import decode

TEXTS = {
    "utf-8": "Grüße 漢字 \U0001f600 and more " * 20,
    "cp1252": "Grüße aus Köln " * 20,
    "cp932": "漢字テスト" * 20,
    "utf-16": "Grüße 漢字 " * 20,
}


@pytest.mark.parametrize("encoding", TEXTS)
@pytest.mark.parametrize("size", [1, 7, 64])
def test_slices_cut_no_letter(monkeypatch: pytest.MonkeyPatch, encoding: str, size: int) -> None:
    monkeypatch.setattr(decode, "_SLICE", size)
    data = TEXTS[encoding].encode(encoding)
    assert decode._text(data, encoding) == TEXTS[encoding]
    broken = data[:50] + b"\xff\xfe\x80" + data[50:] + b"\xe6"
    expected = broken.decode(encoding, "replace")
    assert decode._text(broken, encoding, "replace") == expected


def test_bad_bytes_are_still_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decode, "_SLICE", 4)
    with pytest.raises(UnicodeDecodeError):
        decode._text(b"sound text \xff and more", "utf-8")
    with pytest.raises(UnicodeDecodeError):
        decode._text("cut at the end 漢".encode()[:-1], "utf-8")
