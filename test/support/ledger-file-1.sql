-- A ledger, as the stores of 0.1.0 wrote it. Tests open it; do not change it.
PRAGMA application_id = 1349088364;
PRAGMA user_version = 1;
CREATE TABLE head (id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL,
    signature TEXT NOT NULL, key_id TEXT NOT NULL);
INSERT INTO "head" VALUES(1,3,'k9TX48-UJVQDBrvHmHgcvCA-u2gAWGf9xWGS33uW4Cw','AcdXw3KpanI_itrEpJkul6e4MCvegLXZkFh2Hzn6lgg','8TuvLjEti_s_');
CREATE TABLE line (seq INTEGER PRIMARY KEY, time TEXT NOT NULL, event TEXT NOT NULL, previous TEXT NOT NULL,
    hash TEXT NOT NULL,
    run_id TEXT GENERATED ALWAYS AS (CASE WHEN json_valid(event) THEN event -> '$.run_id' END) VIRTUAL);
INSERT INTO "line" VALUES(1,'2026-11-01T08:00:00.000Z','{"agent":"default","call_id":"call-1","effect":"allow","input_hash":"hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh","principal":"ann","rule":"reads","run_id":"run-1","scope":{"doc_tags":null,"environment":"prod","project":"docs","repositories":["pith"]},"session":"session-1","tool":"kb.search","type":"tool.call.started","version":"1"}','','cogmzxfDsS2Wof-E9OU1MzEllCe2B60_KtppWf3mI40');
INSERT INTO "line" VALUES(2,'2026-11-01T08:00:01.000Z','{"agent":"default","call_id":"call-2","effect":"allow","input_hash":"hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh","principal":"ann","rule":"reads","run_id":"run-1","scope":{"doc_tags":null,"environment":"prod","project":"docs","repositories":["pith"]},"session":"session-1","tool":"kb.search","type":"tool.call.started","version":"1"}','cogmzxfDsS2Wof-E9OU1MzEllCe2B60_KtppWf3mI40','YLsJ9tsEGWCbJ80fmmT0SvbXedjRgoZUn1AjisUUWB8');
INSERT INTO "line" VALUES(3,'2026-11-01T08:00:02.000Z','{"agent":"default","call_id":"call-3","effect":"allow","input_hash":"hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh","principal":"ann","rule":"reads","run_id":"run-2","scope":{"doc_tags":null,"environment":"prod","project":"docs","repositories":["pith"]},"session":"session-1","tool":"kb.search","type":"tool.call.started","version":"1"}','YLsJ9tsEGWCbJ80fmmT0SvbXedjRgoZUn1AjisUUWB8','k9TX48-UJVQDBrvHmHgcvCA-u2gAWGf9xWGS33uW4Cw');
CREATE INDEX line_run ON line (run_id, seq) WHERE run_id IS NOT NULL;
CREATE INDEX line_outcome ON line (run_id, CASE WHEN json_valid(event) THEN event ->> '$.outcome' END)
  WHERE run_id IS NOT NULL AND CASE WHEN json_valid(event) THEN event ->> '$.outcome' END IS NOT NULL;
