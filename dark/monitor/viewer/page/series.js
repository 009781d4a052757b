// Which chart a scalar belongs to, and how its lines are called and told apart.

const SETS = /^(train|training|val|valid|validation|test|eval)$/i;
const SET_AROUND = /^(?:train|training|val|valid|validation|test|eval)[_-](?=.)|(?<=.)[_-](?:train|training|val|valid|validation|test|eval)$/i;
const MOST_NAMED = 12; // entries in the legend of a chart; the table has all lines
export const LETTERS = "ABCDEFGHIJKL"; // of the runs

// The chart of a scalar: the first part of its name, without the set of data; "val/loss" and "train_loss" are "loss".
export function chartOf(name) {
  const parts = name.split("/");
  const [first] = parts.length > 1 && SETS.test(parts[0]) ? parts.slice(1) : parts;
  return first.replace(SET_AROUND, "") || first;
}

// A scalar within its chart: what its name has beside that of the chart.
export function shortName(name, chart) {
  if (name === chart) return name;
  return name.startsWith(`${chart}/`) ? name.slice(chart.length + 1) : name;
}

// Lines as charts, in the order of their first series: { title, lines }.
export function chartsOf(lines) {
  const charts = new Map();
  for (const line of lines) {
    const title = chartOf(line.name);
    if (!charts.has(title)) charts.set(title, { title, lines: [] });
    charts.get(title).lines.push(line);
  }
  return [...charts.values()];
}

// The numbers of the color and of the marker of each line of a chart. With several runs the color is
// the run, and its letter stands at the end of its first line; the marker is then the series, or the run if there is one.
export function distinguished({ lines }, runCount) {
  const names = [...new Set(lines.map(({ name }) => name))];
  return lines.map((line) => {
    const series = names.indexOf(line.name);
    if (runCount === 1) return { ...line, color: series, marker: names.length > 1 ? series : null, letter: "", hasLetter: false };
    return { ...line, color: line.which, marker: names.length > 1 ? series : line.which, letter: LETTERS[line.which], hasLetter: series === firstOf(lines, line.which, names) };
  });
}

// The place of the first series that a run has.
function firstOf(lines, which, names) {
  return Math.min(...lines.filter((line) => line.which === which).map(({ name }) => names.indexOf(name)));
}

// The entries of the legend: a sample and a text. Of several runs, their colors, and then the markers of the series.
export function legendOf(lines, title) {
  if (lines.length < 2) return [];
  const runs = [...new Map(lines.map((line) => [line.letter, line])).values()], names = [...new Map(lines.map((line) => [line.name, line])).values()];
  const entries = runs.length === 1
    ? lines.map((line) => [line, shortName(line.name, title)])
    : [...runs.map((line) => [{ ...line, marker: names.length > 1 ? null : line.marker }, line.letter]), ...(names.length > 1 ? names.map((line) => [{ ...line, stroke: "currentColor" }, shortName(line.name, title)]) : [])];
  return entries.length > MOST_NAMED ? [...entries.slice(0, MOST_NAMED - 1), [null, `and ${entries.length - MOST_NAMED + 1} more`]] : entries;
}
