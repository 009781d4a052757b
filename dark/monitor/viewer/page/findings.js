// The findings of the doctor: numbered over all runs, as marks of charts, and opened.
import { nearestIndex } from "./cursor.js";

const TIMES_SLOWER = 20; // times the duration of a diagnosis until a growing run is diagnosed again
const LEAST_PAUSE = 5000; // milliseconds

// All findings in one list, each with its number, counted from 1, and the number of its run.
export function numbered(diagnoses) {
  const all = diagnoses.flatMap((diagnosis, which) => (diagnosis?.findings ?? []).map((finding) => ({ ...finding, which })));
  return all.map((finding, k) => ({ ...finding, number: k + 1 }));
}

// The marks of findings on some lines: where their evidence is, and those of the open one on all charts. `xOf(line,
// step)` is a position, `lines` have run numbers, names, and what is drawn as steps and values.
export function flagsOf(findings, open, lines, xOf) {
  const flags = new Map();
  const add = (finding, x, value) => {
    const key = `${finding.number} ${x}`;
    if (Number.isFinite(x) && !flags.has(key)) flags.set(key, { number: finding.number, x, value });
  };
  findings.forEach((finding) => finding.evidence.filter(({ step }) => step !== null).forEach(({ series, step }) => {
    for (const line of lines.filter(({ name, which }) => name === series && which === finding.which)) {
      const x = xOf(line, step);
      add(finding, x, line.drawn.values[nearestIndex(line.drawn.steps, x)]);
    }
  }));
  const finding = findings[open];
  const line = finding && lines.find(({ which }) => which === finding.which);
  if (line) finding.steps.forEach((step) => add(finding, xOf(line, step), null));
  return [...flags.values()];
}

// Ask for the findings of all runs, and show them; of a run that grows, not too often.
export async function loadFindings(viewer) {
  const pause = viewer.nextDiagnosis - performance.now();
  clearTimeout(viewer.diagnosisTimer);
  if (pause > 0) {
    if (Number.isFinite(pause)) viewer.diagnosisTimer = setTimeout(() => loadFindings(viewer), pause);
    return;
  }
  viewer.nextDiagnosis = Infinity;
  const { runs } = viewer, begun = performance.now();
  const diagnoses = await Promise.all(runs.map((run) => run.findings().catch((error) => ({ error: error.message }))));
  viewer.nextDiagnosis = performance.now() + Math.max(LEAST_PAUSE, TIMES_SLOWER * (performance.now() - begun));
  if (viewer.isStopped) return;
  if (runs !== viewer.runs) {
    viewer.nextDiagnosis = 0;
    await loadFindings(viewer);
    return;
  }
  viewer.found = numbered(diagnoses);
  if (viewer.state.finding >= viewer.found.length) viewer.state = { ...viewer.state, finding: null };
  viewer.findings.show(runs, diagnoses, viewer.found, viewer.state.finding);
  viewer.drawScalars();
  if (runs.some((run) => run.diagnosis && run.diagnosis.version !== run.about.version)) loadFindings(viewer);
}

// The names of a finding's series that a run has, scalars and tensors.
function seriesIn(run, names) {
  return { scalars: names.filter((name) => run.scalarNames().includes(name)), tensor: names.find((name) => run.tensorNames().includes(name)) };
}

// Show series of a run, with the cursor at a step; a step of null leaves the cursor where it is.
export async function showSeries(viewer, which, names, step) {
  const run = viewer.runs[which];
  const { scalars, tensor } = seriesIn(run, names);
  const at = step === null || step === undefined ? viewer.state.at : nearestIndex(viewer.timeline, step - run.offset);
  viewer.state = { ...viewer.state, at, shown: new Set([...viewer.state.shown, ...scalars]), tensor: tensor ?? viewer.state.tensor };
  scalars.forEach((name) => viewer.scalarTree.reveal(name));
  viewer.scalarTree.draw();
  if (tensor) viewer.showChoice();
  await viewer.loadScalars();
  await viewer.draw();
  viewer.scalars.reveal(scalars[0]);
}

// Open a finding, and its series at its first step; null closes it, and so does the one that is open.
export async function openFinding(viewer, k) {
  const finding = k === viewer.state.finding ? null : viewer.found[k] ?? null;
  viewer.state = { ...viewer.state, finding: finding && k };
  viewer.findings.choose(viewer.state.finding);
  if (finding) await showSeries(viewer, finding.which, finding.series, finding.steps[0]);
  else await viewer.draw();
}
