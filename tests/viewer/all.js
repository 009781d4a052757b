// All tests in one process, which is faster than one for each file.
import "./colors.test.js";
import "./cursor.test.js";
import "./keys.test.js";
import "./look.test.js";
import "./numbers.test.js";
import "./scene.test.js";
import "./sources.test.js";
import "./tiles.test.js";
import "./tree.test.js";
