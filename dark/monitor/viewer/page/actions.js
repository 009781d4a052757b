// What the keys and buttons do to the viewer.
import { nextAxis } from "./axes.js";
import { isMove, playPace } from "./cursor.js";
import { openDialog } from "../../../pages/parts/dialog.js";
import { aboutDialog, helpDialog, openDialogBox, saveDialog } from "./panels/dialogs.js";
import { Run } from "./sources/runs.js";
import { saveShown } from "./save.js";
import { acted } from "./state.js";

const FRAME = 100; // milliseconds of a picture while playing
const ZOOMS = { zoomIn: 0.5, zoomOut: 2, zoomAll: Infinity };

const OWN = {
  help: (viewer) => openDialog(viewer.root, helpDialog()),
  about: (viewer) => openDialog(viewer.root, aboutDialog(viewer.runs)),
  save: (viewer) => openDialog(viewer.root, saveDialog((what, format) => saveShown(viewer, what, format).catch((error) => viewer.report(error)))),
  open: openBox,
  search: (viewer) => viewer.search.focus(),
  close: closeOne,
  axis: (viewer) => viewer.setPlot({ axis: nextAxis(viewer.runs, viewer.state.plot.axis) }),
  align: (viewer) => viewer.setPlot({ isAligned: !viewer.state.plot.isAligned }),
  nextFinding: (viewer) => walkFindings(viewer, 1),
  previousFinding: (viewer) => walkFindings(viewer, -1),
};

// Do what an action asks for: some open a dialog, the others change the state, which is then drawn.
export function perform(viewer, action) {
  if (action in OWN) return OWN[action](viewer);
  if (action in ZOOMS) return viewer.scalars.zoomBy(ZOOMS[action]);
  viewer.state = acted(viewer.state, action, { count: viewer.timeline.length, names: viewer.tensorTree.found(), isDeep: viewer.tensors.isDeep });
  if (action === "play") return play(viewer);
  if (isMove(action)) return viewer.drawStep();
  if (/Tensor|Group/.test(action)) viewer.showChoice();
  return viewer.draw();
}

function walkFindings(viewer, way) {
  const next = viewer.findings.next(viewer.state.finding, way);
  return next === viewer.state.finding ? null : viewer.openFinding(next);
}

async function openBox(viewer) {
  const { header } = await viewer.ask({ ask: "runs" });
  const report = (error) => viewer.report(error);
  openDialog(viewer.root, openDialogBox({
    known: header.runs,
    hasSeveral: viewer.runs.length > 1,
    open: (name, how) => viewer.open(new Run(viewer.ask, name), how).catch(report),
    openFile: (file, how) => viewer.openFile(file, how).catch(report),
    closeLast: () => viewer.closeLast(),
  }));
}

// End one thing: playing, the search, the open finding, the tensors that are kept in sight, the last of several runs.
function closeOne(viewer) {
  const { search, state } = viewer;
  if (state.isPlaying) return perform(viewer, "play");
  if (search.value) {
    search.value = "";
    viewer.searchTrees();
    return viewer.root.focus();
  }
  if (search === search.getRootNode().activeElement) return viewer.root.focus();
  if (state.finding !== null) return viewer.openFinding(null);
  if (state.kept.size) return viewer.keepTensors([...state.kept]);
  return viewer.closeLast();
}

// Move the cursor to the end, a picture at a time, until it is there or the state says otherwise.
async function play(viewer) {
  const { time, timeline } = viewer;
  const last = timeline.length - 1;
  time.show(viewer.state.at, timeline, viewer.state.isPlaying);
  if (!viewer.state.isPlaying) return;
  if (viewer.state.at >= last) viewer.state = { ...viewer.state, at: 0 };
  while (viewer.state.isPlaying && !viewer.isStopped) {
    const begun = performance.now();
    await viewer.drawStep();
    await new Promise((resolve) => setTimeout(resolve, Math.max(10, FRAME - (performance.now() - begun))));
    const { at, isPlaying } = viewer.state;
    const isOver = at >= viewer.timeline.length - 1;
    if (isOver) viewer.state = { ...viewer.state, isPlaying: false };
    else if (isPlaying) viewer.state = { ...viewer.state, at: Math.min(viewer.timeline.length - 1, at + playPace(viewer.timeline.length)) };
  }
  time.show(viewer.state.at, viewer.timeline, false);
}
