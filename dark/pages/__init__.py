"""Single-file pages, which need neither a server nor a network: the viewer of a run, and the explorer of a graph.

Reading order: `bundle` joins scripts into one; `page_file` is the page that holds them; `thinning` chooses what is kept
of long series; `parts` are the scripts and styles that all pages share: elements, numbers, colors, heat maps, dialogs,
keys.
"""
