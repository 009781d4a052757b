"""The viewer of runs: in the notebook, in the browser, and as one file.

Reading order: `answers` (what the page can ask), `summaries`, `page` (the scripts in the folder `page`, put together);
then the three homes: `widget`, `server`, `exported`.
"""
