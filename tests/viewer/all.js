// All tests in one process, which is faster than one for each file.
import "./axes.test.js";
import "./cursor.test.js";
import "./findings.test.js";
import "./grid.test.js";
import "./keys.test.js";
import "./look.test.js";
import "./scales.test.js";
import "./series.test.js";
import "./sources.test.js";
import "./state.test.js";
import "./tree.test.js";
