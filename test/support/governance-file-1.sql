-- A governance store, as the stores of 0.1.0 wrote it. Tests open it; do not change it.
PRAGMA application_id = 1349088359;
PRAGMA user_version = 1;
CREATE TABLE approval (id TEXT PRIMARY KEY, binding TEXT NOT NULL, principal TEXT NOT NULL,
    state TEXT NOT NULL, requested_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, request TEXT NOT NULL,
    decisions TEXT NOT NULL, used_by TEXT, used_at INTEGER);
INSERT INTO "approval" VALUES('approval-1','binding-1','ann','approved',1793520000000,1793523600000,'{"id":"approval-1","binding":"binding-1","callId":"call-1","tool":"kb.search","version":"1","safety":"read","rule":"ask","effect":"approve","approver":"operator","reason":null,"principal":"ann","agent":"support","scope":{"projectId":"docs","environment":"prod","docTags":null,"repositories":["pith"]},"argumentsText":"{\"query\":\"harbour\"}","argumentsOmitted":0,"lifetimeMs":3600000}','[{"by":"bea","verdict":"approved","via":"command","reason":null,"at":1793520000000}]',NULL,NULL);
INSERT INTO "approval" VALUES('approval-2','binding-2','ann','pending',1793520000000,1793523600000,'{"id":"approval-2","binding":"binding-2","callId":"call-1","tool":"kb.search","version":"1","safety":"read","rule":"ask","effect":"approve","approver":"operator","reason":null,"principal":"ann","agent":"support","scope":{"projectId":"docs","environment":"prod","docTags":null,"repositories":["pith"]},"argumentsText":"{\"query\":\"harbour\"}","argumentsOmitted":0,"lifetimeMs":3600000}','[]',NULL,NULL);
CREATE TABLE provider_tool (provider TEXT NOT NULL, tool TEXT NOT NULL,
    listed_hash TEXT, listed TEXT, problem TEXT,
    hash TEXT, definition TEXT, accepted_at INTEGER, accepted_by TEXT, revision INTEGER,
    PRIMARY KEY (provider, tool)) WITHOUT ROWID;
INSERT INTO "provider_tool" VALUES('files','read','hash-1','{"name":"read"}',NULL,'hash-1','{"name":"read"}',1000,'bea',1);
CREATE TABLE tool_definition (name TEXT NOT NULL, version TEXT NOT NULL, schema_hash TEXT NOT NULL,
    provider TEXT NOT NULL, facts TEXT NOT NULL, first_seen INTEGER NOT NULL, last_seen INTEGER NOT NULL,
    PRIMARY KEY (name, version, schema_hash)) WITHOUT ROWID;
INSERT INTO "tool_definition" VALUES('kb.search','1','hash-a','pith','{"safety":"read"}',1000,1000);
CREATE INDEX approval_binding ON approval (binding);
CREATE INDEX approval_principal ON approval (principal, state);
CREATE INDEX approval_time ON approval (requested_at, id);
