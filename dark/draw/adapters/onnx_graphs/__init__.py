"""The adapter of ONNX: models and files of them.

Reading order: `onnx_data` (the file, its arrays and types, the inputs that are given), `bodies` (the graphs in nodes,
and functions), `modules` (what PyTorch's exporters wrote), `runs` (the values), `graph` (the nodes), `model` (the
door).
"""
