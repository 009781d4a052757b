// The keys of the viewer. The help panel is made from this table.
import { actionIn, keysIn } from "../../../pages/parts/key_table.js";

export const KEYS = [
  { keys: ["h"], action: "back", text: "5 % of the steps back" },
  { keys: ["l"], action: "forward", text: "5 % of the steps forward" },
  { keys: ["p"], action: "previousStep", text: "previous step" },
  { keys: ["n"], action: "nextStep", text: "next step" },
  { keys: ["H"], action: "firstStep", text: "first step" },
  { keys: ["L"], action: "lastStep", text: "last step" },
  { keys: ["k"], action: "previousTensor", text: "previous tensor" },
  { keys: ["j"], action: "nextTensor", text: "next tensor" },
  { keys: ["K"], action: "previousGroup", text: "previous exemplar or group" },
  { keys: ["J"], action: "nextGroup", text: "next exemplar or group" },
  { keys: ["a"], action: "absolute", text: "absolute values" },
  { keys: ["v"], action: "values", text: "numbers in the cells" },
  { keys: ["c", " "], action: "unify", text: "one color range for all steps" },
  { keys: ["g"], action: "log", text: "symmetric logarithm of the tensor" },
  { keys: ["e"], action: "plain", text: "look for export: transposed, without title" },
  { keys: ["E"], action: "aspect", text: "real aspect ratio: square cells" },
  { keys: ["s"], action: "save", text: "save as PNG, SVG or CSV" },
  { keys: ["Ctrl-o"], action: "open", text: "open or compare another run" },
  { keys: ["Esc"], action: "close", text: "close the dialog, the search, the finding, the kept tensors, the last run" },
  { keys: ["t"], action: "histogram", text: "histograms over time" },
  { keys: ["d"], action: "difference", text: "difference of two runs" },
  { keys: ["C"], action: "separate", text: "a color range for each run, or one for all" },
  { keys: ["m"], action: "keepTensor", text: "keep the tensor in sight beside the next ones, or no longer" },
  { keys: ["G"], action: "scalarLog", text: "logarithm of the scalars; symmetric where a value is not positive" },
  { keys: ["X"], action: "stepLog", text: "logarithm of the steps" },
  { keys: ["x"], action: "axis", text: "steps, epochs, elapsed time, or time of day" },
  { keys: ["A"], action: "align", text: "align runs by their first step" },
  { keys: ["w"], action: "smoother", text: "smooth the scalars more" },
  { keys: ["W"], action: "rougher", text: "smooth them less" },
  { keys: ["f"], action: "nextFinding", text: "open the next finding of the doctor" },
  { keys: ["F"], action: "previousFinding", text: "open the previous finding" },
  { keys: ["+"], action: "zoomIn", text: "zoom in at the cursor" },
  { keys: ["-"], action: "zoomOut", text: "zoom out" },
  { keys: ["0"], action: "zoomAll", text: "show all steps" },
  { keys: ["."], action: "play", text: "play, pause" },
  { keys: ["/"], action: "search", text: "search the tree" },
  { keys: ["i"], action: "about", text: "about the run: configs, criteria, lines" },
  { keys: ["?"], action: "help", text: "this list" },
];

export function keysOf(action) {
  return keysIn(KEYS, action);
}

export function actionOf(event) {
  return actionIn(KEYS, event);
}
