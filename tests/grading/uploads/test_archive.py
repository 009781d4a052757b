"""Tests of zips: what is odd is named and left out, and nothing is unpacked beyond its limits."""

import io
import random
import stat
import struct
import zipfile
from operator import methodcaller

import pytest

from dark.errors import UsageError
from dark.grading.uploads import archive, find_submissions
from dark.grading.uploads.archive import list_members, read_member
from dark.grading.uploads.find import NO_NOTEBOOK, NOT_A_NOTEBOOK


def packed(*files, method=zipfile.ZIP_DEFLATED):
    """Return the bytes of a zip of (name or ZipInfo, content)."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as made:
        for name, content in files:
            made.writestr(name, content)
    return file.getvalue()


def faults(data):
    return {"/".join(member.parts): member.fault for member in list_members(io.BytesIO(data))}


def link(name):
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info, "/etc/passwd"


OUT = "Its name in the zip leads out of the zip."


@pytest.mark.parametrize(
    "name", ["../a.ipynb", "/a.ipynb", "b/../../a.ipynb", "C:/a.ipynb", "..\\a.ipynb", "\\a.ipynb"]
)
def test_a_name_that_leads_out_is_refused(name):
    assert [*faults(packed((name, "{}"))).values()] == [OUT]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_links_doubles_and_other_compression_are_refused():
    found = faults(packed(link("up.ipynb"), ("a.ipynb", "1"), ("two.ipynb", "1"), ("two.ipynb", "2")))
    assert found == {"up.ipynb": archive.LINK, "a.ipynb": "", "two.ipynb": "Its name is in the zip more than once."}
    assert "unusual way" in faults(packed(("a.ipynb", "1"), method=zipfile.ZIP_LZMA))["a.ipynb"]


def test_what_is_encrypted_is_refused():
    data = bytearray(packed(("a.ipynb", "{}")))
    data[data.rindex(b"PK\x01\x02") + 8] |= 1
    assert faults(bytes(data)) == {"a.ipynb": "It is encrypted."}


def test_a_bomb_is_not_unpacked(monkeypatch):
    data = packed(("bomb.ipynb", bytes(5 << 20)), ("a.ipynb", b"{}"))
    assert faults(data) == {"bomb.ipynb": "It unpacks to more than 200 times its size.", "a.ipynb": ""}
    assert len(read_member(io.BytesIO(data), ("bomb.ipynb",), methodcaller("read", 1000))) == 1000
    monkeypatch.setattr(archive, "MOST_BYTES", 4 << 20)
    with pytest.raises(ValueError, match="The zip unpacks to more than 4 MiB"):
        faults(data)


def test_a_zip_may_unpack_to_the_limit_itself(monkeypatch):
    data = packed(("a.ipynb", random.Random(0).randbytes(3000)), ("b.ipynb", random.Random(1).randbytes(1000)))
    monkeypatch.setattr(archive, "MOST_BYTES", 4000)
    assert faults(data) == {"a.ipynb": "", "b.ipynb": ""}
    monkeypatch.setattr(archive, "MOST_BYTES", 3999)
    with pytest.raises(ValueError, match="unpacks to more than"):
        faults(data)


def test_too_many_files_are_refused_before_they_are_listed(monkeypatch):
    data = packed(*[(str(k), "") for k in range(20)])
    monkeypatch.setattr(archive, "MOST_FILES", 10)
    with pytest.raises(ValueError, match="more than 10 files"):
        faults(data)
    monkeypatch.setattr(zipfile, "ZipFile", None)  # it is not reached
    with pytest.raises(ValueError, match="more than 10 files"):
        faults(data)
    end = data.rindex(archive.END)
    with pytest.raises(ValueError, match="more than 10 files"):
        faults(data[: end + 10] + struct.pack("<HI", 1, 1 << 30) + data[end + 16 :])


def test_a_name_without_an_encoding_is_utf_8_if_it_can_be():
    data = packed(("é.ipynb", "{}")).replace("é".encode(), b"\x82x")
    data = data.replace(struct.pack("<HH", 0x800, 8), struct.pack("<HH", 0, 8))
    assert list(faults(data)) == ["éx.ipynb"]  # cp437
    utf_8 = packed(("é.ipynb", "{}")).replace(struct.pack("<HH", 0x800, 8), struct.pack("<HH", 0, 8))
    assert list(faults(utf_8)) == ["é.ipynb"]


def test_a_zip_in_a_zip_is_read():
    inner = packed(("b/work.ipynb", "inner"))
    assert (
        read_member(io.BytesIO(packed(("ann.zip", inner))), ("ann.zip", "b/work.ipynb"), methodcaller("read"))
        == b"inner"
    )


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_zip_is_an_error_of_one_sentence_and_nothing_else(seed):
    rng = random.Random(seed)
    data = bytearray(packed(("a.ipynb", "{}" * 500), ("b/c.ipynb", bytes(range(256)) * 20)))
    for _ in range(rng.randint(1, 8)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    del data[rng.choice([len(data), rng.randrange(len(data))]) :]
    try:
        for member in list_members(io.BytesIO(data)):
            read_member(io.BytesIO(data), (member.key,), methodcaller("read"))
    except (ValueError, OSError) as error:
        assert "zip" in str(error)


def listed(folder):
    return {each.name: (each.fault, b"" if each.fault else each.read()) for each in find_submissions(folder)}


def test_each_student_may_hand_in_a_zip(tmp_path):
    for name, data in {
        "ann.zip": packed(("mine/one.ipynb", "1"), ("mine/data.csv", ""), ("__MACOSX/mine/._one.ipynb", "")),
        "bob/hw.zip": packed(("one.ipynb", "2")),
        "cy.ZIP": packed(("one.ipynb", "3"), ("two.ipynb", "4"), link("up.ipynb")),
        "di.zip": packed(("one.py", "5")),
        "ed.zip": b"PK",
        "ed/x.ipynb": b"6",
        "fay.zip": packed(("x.ipynb", "7")),
        "fay/x.ipynb": b"8",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    assert listed(tmp_path) == {
        "ann": ("", b"1"), "bob": ("", b"2"), "cy/one": ("", b"3"), "cy/two": ("", b"4"), "cy/up": (archive.LINK, b""),
        "di.zip": (NO_NOTEBOOK, b""), "ed": ("", b"6"), "ed.zip": ("It is not a zip, or only a part of one.", b""),
        "fay/x": ("", b"8"), "fay/x (2)": ("", b"7"),
    }  # fmt: skip


def test_a_file_whose_name_leads_out_of_a_zip_is_listed(tmp_path):
    (tmp_path / "ann.zip").write_bytes(packed(("mine/one.ipynb", "1"), ("../two.ipynb", "2"), (".hidden.ipynb", "3")))
    (tmp_path / "all.zip").write_bytes(packed(("../cy.ipynb", "4"), ("di.ipynb", "5"), ("ed.ipynb", "6")))
    assert listed(tmp_path)["ann/../two"] == ("Its name in the zip leads out of the zip.", b"")
    assert sorted(fault for fault, _ in listed(tmp_path / "all.zip").values())[-1].startswith("Its name in the zip")
    assert not any("hidden" in name for name in listed(tmp_path))


def test_a_whole_class_may_be_one_zip(tmp_path):
    inner = packed(("one.ipynb", "3"))
    path = tmp_path / "class.zip"
    for top in ("", "class/"):
        files = [
            ("ann.ipynb", "1"),
            ("bob/work.ipynb", "2"),
            ("bob/data.csv", ""),
            ("cy.zip", inner),
            ("notes.txt", ""),
        ]
        path.write_bytes(packed(*[(top + name, data) for name, data in files], (f"{top}a/b/c.ipynb", "")))
        assert listed(path) == {
            "a/b/c": ("It is nested more than one folder deep.", b""), "ann": ("", b"1"), "bob": ("", b"2"),
            "cy": ("", b"3"), "notes.txt": (NOT_A_NOTEBOOK, b""),
        }  # fmt: skip


def test_a_zip_of_a_class_that_cannot_be_read_is_a_usage_error(tmp_path):
    (tmp_path / "class.zip").write_bytes(b"no")
    with pytest.raises(UsageError, match="cannot be read: It is not a zip(.|\n)*Expected: (.|\n)*Try: "):
        find_submissions(tmp_path / "class.zip")
