// All tests in one process, which is faster than one for each file.
import "./cursor.test.js";
import "./grid.test.js";
import "./keys.test.js";
import "./look.test.js";
import "./sources.test.js";
import "./state.test.js";
import "./tree.test.js";
