// The script of the worker: it gets the graph once, then sets of open modules, and answers with the packed scene of each.
import { Graph } from "../graph.js";
import { flattened, Layouts } from "./frames.js";
import { buffersOf, packedScene } from "./packed.js";

export function answerLayouts(place) {
  let layouts = null;
  place.onmessage = ({ data }) => {
    if (data.graph) {
      layouts = new Layouts(new Graph(data.graph));
      return;
    }
    layouts.openOnly(data.open);
    const packed = packedScene(flattened(layouts.graph, layouts));
    place.postMessage(packed, buffersOf(packed));
  };
}
