// All tests of the explorer in one process, which is faster than one for each file.
import "./arrays.test.js";
import "./backward.test.js";
import "./camera.test.js";
import "./frames.test.js";
import "./keys.test.js";
import "./lanes.test.js";
import "./painting.test.js";
import "./search.test.js";
import "./walk.test.js";
