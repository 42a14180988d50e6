-- The log in PostgreSQL, one schema a workspace. `frames` and `keys` are the truth; `heads` and the
-- indexes are derived from `frames` and made again by `rebuild`.
--
-- Every key begins with the stream, so the tables can be spread by it: no sequence, no foreign key, and
-- one constraint across streams, the primary key of `keys`.
--
-- touched   The transaction that wrote the row, plus `clock.lift`. Whoever reads heads gets it cut down to
--           just below the oldest transaction under way, so that going on from there misses no commit.
-- lift      Raised when a dump was restored on a server that counts transactions from a lower number.
-- sum       A checksum of the columns that no chain hash covers. Older versions wrote none. A frame's is made of
--           its commit's and its seq: a digest for every row would cost large appends a twentieth of their rate.

-- name: migration 1
CREATE TABLE {schema}.frames (
  stream_id uuid   NOT NULL,
  seq       bigint NOT NULL,
  touched   bigint NOT NULL,
  id        uuid   NOT NULL,
  type      text   COLLATE "C" NOT NULL,
  hash      bytea  NOT NULL,
  body      bytea  NOT NULL,
  PRIMARY KEY (stream_id, seq)
);
CREATE INDEX frames_by_type ON {schema}.frames (stream_id, type, seq);
CREATE INDEX frames_by_id ON {schema}.frames (id);
CREATE TABLE {schema}.heads (
  stream_id   uuid   PRIMARY KEY,
  stream_kind text   NOT NULL,
  seq         bigint NOT NULL,
  hash        bytea  NOT NULL,
  touched     bigint NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX heads_by_touched ON {schema}.heads (touched);
CREATE TABLE {schema}.keys (
  key       text   COLLATE "C" PRIMARY KEY,
  request   text   NOT NULL,
  stream_id uuid   NOT NULL,
  first     bigint NOT NULL,
  last      bigint NOT NULL
);
CREATE TABLE {schema}.clock (lift bigint NOT NULL);
INSERT INTO {schema}.clock (lift) VALUES (0);

-- name: migration 2
-- A checksum of the row, so that `verify` notices a change; rows of older versions have none.
ALTER TABLE {schema}.keys ADD COLUMN sum bigint;

-- name: migration 3
ALTER TABLE {schema}.frames ADD COLUMN sum bigint;

-- name: migration 4
-- Whether every row must have a checksum: from the first on, or in a log of an older version since it was rebuilt.
ALTER TABLE {schema}.clock ADD COLUMN summed boolean NOT NULL DEFAULT false;
UPDATE {schema}.clock SET summed = NOT EXISTS (SELECT FROM {schema}.frames WHERE sum IS NULL)
                                   AND NOT EXISTS (SELECT FROM {schema}.keys WHERE sum IS NULL);

-- name: make_schema
CREATE SCHEMA {schema};
CREATE TABLE {schema}.migrations (version integer PRIMARY KEY, applied timestamptz NOT NULL DEFAULT now());

-- name: migrated
INSERT INTO {schema}.migrations (version) VALUES (%(version)s);

-- name: schema_there
SELECT to_regnamespace(%(name)s) IS NOT NULL;

-- name: version
SELECT coalesce(max(version), 0) FROM {schema}.migrations;

-- name: alone
SELECT pg_advisory_xact_lock(hashtextextended('segue ' || %(name)s, 0));

-- name: settle
SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit')
                                        WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false),
       set_config('lock_timeout', %(wait)s, false);

-- name: clock
SELECT lift, coalesce((SELECT max(touched) FROM {schema}.heads), 0) - lift
             - pg_snapshot_xmax(pg_current_snapshot())::text::bigint
FROM {schema}.clock;

-- name: lift
UPDATE {schema}.clock SET lift = lift + %(by)s;

-- name: commit_sum
('x' || left(encode(sha256(uuid_send(stream_id) || int8send(touched)), 'hex'), 16))::bit(64)::bigint

-- name: move_head
UPDATE {schema}.heads SET seq = %(last)s, hash = %(hash)b,
                          touched = pg_current_xact_id()::text::bigint + %(lift)s
WHERE stream_id = %(stream)s::uuid AND seq = %(expected)s AND hash = %(previous)b
RETURNING touched, {commit_sum} AS sum

-- name: make_head
INSERT INTO {schema}.heads (stream_id, stream_kind, seq, hash, touched)
VALUES (%(stream)s::uuid, %(kind)s, %(last)s, %(hash)b, pg_current_xact_id()::text::bigint + %(lift)s)
ON CONFLICT DO NOTHING RETURNING touched, {commit_sum} AS sum

-- name: take_key
INSERT INTO {schema}.keys (key, request, stream_id, first, last, sum)
SELECT %(key)s, %(request)s, %(stream)s::uuid, %(first)s, %(last)s, %(sum)s FROM head

-- name: append
WITH head AS ({head}){key}
INSERT INTO {schema}.frames (stream_id, seq, touched, id, type, hash, body, sum)
SELECT %(stream)s::uuid, %(first)s + f.n, head.touched, f.id, f.type, f.hash, f.body, head.sum # (%(first)s + f.n)
FROM head, {frames};

-- name: one_frame
(VALUES (0, %(id)s::uuid, %(type)s, %(hash)b, %(body)b)) AS f (n, id, type, hash, body)

-- name: many_frames
(SELECT n - 1, id, type, hash, body
 FROM unnest(%(ids)b::text[]::uuid[], %(types)b::text[], %(hashes)b::bytea[], %(bodies)b::bytea[])
 WITH ORDINALITY AS f (id, type, hash, body, n)) AS f (n, id, type, hash, body)

-- name: append_all
WITH asked AS (
  SELECT * FROM unnest(%(streams)b::text[]::uuid[], %(kinds)b::text[], %(expected)b::bigint[], %(previous)b::bytea[],
                       %(lasts)b::bigint[], %(heads)b::bytea[])
           AS asked (stream_id, stream_kind, expected, previous, seq, hash)
), moved AS (
  UPDATE {schema}.heads AS h SET seq = asked.seq, hash = asked.hash,
                                 touched = pg_current_xact_id()::text::bigint + %(lift)s
  FROM asked WHERE h.stream_id = asked.stream_id AND h.seq = asked.expected AND h.hash = asked.previous
  RETURNING h.stream_id, h.touched
), made AS (
  INSERT INTO {schema}.heads (stream_id, stream_kind, seq, hash, touched)
  SELECT stream_id, stream_kind, seq, hash, pg_current_xact_id()::text::bigint + %(lift)s FROM asked
  WHERE expected = -1 ON CONFLICT DO NOTHING RETURNING stream_id, touched
), key AS (
  INSERT INTO {schema}.keys (key, request, stream_id, first, last, sum)
  SELECT * FROM unnest(%(keys)b::text[], %(requests)b::text[], %(key_streams)b::text[]::uuid[],
                       %(key_firsts)b::bigint[], %(key_lasts)b::bigint[], %(key_sums)b::bigint[])
)
INSERT INTO {schema}.frames (stream_id, seq, touched, id, type, hash, body, sum)
SELECT stream_id, f.seq, head.touched, f.id, f.type, f.hash, f.body, head.sum # f.seq
FROM unnest(%(frame_streams)b::text[]::uuid[], %(seqs)b::bigint[], %(ids)b::text[]::uuid[], %(types)b::text[],
            %(bodies)b::bytea[], %(hashes)b::bytea[]) AS f (stream_id, seq, id, type, body, hash)
JOIN (SELECT stream_id, touched, {commit_sum} AS sum
      FROM (SELECT * FROM moved UNION ALL SELECT * FROM made) AS done) AS head USING (stream_id);

-- name: head
SELECT stream_id::text, stream_kind, seq, hash, touched FROM {schema}.heads WHERE stream_id = %(stream)s::uuid;

-- name: lock_heads
SELECT stream_id::text, stream_kind, seq, hash, touched FROM {schema}.heads
WHERE stream_id = ANY (%(streams)s::uuid[]) ORDER BY stream_id FOR UPDATE;

-- name: heads
SELECT stream_id::text, stream_kind, seq, hash,
       least(touched, clock.lift + pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1)
FROM {schema}.heads, {schema}.clock WHERE touched > %(since)s ORDER BY touched, stream_id;

-- name: now
SELECT lift + pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1 FROM {schema}.clock;

-- name: find
SELECT stream_id::text FROM {schema}.heads
WHERE stream_id BETWEEN %(low)s::uuid AND %(high)s::uuid ORDER BY stream_id LIMIT %(limit)s;

-- name: used_keys
SELECT key, request, stream_id::text, first, last FROM {schema}.keys WHERE key = ANY (%(keys)s::text[]);

-- name: keys
SELECT key, request, stream_id::text, first, last FROM {schema}.keys
WHERE key > %(after)s ORDER BY key LIMIT %(rows)s;

-- name: adopt_key
INSERT INTO {schema}.keys (key, request, stream_id, first, last, sum)
SELECT %(key)s, %(request)s, stream_id, %(first)s, %(last)s, %(sum)s FROM {schema}.heads
WHERE stream_id = %(stream)s::uuid AND seq >= %(last)s ON CONFLICT DO NOTHING;

-- name: frame
SELECT stream_id::text, seq, id::text, type, body, hash FROM {schema}.frames WHERE id = %(id)s::uuid LIMIT 1;

-- name: placed
SELECT stream_id::text, seq, id::text, type, body, hash FROM {schema}.frames
WHERE stream_id = %(stream)s::uuid AND seq BETWEEN %(first)s AND %(last)s ORDER BY seq;

-- name: taken_ids
SELECT id::text FROM {schema}.frames WHERE id = ANY (%(ids)s::uuid[]);

-- name: placed_id
SELECT id::text FROM {schema}.frames WHERE stream_id = %(stream)s::uuid AND seq = %(seq)s;

-- name: page
SELECT %(stream)s::uuid::text, seq, id::text, type, body, hash FROM (
  SELECT *, sum(octet_length(body)) OVER (ORDER BY seq) - octet_length(body) AS before FROM (
    {rows} ORDER BY seq LIMIT %(rows)s
  ) AS rows
) AS page WHERE before < %(bytes)s ORDER BY seq;

-- name: rows
SELECT seq, id, type, body, hash FROM {schema}.frames
WHERE stream_id = %(stream)s::uuid AND seq BETWEEN %(first)s AND %(last)s

-- name: rows_of_type
SELECT seq, id, type, body, hash FROM {schema}.frames
WHERE stream_id = %(stream)s::uuid AND type = %(type)s AND seq BETWEEN %(first)s AND %(last)s

-- name: count_of_types
SELECT count(*) FROM {schema}.frames
WHERE stream_id = %(stream)s::uuid AND type = ANY (%(types)s::text[]) AND seq <= %(last)s;

-- name: replace_body
UPDATE {schema}.frames SET body = %(body)b
WHERE stream_id = %(stream)s::uuid AND seq = %(seq)s AND hash = %(hash)b;

-- name: tell
SELECT set_config('synchronous_commit', 'off', true), pg_notify(%(channel)s, said)
FROM unnest(%(news)s::text[]) AS said;

-- name: next_streams
SELECT stream_id::text FROM (
  (SELECT stream_id FROM {schema}.heads WHERE stream_id > %(after)s::uuid ORDER BY stream_id LIMIT %(rows)s)
  UNION
  (SELECT DISTINCT stream_id FROM {schema}.frames WHERE stream_id > %(after)s::uuid ORDER BY stream_id LIMIT %(rows)s)
) AS streams ORDER BY stream_id LIMIT %(rows)s;

-- name: standing
SELECT h.stream_kind, h.seq, h.hash, h.touched, f.seq, f.hash, f.touched
FROM (SELECT %(stream)s::uuid AS stream_id) AS s
LEFT JOIN {schema}.heads AS h USING (stream_id)
LEFT JOIN LATERAL (SELECT seq, hash, touched FROM {schema}.frames
                   WHERE stream_id = s.stream_id ORDER BY seq DESC LIMIT 1) AS f ON true;

-- name: bodies_back
SELECT body FROM {schema}.frames WHERE stream_id = %(stream)s::uuid ORDER BY seq DESC LIMIT 1 OFFSET %(back)s;

-- name: key_sums
SELECT key, request, stream_id::text, first, last, sum FROM {schema}.keys
WHERE key > %(after)s ORDER BY key LIMIT %(rows)s;

-- name: altered_frames
SELECT stream_id::text, seq FROM {schema}.frames
WHERE (stream_id, seq) > (%(stream)s::uuid, %(seq)s) AND (sum <> ({commit_sum} # seq) OR sum IS NULL AND %(summed)s)
ORDER BY stream_id, seq LIMIT %(rows)s;

-- name: summed
SELECT summed FROM {schema}.clock;

-- name: now_summed
UPDATE {schema}.clock SET summed = true;

-- name: rows_without_sums
SELECT (SELECT count(*) FROM {schema}.frames WHERE sum IS NULL) + (SELECT count(*) FROM {schema}.keys WHERE sum IS NULL);

-- name: fill_frame_sums
UPDATE {schema}.frames SET sum = {commit_sum} # seq WHERE sum IS NULL;

-- name: fill_key_sums
UPDATE {schema}.keys AS k SET sum = made.sum
FROM unnest(%(keys)s::text[], %(sums)s::bigint[]) AS made (key, sum) WHERE k.key = made.key AND k.sum IS NULL;

-- name: all_heads
SELECT stream_id::text, stream_kind, seq, hash, touched FROM {schema}.heads ORDER BY stream_id;

-- name: drop_dangling_keys
DELETE FROM {schema}.keys AS k
WHERE (SELECT count(*) FROM {schema}.frames AS f
       WHERE f.stream_id = k.stream_id AND f.seq BETWEEN k.first AND k.last) <> k.last - k.first + 1;

-- name: dangling_keys
SELECT key FROM {schema}.keys AS k
WHERE (SELECT count(*) FROM {schema}.frames AS f
       WHERE f.stream_id = k.stream_id AND f.seq BETWEEN k.first AND k.last) <> k.last - k.first + 1;

-- name: repeated_ids
SELECT id::text FROM {schema}.frames GROUP BY id HAVING count(*) > 1 LIMIT 100;

-- name: reindex
REINDEX TABLE {schema}.frames;

-- name: lock_all_heads
LOCK TABLE {schema}.heads IN EXCLUSIVE MODE;

-- name: drop_heads
DELETE FROM {schema}.heads;

-- name: derive_head
INSERT INTO {schema}.heads (stream_id, stream_kind, seq, hash, touched)
VALUES (%(stream_id)s::uuid, %(stream_kind)s, %(seq)s, %(hash)b, %(touched)s);
