-- Memory in an index file, as the stores of 0.1.0 wrote it. Tests open it; do not change it.
PRAGMA application_id = 1349088360;
PRAGMA user_version = 0;
CREATE TABLE memory_kg_entities (row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, source TEXT NOT NULL, content_hash TEXT NOT NULL,
  origin TEXT, tags TEXT NOT NULL, is_private INTEGER NOT NULL, created_at TEXT NOT NULL,
  provider TEXT, model TEXT, dim INTEGER, vector BLOB, words BLOB, text TEXT NOT NULL);
INSERT INTO "memory_kg_entities" VALUES(1,'e:e','notes','VNIItuRn0fGSlHLZonokZeJYzqvUbDwF4JZE7KtYyd4','human','[]',0,'2026-10-01T00:00:00.000Z','pith','tf-idf-1',1048576,NULL,X'3F890A000000803F45B30B000000803F89B50E000000803FFCC90E000000803F','Harbour office, open from eight.');
CREATE TABLE memory_kg_observations (row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, source TEXT NOT NULL, content_hash TEXT NOT NULL,
  origin TEXT, tags TEXT NOT NULL, is_private INTEGER NOT NULL, created_at TEXT NOT NULL,
  provider TEXT, model TEXT, dim INTEGER, vector BLOB, words BLOB, text TEXT NOT NULL);
CREATE TABLE memory_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO "memory_meta" VALUES('dim','1048576');
INSERT INTO "memory_meta" VALUES('fitted_rows','0');
INSERT INTO "memory_meta" VALUES('generation','1');
INSERT INTO "memory_meta" VALUES('memory_id','7b506d43-d79b-47cd-acd4-82fd71ed3ddc');
INSERT INTO "memory_meta" VALUES('model','tf-idf-1');
INSERT INTO "memory_meta" VALUES('provider','pith');
INSERT INTO "memory_meta" VALUES('schema_version','1');
CREATE TABLE memory_space (bytes BLOB NOT NULL);
CREATE TABLE memory_thoughts (row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, source TEXT NOT NULL, content_hash TEXT NOT NULL,
  origin TEXT, tags TEXT NOT NULL, is_private INTEGER NOT NULL, created_at TEXT NOT NULL,
  provider TEXT, model TEXT, dim INTEGER, vector BLOB, words BLOB, text TEXT NOT NULL);
INSERT INTO "memory_thoughts" VALUES(1,'t:t','notes','lBS0RFktKd-UY4mPmvYpxAyX8xDAIKIxIW_orKg1s0A','human','[]',0,'2026-10-01T00:00:00.000Z','pith','tf-idf-1',1048576,NULL,X'E7EB00000000803F218604000000803FDC1606000000803F255009000000803FE3250E000000803F','Berths are booked by phone, never by mail.');
