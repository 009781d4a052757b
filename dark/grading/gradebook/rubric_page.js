"use strict";
// The fields of each student, and the rubric that they make. All text of students is set as text, never as HTML.

/** Return a string of TOML. */
function quoted(text) {
  return JSON.stringify(text).replace(/\u007f/g, "\\u007f").replace(/\\ud[89a-f][0-9a-f]{2}/gi, "\\ufffd");
}

/** Return the rubric as TOML; each mark has the keys of an entry. */
function rubric(marks) {
  const lines = ["# Made by REPORT/teacher/rubric.html for `dark grade --rubric`."];
  for (const mark of marks) {
    lines.push("", "[[mark]]");
    for (const key of ["student", "exercise", "points", "of", "comment"]) {
      const value = mark[key];
      if (value !== "" && value !== null && value !== undefined)
        lines.push(`${key} = ${typeof value === "number" ? String(value) : quoted(value)}`);
    }
  }
  return lines.join("\n") + "\n";
}

/** Return the marks of fields that are filled in: {student, exercise, points (text), of, comment}. */
function filled(fields) {
  const marks = [];
  for (const { student, exercise, points, of, comment } of fields) {
    const mark = { student, exercise };
    if (points.trim() !== "") {
      mark.points = Number(points);
      if (of !== null && of !== undefined) mark.of = of;
    }
    if (comment.trim() !== "") mark.comment = comment;
    if ("points" in mark || "comment" in mark) marks.push(mark);
  }
  return marks;
}

/** Return the marks of this row: those by its name before those by the id of the student. */
function marksOf(row, marks) {
  const names = [row.id, row.name.replace(/^'/, "")].filter((name) => name);
  const found = new Map();
  for (const name of names)
    for (const mark of marks) if (mark.student.replace(/^'/, "") === name) found.set(mark.exercise, mark);
  return found;
}

/** Build the page. */
function build(data) {
  const place = document.getElementById("class");
  const parts = new Map();
  for (const mark of data.marks) if (mark.of !== null) parts.set(mark.exercise, mark.of);
  const fields = [];

  function make(tag, text, attributes = {}) {
    const element = document.createElement(tag);
    if (text) element.textContent = text;
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  }

  function addLine(table, row, known, { name, label, most, of }) {
    const mark = known.get(name);
    const line = make("tr");
    const points = make("input", "", { type: "number", step: "0.01", "aria-label": `points of ${row.shown}, ${label}` });
    if (most > 0) Object.assign(points, { min: "0", max: String(most) });
    points.value = mark && mark.points !== null ? String(mark.points) : "";
    const comment = make("textarea", "", { rows: "1", "aria-label": `comment for ${row.shown}, ${label}` });
    comment.value = mark ? mark.comment : "";
    const cells = [make("td", label), make("td"), make("td")];
    if (name !== "") cells[1].append(points);
    cells[2].append(comment);
    line.append(...cells);
    table.append(line);
    fields.push({ student: row.name, exercise: name, of, points, comment });
  }

  const tables = data.rows.map((row) => {
    const known = marksOf(row, data.marks);
    const box = make("details");
    if (known.size) box.open = true;
    box.append(make("summary", `${row.shown}: ${row.failed}`));
    if (row.page) box.append(make("a", "What the student sees", { href: `../${row.page}` }));
    const table = make("table");
    const head = make("tr");
    head.append(...["exercise", "points", "comment"].map((text) => make("th", text, { scope: "col" })));
    table.append(head);
    addLine(table, row, known, { name: "", label: "the whole submission", most: 0, of: null });
    for (const { name, status, points, earned } of row.exercises) {
      if (parts.has(name)) continue;
      const label = `${name}: ${status}, ${earned} of ${points}`;
      addLine(table, row, known, { name, label, most: points, of: null });
    }
    for (const [name, of] of parts) addLine(table, row, known, { name, label: `${name}: of ${of}`, most: of, of });
    box.append(table);
    place.append(box);
    return { row, table };
  });

  document.getElementById("add").addEventListener("click", () => {
    const name = (window.prompt("Name of the part, such as report") || "").trim();
    const of = name && Number(window.prompt(`Most points of ${name}; 0 for a bonus or a deduction`, "5"));
    const taken = parts.has(name) || data.rows.some((row) => row.exercises.some((each) => each.name === name));
    if (!name || taken || !(of >= 0)) return;
    parts.set(name, of);
    for (const { row, table } of tables)
      addLine(table, row, new Map(), { name, label: `${name}: of ${of}`, most: of, of });
  });

  document.getElementById("download").addEventListener("click", () => {
    const wrong = fields.find(({ points }) => !points.checkValidity());
    if (wrong) {
      wrong.points.closest("details").open = true;
      wrong.points.reportValidity();
      return;
    }
    const values = fields.map((each) => ({ ...each, points: each.points.value, comment: each.comment.value }));
    const marks = filled(values);
    const link = make("a", "", { download: "rubric.toml" });
    link.href = URL.createObjectURL(new Blob([rubric(marks)], { type: "application/toml" }));
    link.click();
    URL.revokeObjectURL(link.href);
    document.getElementById("said").textContent = `${marks.length} marks downloaded.`;
  });
}

if (typeof document !== "undefined") build(JSON.parse(document.getElementById("data").textContent));
if (typeof module !== "undefined") module.exports = { quoted, rubric, filled, marksOf };
