"""Computational graphs as plain data: nodes, boxes, groups of boxes, and the contributions of a backward pass.

Reading order: `graph_record` (a graph of any framework) with `numbered_calls` and `record_export` (as JSON); `traverse`
(nodes of `dark` and of similar classes), `boxes` (what a picture shows of a node), `descriptions` and `node_table` (the
graph in words); `near_root`, `grouping` and `quotient` (large graphs), `module_folding` and `repeated_blocks` (graphs
of modules); `contributions` and `backward_steps` (the backward pass).
"""
