-- The embedded log. `frames` and `keys` are the truth; `streams` and the indexes are derived
-- from `frames` and made again by `rebuild`.
--
-- place     (stream number << 32) | seq: a stream's frames lie side by side in sequence order,
--           and every index on frames ends in it, so "type, then place" needs no wider key.
-- commit_no Counts the commits of this log; frames of one append share it.
-- sum       A checksum of the columns that no chain hash covers. Rows of format 1 may have none.

-- name: tables
CREATE TABLE frames (
  place     INTEGER PRIMARY KEY,
  commit_no INTEGER NOT NULL,
  id        TEXT NOT NULL,
  type      TEXT NOT NULL,
  hash      BLOB NOT NULL,
  body      BLOB NOT NULL,
  sum       INTEGER
) STRICT;
CREATE TABLE keys (
  key     TEXT PRIMARY KEY,
  request TEXT NOT NULL,
  first   INTEGER NOT NULL,
  last    INTEGER NOT NULL,
  sum     INTEGER
) STRICT, WITHOUT ROWID;

-- name: lacking_sums
SELECT 'ALTER TABLE ' || made.name || ' ADD COLUMN sum INTEGER;' FROM sqlite_schema AS made
WHERE made.type = 'table' AND made.name IN ('frames', 'keys')
AND NOT EXISTS (SELECT 1 FROM pragma_table_info(made.name) AS c WHERE c.name = 'sum');

-- name: derived
CREATE TABLE streams (
  n           INTEGER PRIMARY KEY,
  stream_id   TEXT NOT NULL UNIQUE,
  stream_kind TEXT NOT NULL,
  seq         INTEGER NOT NULL,
  hash        BLOB NOT NULL,
  touched     INTEGER NOT NULL
) STRICT;
CREATE INDEX streams_by_touched ON streams (touched);
CREATE UNIQUE INDEX frames_by_id ON frames (id);
CREATE INDEX frames_by_type ON frames (type);

-- name: drop_derived
DROP TABLE IF EXISTS streams;
DROP INDEX IF EXISTS frames_by_id;
DROP INDEX IF EXISTS frames_by_type;

-- name: connect
PRAGMA synchronous = FULL;
PRAGMA mmap_size = 0;

-- name: application
PRAGMA application_id;

-- name: format
PRAGMA user_version;

-- name: head
SELECT stream_id, stream_kind, seq, hash, touched FROM streams WHERE stream_id = ?;

-- name: heads
SELECT stream_id, stream_kind, seq, hash, touched FROM streams WHERE touched > ? ORDER BY touched;

-- name: find
SELECT stream_id FROM streams WHERE stream_id >= ?1 AND stream_id < ?1 || 'g' ORDER BY stream_id LIMIT ?2;

-- name: number
SELECT n FROM streams WHERE stream_id = ?;

-- name: append_head
SELECT n, stream_kind, seq, hash, (SELECT max(touched) FROM streams) + 1 FROM streams WHERE stream_id = ?;

-- name: new_stream
SELECT max(coalesce((SELECT max(place) FROM frames) >> 32, 0), coalesce((SELECT max(n) FROM streams), 0)) + 1,
       coalesce((SELECT max(touched) FROM streams), 0) + 1;

-- name: insert_frames
INSERT INTO frames (place, commit_no, id, type, hash, body, sum) VALUES

-- name: insert_heads
INSERT INTO streams (n, stream_id, stream_kind, seq, hash, touched) VALUES

-- name: six_values
(?, ?, ?, ?, ?, ?)

-- name: seven_values
(?, ?, ?, ?, ?, ?, ?)

-- name: moving_them
ON CONFLICT (n) DO UPDATE SET seq = excluded.seq, hash = excluded.hash, touched = excluded.touched;

-- name: replace_body
UPDATE frames SET body = ? WHERE place = ? AND hash = ?;

-- name: standings
SELECT stream_id, n, stream_kind, seq, hash FROM streams WHERE stream_id IN (SELECT value FROM json_each(?));

-- name: taken
SELECT id FROM frames WHERE id IN (SELECT value FROM json_each(?));

-- name: insert_key
INSERT INTO keys (key, request, first, last, sum) VALUES (?, ?, ?, ?, ?);

-- name: key
SELECT request, first, last FROM keys WHERE key = ?;

-- name: keys
SELECT k.key, k.request, s.stream_id, k.first & 4294967295, k.last & 4294967295
FROM keys AS k JOIN streams AS s ON s.n = k.first >> 32 WHERE k.key > ? ORDER BY k.key LIMIT ?;

-- name: page
SELECT :stream, place & 4294967295, id, type, body, hash FROM frames
WHERE place BETWEEN :first AND :last ORDER BY place LIMIT :rows;

-- name: page_of_types
SELECT :stream, place & 4294967295, id, type, body, hash FROM (
  :arms ORDER BY place LIMIT :rows
) ORDER BY place;

-- name: arm_of_type
SELECT place, id, type, body, hash FROM frames WHERE type = :type AND place BETWEEN :first AND :last

-- name: frame
SELECT s.stream_id, f.place & 4294967295, f.id, f.type, f.body, f.hash
FROM frames AS f JOIN streams AS s ON s.n = f.place >> 32 WHERE f.id = ?;

-- name: placed
SELECT s.stream_id, f.place & 4294967295, f.id, f.type, f.body, f.hash
FROM frames AS f JOIN streams AS s ON s.n = f.place >> 32
WHERE f.place BETWEEN ? AND ? ORDER BY f.place;

-- name: count_of_type
SELECT count(*) FROM frames WHERE type = ? AND place BETWEEN ? AND ?;

-- name: quick_check
PRAGMA quick_check(20);

-- name: index_counts
SELECT (SELECT count(*) FROM frames NOT INDEXED),
       (SELECT count(*) FROM frames INDEXED BY frames_by_id WHERE id >= ''),
       (SELECT count(*) FROM frames INDEXED BY frames_by_type WHERE type >= '');

-- name: next_stream
SELECT min(n) FROM (
  SELECT min(place) >> 32 AS n FROM frames WHERE place >= ?1 << 32
  UNION ALL SELECT min(n) FROM streams WHERE n >= ?1
);

-- name: standing
SELECT s.stream_id, s.stream_kind, s.seq, s.hash, s.touched,
       f.place & 4294967295, f.hash, f.commit_no
FROM (SELECT max(place) AS last FROM frames WHERE place BETWEEN ?1 << 32 AND ?1 << 32 | 4294967295) AS top
LEFT JOIN frames AS f ON f.place = top.last LEFT JOIN streams AS s ON s.n = ?1;

-- name: bodies_back
SELECT body FROM frames WHERE place BETWEEN ?1 << 32 AND ?1 << 32 | 4294967295 ORDER BY place DESC;

-- name: body
SELECT body FROM frames WHERE place = ?;

-- name: frame_sums
SELECT place, commit_no, sum FROM frames WHERE place > ? ORDER BY place LIMIT ?;

-- name: key_sums
SELECT key, request, first, last, sum FROM keys WHERE key > ? ORDER BY key LIMIT ?;

-- name: row_count
SELECT (SELECT count(*) FROM frames) + (SELECT count(*) FROM keys);

-- name: fill_sums
UPDATE frames SET sum = row_sum(place, commit_no) WHERE sum IS NULL;
UPDATE keys SET sum = row_sum(key, request, first, last) WHERE sum IS NULL;

-- name: all_heads
SELECT n, stream_id, stream_kind, seq, hash, touched FROM streams ORDER BY n;

-- name: dangling_keys
SELECT key FROM keys AS k
WHERE (SELECT count(*) FROM frames WHERE place BETWEEN k.first AND k.last) <> k.last - k.first + 1;

-- name: drop_dangling_keys
DELETE FROM keys
WHERE (SELECT count(*) FROM frames WHERE place BETWEEN first AND last) <> last - first + 1;
