// All tests of the shared parts in one process, which is faster than one for each file.
import "./colors.test.js";
import "./key_table.test.js";
import "./numbers.test.js";
import "./scene.test.js";
import "./tiles.test.js";
