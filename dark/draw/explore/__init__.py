"""A page on which a graph is explored: pan and zoom, search, modules that open and close, arrays, the backward pass.

Python writes what the page shows as plain data; the page lays it out again whenever a module opens or closes, with the
same algorithm as `layered`, in JavaScript: a browser without Python must do that, and a graph of 10,000 nodes has more
states than could be laid out in advance. It lays out many boxes in a worker, whose script is a string in the page.

Reading order: `stored_arrays` (arrays within a number of bytes), `graph_data` (the graph), and `explorer_page`;
then the scripts in `page`, beginning with `graph.js`, `layout/frames.js`, `opening.js` and `explorer.js`.
"""
