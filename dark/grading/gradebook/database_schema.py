"""The tables of a gradebook, and the views by which a teacher reads them with SQL.

::

    records    one row for each submission
      name       the submission, as in grades.csv
      record     its marks as JSON, as in results.json, without the manual marks
      reports    JSON: the feedback on each exercise, HTML by name of the exercise
      seal       a keyed hash of the other columns
    changes    one row for each mark that a later grading has changed; never deleted
      id         counts from 1
      change     JSON: name, exercise, before and after (each with status and earned), reason, at (UTC)
      seal       a keyed hash of the other columns
    documents  what is kept from run to run
      name       such as "rubric", or "answers of NAME", which --similarity has read
      content    JSON
      seal       a keyed hash of the other columns
    started    one row for each submission while it is graded
      slug       the name of its page, without ".html"

    submissions, exercises, history    views of the JSON, with a column for each value

The sha256 of a submission is the hash of its file; above 1 MiB, of the file without the outputs of its cells.

The views show the rows as they are; only `dark grade` has the key with which it recognizes its own rows.
"""

APPLICATION = 0x6461726B  # "dark", in the header of the file; the command `file` prints it
VERSION = 1
TABLES = """
CREATE TABLE records (name TEXT PRIMARY KEY, record TEXT NOT NULL, reports TEXT NOT NULL, seal TEXT NOT NULL);
CREATE TABLE changes (id INTEGER PRIMARY KEY, change TEXT NOT NULL, seal TEXT NOT NULL);
CREATE TABLE documents (name TEXT PRIMARY KEY, content TEXT NOT NULL, seal TEXT NOT NULL);
CREATE TABLE started (slug TEXT PRIMARY KEY);
CREATE VIEW submissions AS SELECT
    name,
    json_extract(record, '$.file') AS file,
    json_extract(record, '$.module') AS module,
    json_extract(record, '$.status') AS status,
    json_extract(record, '$.message') AS message,
    json_extract(record, '$.earned') AS earned,
    json_extract(record, '$.points') AS points,
    json_extract(record, '$.seed') AS seed,
    json_extract(record, '$.digest') AS sha256,
    json_extract(record, '$.elapsed_seconds') AS elapsed_seconds
FROM records;
CREATE VIEW exercises AS SELECT
    records.name AS name,
    json_extract(one.value, '$.module') AS module,
    json_extract(one.value, '$.exercise') AS exercise,
    json_extract(one.value, '$.status') AS status,
    json_extract(one.value, '$.earned') AS earned,
    json_extract(one.value, '$.points') AS points
FROM records, json_each(records.record, '$.exercises') AS one;
CREATE VIEW history AS SELECT
    id,
    json_extract(change, '$.name') AS name,
    json_extract(change, '$.exercise') AS exercise,
    json_extract(change, '$.before.status') AS status_before,
    json_extract(change, '$.before.earned') AS earned_before,
    json_extract(change, '$.after.status') AS status_after,
    json_extract(change, '$.after.earned') AS earned_after,
    json_extract(change, '$.reason') AS reason,
    json_extract(change, '$.at') AS at
FROM changes;
"""
