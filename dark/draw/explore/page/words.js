// What is said of a node or module: for the live text, the details and the lists.
import { numberText, statisticsText } from "../../../pages/parts/numbers.js";
import { inputsShown, usersShown } from "./walk.js";

const MOST_LISTED = 6;

export function shapeOf(node) {
  return node.shape === undefined ? "" : node.shape.length ? `${node.dtype ?? ""} (${node.shape.join(", ")}${node.shape.length === 1 ? "," : ""})`.trim() : node.dtype ?? "";
}

// A value or gradient in words; "" if it is missing.
function fieldText(graph, id, field) {
  const found = graph.field(id, field);
  if (!found) return "";
  if (found.text !== undefined) return found.text;
  return found.number !== undefined ? numberText(found.number, 7) : statisticsText(found.statistics);
}

function listed(graph, ids) {
  const words = ids.slice(0, MOST_LISTED).map((id) => graph.titleOf(id));
  return ids.length > MOST_LISTED ? `${words.join(", ")} and ${ids.length - MOST_LISTED} more` : words.join(", ");
}

// The sentence by which a screen reader describes what is chosen.
export function sentenceOf(graph, id, isOpen) {
  const inputs = inputsShown(graph, id, isOpen), users = usersShown(graph, id, isOpen);
  const ends = `${inputs.length ? `Inputs: ${listed(graph, inputs)}.` : "No inputs."} ${users.length ? `Used by: ${listed(graph, users)}.` : "Not used further."}`;
  if (graph.isModule(id)) {
    const module = graph.modules[id - graph.count];
    return `Module ${module.title}, ${isOpen(id - graph.count) ? "open" : "closed"}, ${module.lines.filter(([role]) => role === "value").map(([, text]) => text).join(", ")}. ${ends}`;
  }
  const node = graph.nodes[id];
  const value = fieldText(graph, id, "value"), grad = fieldText(graph, id, "grad");
  const head = [node.name, ["result", "detached"].includes(node.role) ? `result of ${node.operation}` : node.role].filter(Boolean).join(", ");
  const shape = node.results ? `results: ${node.results.join("; ")}` : shapeOf(node);
  return `${node.mark ? `${node.mark}: ` : ""}${head}${shape ? `, ${shape}` : ""}. ${value ? `Value: ${value}. ` : ""}${grad ? `Gradient: ${grad}. ` : "No gradient. "}${ends}`;
}
