"""PDF from the SVG of this package: paths and shapes as vectors, and text as text, in Helvetica.

It reads what the pictures of this package contain: groups that are moved, rectangles, polygons, ellipses, paths, and
texts in one line, in the colors of the light theme.

Source: ISO 32000-1 (PDF 1.7): sections 7.5 (file structure), 8.5 (paths), 9.4 (text), annex D (character sets).
"""

import re
from zlib import compress

from dark.draw import svg as xml
from dark.draw.text_width import ROOM, text_width

KAPPA = 0.5523  # of the Bezier curves that draw a quarter of a circle
NAMED = {"white": (1.0, 1.0, 1.0), "black": (0.0, 0.0, 0.0)}
SYMBOLS = {"∞": 0xA5, "→": 0xAE, "←": 0xAC, "∇": 0xD1, "−": 0x2D, "≤": 0xA3, "≥": 0xB3, "≠": 0xB9, "≈": 0xBB}
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
STEP = re.compile(r"([MmLlHhVvCcZz])([^MmLlHhVvCcZz]*)")
INHERITED = ("fill", "stroke", "stroke-width", "stroke-dasharray", "font-size", "font-weight", "text-anchor")


def to_pdf(svg: str, title: str = "") -> bytes:
    """Convert a picture to PDF; `title` is the title of the document."""
    root = xml.parse(svg)
    left, top, width, height = map(float, NUMBER.findall(root.get("viewBox")))
    lines = [f"1 0 0 -1 {-left:.2f} {top + height:.2f} cm"]
    _draw(root, {"fill": "black", "stroke": "none", "font-size": "14"}, lines)
    return _document("\n".join(lines).encode("latin-1", "replace"), width, height, title)


def _draw(element, style, lines):
    """Append the drawing of an element and of those in it."""
    style = style | {name: element.get(name) for name in INHERITED if element.get(name) is not None}
    if element.tag in ("defs", "style", "title", "desc") or "visibility:hidden" in element.get("style", ""):
        return
    moved = re.findall(r"(translate|scale)\(([^)]*)\)", element.get("transform", ""))
    if moved:
        lines.append("q")
        for name, numbers in moved:
            a, *rest = map(float, NUMBER.findall(numbers))
            b = rest[0] if rest else a if name == "scale" else 0.0
            lines.append(f"{a:g} 0 0 {b:g} 0 0 cm" if name == "scale" else f"1 0 0 1 {a:g} {b:g} cm")
    if element.tag == "text":
        _text(element, style, lines)
    elif element.tag in SHAPES:
        _shape(SHAPES[element.tag](element), style, lines)
    for child in element:
        _draw(child, style, lines)
    if moved:
        lines.append("Q")


def _shape(steps, style, lines):
    fill, stroke, width = _color(style["fill"]), _color(style["stroke"]), float(style.get("stroke-width", 1))
    stroke = stroke if width else None
    if fill is None and stroke is None:
        return
    dashes = NUMBER.findall(style.get("stroke-dasharray", ""))
    lines += [f"{fill} rg"] if fill else []
    lines += [f"{stroke} RG {width:g} w [{' '.join(dashes)}] 0 d"] if stroke else []
    lines += [*steps, "B" if fill and stroke else "f" if fill else "S"]


def _color(text):
    if text in (None, "none", "transparent") or text.startswith("url"):
        return None
    rgb = NAMED.get(text) or tuple(int(text[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return " ".join(f"{part:.3g}" for part in rgb)


def _text(element, style, lines):
    """Show a string: characters that Helvetica lacks in Symbol, and characters of neither as a question mark."""
    words, size = element.text or "", float(style["font-size"])
    bold = style.get("font-weight") == "bold"
    width = text_width(words, size, bold) / ROOM
    shift = {"middle": 0.5, "end": 1.0}.get(style.get("text-anchor"), 0.0) * width
    x, y = float(element.get("x", 0)) - shift, float(element.get("y", 0))
    lines.append(f"BT {_color(style['fill'])} rg 1 0 0 -1 {x:.2f} {y:.2f} Tm")
    for part in re.findall(f"[{''.join(SYMBOLS)}]+|[^{''.join(SYMBOLS)}]+", words):
        is_symbol = part[0] in SYMBOLS
        codes = bytes(SYMBOLS[c] for c in part) if is_symbol else part.encode("cp1252", "replace")
        lines.append(f"/{'S' if is_symbol else 'B' if bold else 'F'} {size:g} Tf <{codes.hex()}> Tj")
    lines.append("ET")


def _rect(element):
    x, y, width, height, radius = (
        float(element.get(name, "0").replace("100%", "1e4")) for name in ("x", "y", "width", "height", "rx")
    )
    if not radius:
        return [f"{x:.2f} {y:.2f} {width:.2f} {height:.2f} re"]
    return _rounded(x, y, width, height, min(radius, width / 2), min(radius, height / 2))


def _ellipse(element):
    x, y, rx, ry = (float(element.get(name)) for name in ("cx", "cy", "rx", "ry"))
    return _rounded(x - rx, y - ry, 2 * rx, 2 * ry, rx, ry)


def _rounded(x, y, width, height, rx, ry):
    right, bottom, kx, ky = x + width, y + height, rx * (1 - KAPPA), ry * (1 - KAPPA)
    curves = (
        (right - rx, y, right - kx, y, right, y + ky, right, y + ry),
        (right, bottom - ry, right, bottom - ky, right - kx, bottom, right - rx, bottom),
        (x + rx, bottom, x + kx, bottom, x, bottom - ky, x, bottom - ry),
        (x, y + ry, x, y + ky, x + kx, y, x + rx, y),
    )
    steps = [f"{x + rx:.2f} {y:.2f} m"]
    for a, b, *curve in curves:
        steps += [f"{a:.2f} {b:.2f} l", " ".join(f"{number:.2f}" for number in curve) + " c"]
    return [*steps, "h"]


def _points(element):
    numbers = list(map(float, NUMBER.findall(element.get("points"))))
    steps = [f"{x:.2f} {y:.2f} {'l' if k else 'm'}" for k, (x, y) in enumerate(zip(numbers[::2], numbers[1::2]))]
    return steps + (["h"] if element.tag == "polygon" else [])


def _path(element):
    """Return the steps of a path: lines and cubic curves, absolute or relative."""
    steps, x, y, start = [], 0.0, 0.0, (0.0, 0.0)
    for letter, text in STEP.findall(element.get("d")):
        numbers, relative = list(map(float, NUMBER.findall(text))), letter.islower()
        kind = letter.upper()
        if kind == "Z":
            steps.append("h")
            x, y = start
            continue
        size = {"H": 1, "V": 1, "C": 6}.get(kind, 2)
        for k in range(0, len(numbers), size):
            part = numbers[k : k + size]
            if size == 1:
                part = [part[0] + x * relative, y] if kind == "H" else [x, part[0] + y * relative]
            elif relative:
                part = [number + (y if n % 2 else x) for n, number in enumerate(part)]
            move = kind == "M" and not k
            steps.append(" ".join(f"{number:.2f}" for number in part) + (" m" if move else " c" if size == 6 else " l"))
            x, y = part[-2:]
            start = (x, y) if move else start
    return steps


SHAPES = {"rect": _rect, "ellipse": _ellipse, "polygon": _points, "polyline": _points, "path": _path}


def _document(content, width, height, title):
    """Return a document of a single page."""
    packed = compress(content)
    fonts = "/F 5 0 R /B 6 0 R /S 7 0 R"
    helvetica = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica{} /Encoding /WinAnsiEncoding >>"
    name = title.encode("utf-16-be").hex()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.2f} {height:.2f}] /Contents 4 0 R"
        f" /Resources << /Font << {fonts} >> >> >>".encode(),
        f"<< /Length {len(packed)} /Filter /FlateDecode >>\nstream\n".encode() + packed + b"\nendstream",
        helvetica.format("").encode(),
        helvetica.format("-Bold").encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>",
        f"<< /Title <feff{name}> >>".encode(),
    ]
    out, places = bytearray(b"%PDF-1.7\n"), []
    for k, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{k} 0 obj\n".encode() + body + b"\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    count = len(objects) + 1
    end = f"xref\n0 {count}\n0000000000 65535 f \n{table}trailer\n<< /Size {count} /Root 1 0 R /Info 8 0 R >>\n"
    return bytes(out) + f"{end}startxref\n{len(out)}\n%%EOF\n".encode()
