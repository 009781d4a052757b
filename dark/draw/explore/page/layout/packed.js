// A scene as a few typed arrays, which a worker hands over without copying, and back.

export function packedScene(scene) {
  const boxes = [...scene.boxes, ...scene.frames];
  const ids = Int32Array.from(boxes, ([id]) => id);
  const rects = Float64Array.from(boxes.flatMap(([, { x, y, width, height, isLeaf }]) => [x, y, width, height, Number(Boolean(isLeaf))]));
  const ends = new Int32Array(5 * scene.edges.length);
  const points = new Float64Array(scene.edges.reduce((sum, edge) => sum + 2 * edge.points.length, 0));
  const pairs = new Int32Array(scene.edges.reduce((sum, edge) => sum + edge.pairs.length, 0));
  let at = 0, atPair = 0;
  scene.edges.forEach((edge, k) => {
    ends.set([edge.u, edge.target ?? -1, edge.points.length, edge.pairs.length, Number(Boolean(edge.isLong))], 5 * k);
    for (const [x, y] of edge.points) {
      points[at] = x;
      points[at + 1] = y;
      at += 2;
    }
    pairs.set(edge.pairs, atPair);
    atPair += edge.pairs.length;
  });
  const order = Int32Array.from(scene.order);
  return { size: scene.size, boxCount: scene.boxes.size, ids, rects, ends, points, pairs, order };
}

// The buffers of a packed scene.
export function buffersOf(packed) {
  return Object.values(packed).filter((thing) => ArrayBuffer.isView(thing)).map((view) => view.buffer);
}

export function unpackedScene({ size, boxCount, ids, rects, ends, points, pairs, order }) {
  const scene = { boxes: new Map(), frames: new Map(), edges: new Array(ends.length / 5), order: [...order], size };
  ids.forEach((id, k) => {
    const [x, y, width, height, isLeaf] = rects.subarray(5 * k, 5 * k + 5);
    if (k >= boxCount) scene.frames.set(id, { x, y, width, height });
    else scene.boxes.set(id, isLeaf ? { x, y, width, height, isLeaf: true } : { x, y, width, height });
  });
  let at = 0, atPair = 0;
  for (let k = 0; k < scene.edges.length; k += 1) {
    const [u, target, count, many, isLong] = ends.subarray(5 * k, 5 * k + 5);
    const found = new Array(count);
    for (let n = 0; n < count; n += 1, at += 2) found[n] = [points[at], points[at + 1]];
    const edge = { u, target: target < 0 ? null : target, points: found, pairs: [...pairs.subarray(atPair, atPair + many)] };
    scene.edges[k] = isLong ? { ...edge, isLong: true } : edge;
    atPair += many;
  }
  return scene;
}
