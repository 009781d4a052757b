"""Pictures of networks and their training, most of them made with matplotlib.

Reading order: `figure_picture` (a figure that displays itself), `training_curves`, `confusion_matrix`,
`path_on_curve`; `pca_plane` and `loss_landscape`; `timeline` (the events of a run); `module_tree_data` and
`module_tree` (a network as a tree), `formula` (a loss as a tree).
"""
