"""The findings of the experiments as a table, which the chapter on drawing graphs shows."""


def table_of(found):
    """Return the findings as a table in Markdown."""
    rows = list(next(iter(found.values())))
    lines = ["| | " + " | ".join(found) + " |", "|---|" + "---|" * len(found)]
    for row in rows:
        if row == "height":
            continue
        cells = [
            f"{each['width']} × {each['height']}" if row == "width" else _cell(each[row]) for each in found.values()
        ]
        lines.append(f"| {'size in pixels' if row == 'width' else row} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cell(thing):
    if thing is None:
        return ""
    return {True: "yes", False: "no"}.get(thing, str(thing)) if isinstance(thing, bool) else str(thing)
