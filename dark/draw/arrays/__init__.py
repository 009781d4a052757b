"""Pictures of arrays: their summaries, heat maps and grids of cells, and how two shapes broadcast.

Reading order: `array_summary` (an array in a few words), `heat_map`; `cell_grid` and `broadcast`
(`dark.draw.broadcasting`).
"""
