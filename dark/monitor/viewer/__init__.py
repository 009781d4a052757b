"""The viewer of runs: in the notebook, in the browser, and as one file.

Reading order: `answers` (what the page can ask), `summaries` (of arrays), `moments` (steps, times and epochs), `page`
(the scripts in the folder `page`, joined); then the three homes: `widget`, `server`, `exported`; `views` (the public
functions, and which runs they open). The scripts begin with `homes.js`.
"""
