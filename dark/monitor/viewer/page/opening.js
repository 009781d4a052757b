// What the viewer does when its runs change: they are opened, they grow, they are aligned.
import { nearestIndex, union } from "./cursor.js";
import { loadFindings } from "./findings.js";
import { plotted, stateFor } from "./state.js";

// Show runs, with the cursor at the end.
export async function openAll(viewer, runs) {
  await Promise.all(runs.map((run) => run.refresh()));
  viewer.runs = runs;
  viewer.found = [];
  viewer.nextDiagnosis = 0;
  updateTimeline(viewer);
  viewer.state = { ...stateFor(viewer.state, runs[0]), at: Math.max(0, viewer.timeline.length - 1) };
  viewer.fillTrees();
  viewer.state.shown.forEach((name) => viewer.scalarTree.reveal(name));
  viewer.tensorTree.reveal(viewer.state.tensor);
  viewer.drawTrees();
  await viewer.loadScalars();
  await viewer.draw();
  loadFindings(viewer);
}

// The steps of all runs; if runs are aligned, each begins at 0.
function updateTimeline(viewer) {
  for (const run of viewer.runs) run.offset = viewer.state.plot.isAligned ? run.firstOn("step") : 0;
  viewer.timeline = union(...viewer.runs.map((run) => run.alignedTimeline()));
}

// A run has grown: a cursor on the last step stays on the last step.
export async function grow(viewer) {
  const { state, timeline } = viewer;
  const wasLast = state.at >= timeline.length - 1;
  const step = timeline[state.at];
  const isFirst = timeline.length === 0 || state.tensor === null || state.shown.size === 0;
  updateTimeline(viewer);
  if (isFirst) viewer.state = stateFor(state, viewer.runs[0]);
  viewer.state = { ...viewer.state, at: wasLast ? Math.max(0, viewer.timeline.length - 1) : nearestIndex(viewer.timeline, step) };
  viewer.fillTrees();
  await viewer.loadScalars();
  await viewer.draw();
  loadFindings(viewer);
}

// Change how the scalars are plotted; the cursor stays where it was in the first run.
export function setPlot(viewer, more) {
  const [first] = viewer.runs;
  const step = (viewer.timeline[viewer.state.at] ?? 0) + first.offset;
  viewer.state = plotted(viewer.state, more);
  updateTimeline(viewer);
  viewer.state = { ...viewer.state, at: nearestIndex(viewer.timeline, step - first.offset) };
  return viewer.draw();
}
