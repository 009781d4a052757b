"""Notes: what runs take down, on the disk and in the memory of those who read it; imports neither nodes nor modules.

Reading order: `note` (the class that users have); `taken` (what can be taken down), `json_lines`, `segment`,
`run_files` and `writer` (how it is written); `region`, `recorded_values`, `series` and `reader` (how it is read);
`packing` (a run in one file), `finding` (runs in folders).
"""
