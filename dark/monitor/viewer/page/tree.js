// The tree of series: names are split at "/" and ".", searched by words, and walked row by row.

// Split a name into labels that keep their separator: "weights/fc1.bias" is ["weights/", "fc1.", "bias"].
export function labelsOf(name) {
  return name.split(/(?<=[/.])(?=[^/.])/);
}

export function buildTree(names) {
  const root = { label: "", path: "", name: null, children: [] };
  const byPath = new Map([["", root]]);
  for (const name of names) {
    let above = root;
    let path = "";
    for (const label of labelsOf(name)) {
      path += label;
      const key = path.replace(/[/.]$/, "");
      if (!byPath.has(key)) {
        byPath.set(key, { label: label.replace(/[/.]$/, ""), separator: /[/.]$/.exec(label)?.[0] ?? "", path: key, name: null, children: [] });
        above.children.push(byPath.get(key));
      }
      above = byPath.get(key);
      above.separator = above.separator || (/[/.]$/.exec(label)?.[0] ?? "");
    }
    above.name = name;
  }
  return root.children.map(merged);
}

// A branch with a single child and no series of its own is one row with it.
function merged(node) {
  const children = node.children.map(merged);
  if (node.name === null && children.length === 1) {
    return { ...children[0], label: node.label + node.separator + children[0].label };
  }
  return { ...node, children };
}

// List the rows that are visible: all levels of open branches.
export function visibleRows(tree, isOpen, level = 1) {
  return tree.flatMap((node, k) => [
    { node, level, position: k + 1, siblings: tree.length },
    ...(node.children.length && isOpen(node.path) ? visibleRows(node.children, isOpen, level + 1) : []),
  ]);
}

export function leaves(tree) {
  return tree.flatMap((node) => [...(node.name === null ? [] : [node.name]), ...leaves(node.children)]);
}

export function branches(tree) {
  return tree.flatMap((node) => (node.children.length ? [node.path, ...branches(node.children)] : []));
}

// The names of a series and of all below it.
export function seriesBelow(node) {
  return [...(node.name === null ? [] : [node.name]), ...node.children.flatMap(seriesBelow)];
}

// Every word must occur; "*" stands for any characters, and "/" and "." are the same.
export function searched(names, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).map((word) => {
    const pieces = word.replace(/\./g, "/").split("*").map((piece) => piece.replace(/[\\^$+?()[\]{}|]/g, "\\$&"));
    return new RegExp(pieces.join(".*"));
  });
  return names.filter((name) => words.every((word) => word.test(name.toLowerCase().replace(/\./g, "/"))));
}

// All but the last part between slashes: the exemplar of a sample, or the kind of a statistic.
export function groupOf(name) {
  return name.includes("/") ? name.slice(0, name.lastIndexOf("/")) : "";
}

// The same tensor in the next group; the first of that group where it has no such tensor.
export function inNextGroup(names, name, way) {
  const groups = [...new Set(names.map(groupOf))];
  const at = groups.indexOf(groupOf(name));
  const group = groups[(at + way + groups.length) % groups.length];
  const own = groupOf(name);
  const rest = own === "" ? name : name.slice(own.length + 1);
  const wanted = group === "" ? rest : `${group}/${rest}`;
  return names.includes(wanted) ? wanted : names.find((other) => groupOf(other) === group) ?? name;
}

// The next name of the list; after the last comes the first.
export function nextName(names, name, way) {
  if (names.length === 0) return name;
  const at = names.indexOf(name);
  return at < 0 ? names[0] : names[(at + way + names.length) % names.length];
}
