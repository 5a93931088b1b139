-- The tables of version 5 of the schema, with rows, as pg_dump has written them. Tests open them; do not change this file.
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE SCHEMA pith;
CREATE FUNCTION pith.keep_ledger_lines() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$ BEGIN
    IF TG_OP = 'DELETE' AND current_setting('pith.removes_lines', true) = 'on' THEN RETURN NULL; END IF;
    RAISE EXCEPTION 'lines of the ledger of Pith are not changed' USING ERRCODE = 'insufficient_privilege',
      HINT = 'Retention removes old lines: set PITH_LEDGER_RETENTION_DAYS.';
  END $$;
CREATE FUNCTION pith.remove_ledger_lines(through bigint) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog'
    SET "pith.removes_lines" TO 'on'
    AS $$
    DELETE FROM pith.ledger_line WHERE seq <= through AND EXISTS (
      SELECT FROM pith.ledger_line WHERE seq = (SELECT max(seq) FROM pith.ledger_line) AND seq > through
        AND event LIKE '{"hash":"%","removed_through":' || through || ',"type":"checkpoint"}')
  $$;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE pith.approval (
    id text NOT NULL COLLATE pg_catalog."C",
    binding text NOT NULL,
    principal text NOT NULL,
    state text NOT NULL,
    requested_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    request text NOT NULL,
    decisions text NOT NULL,
    used_by text,
    used_at bigint
);
CREATE TABLE pith.claim (
    id text NOT NULL COLLATE pg_catalog."C",
    project text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    "position" bigint NOT NULL,
    state text NOT NULL COLLATE pg_catalog."C",
    statement text NOT NULL,
    created_by text NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE pith.claim_data (
    claim_id text NOT NULL COLLATE pg_catalog."C",
    schema text NOT NULL,
    version bigint NOT NULL,
    json text NOT NULL
);
CREATE TABLE pith.claim_decision (
    claim_id text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL,
    decision text NOT NULL
);
CREATE TABLE pith.claim_evidence (
    claim_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    "position" bigint NOT NULL,
    doc_tag text NOT NULL,
    repository text NOT NULL,
    added_by text NOT NULL,
    piece text NOT NULL
);
CREATE TABLE pith.claim_maker (
    claim_id text NOT NULL COLLATE pg_catalog."C",
    made_in text NOT NULL
);
CREATE TABLE pith.gap (
    id text NOT NULL COLLATE pg_catalog."C",
    project text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    scope text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    changed_at bigint NOT NULL,
    generation text NOT NULL COLLATE pg_catalog."C",
    answer text NOT NULL,
    claim text NOT NULL
);
CREATE TABLE pith.gap_summary (
    project text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    week text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE pith.index_block (
    project text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL,
    version bigint NOT NULL,
    sha256 text NOT NULL,
    bytes bytea NOT NULL
);
CREATE TABLE pith.index_file (
    project text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    size bigint NOT NULL,
    sha256 text NOT NULL
);
CREATE TABLE pith.json_schema (
    project text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    hash text NOT NULL,
    schema text NOT NULL,
    description text NOT NULL,
    principal text NOT NULL,
    registered_at bigint NOT NULL
);
CREATE TABLE pith.knowledge_corpus (
    project text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    description text NOT NULL,
    source text NOT NULL,
    documents bigint NOT NULL,
    sections bigint NOT NULL,
    principal text NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE pith.ledger_head (
    id integer NOT NULL,
    seq bigint NOT NULL,
    hash text NOT NULL,
    signature text NOT NULL,
    key_id text NOT NULL,
    CONSTRAINT ledger_head_id_check CHECK ((id = 1))
);
CREATE TABLE pith.ledger_line (
    seq bigint NOT NULL,
    "time" text NOT NULL COLLATE pg_catalog."C",
    event text NOT NULL COLLATE pg_catalog."C",
    previous text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    run text GENERATED ALWAYS AS (
CASE
    WHEN (length("substring"(event, '"run_id":("(?:[^"\\]|\\.)*")'::text)) > 600) THEN ("left"("substring"(event, '"run_id":("(?:[^"\\]|\\.)*")'::text), 568) || md5("substring"(event, '"run_id":("(?:[^"\\]|\\.)*")'::text)))
    ELSE "substring"(event, '"run_id":("(?:[^"\\]|\\.)*")'::text)
END) STORED COLLATE pg_catalog."C",
    outcome text GENERATED ALWAYS AS ("substring"(event, '"outcome":"([a-z_]+)"'::text)) STORED COLLATE pg_catalog."C"
);
CREATE UNLOGGED TABLE pith.passage (
    name text NOT NULL COLLATE pg_catalog."C",
    space text NOT NULL COLLATE pg_catalog."C",
    session text NOT NULL COLLATE pg_catalog."C",
    created text NOT NULL,
    record text NOT NULL,
    bytes bigint NOT NULL,
    expires timestamp with time zone NOT NULL
);
CREATE UNLOGGED TABLE pith.passage_space (
    space text NOT NULL COLLATE pg_catalog."C",
    passages bigint NOT NULL,
    bytes bigint NOT NULL
);
CREATE TABLE pith.provider_tool (
    provider text NOT NULL COLLATE pg_catalog."C",
    tool text NOT NULL COLLATE pg_catalog."C",
    listed_hash text,
    listed text,
    problem text,
    hash text,
    definition text,
    accepted_at bigint,
    accepted_by text,
    revision bigint
);
CREATE TABLE pith.question (
    id text NOT NULL COLLATE pg_catalog."C",
    project text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    scope text NOT NULL COLLATE pg_catalog."C",
    principal text NOT NULL COLLATE pg_catalog."C",
    agent text NOT NULL,
    conversation text NOT NULL COLLATE pg_catalog."C",
    asked_at bigint NOT NULL,
    question text NOT NULL,
    keywords text NOT NULL,
    verdict text NOT NULL,
    confidence bigint NOT NULL,
    quoted text NOT NULL,
    handles text NOT NULL,
    generation text NOT NULL,
    profile text NOT NULL,
    nearest_id text NOT NULL,
    nearest_title text NOT NULL,
    root text NOT NULL COLLATE pg_catalog."C",
    read_on bigint NOT NULL,
    answered text NOT NULL,
    missing text NOT NULL,
    gap text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE pith.run (
    id text NOT NULL COLLATE pg_catalog."C",
    project text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    principal text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    changed_at bigint NOT NULL,
    "position" bigint NOT NULL,
    run text NOT NULL
);
CREATE TABLE pith.run_checkpoint (
    run_id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    at bigint NOT NULL,
    state text NOT NULL
);
CREATE TABLE pith.run_event (
    run_id text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL,
    event text NOT NULL,
    claimed_by text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    claimed_until bigint DEFAULT 0 NOT NULL
);
CREATE TABLE pith.substrate_artifact (
    project text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    sha256 text NOT NULL COLLATE pg_catalog."C",
    size bigint NOT NULL,
    media_type text NOT NULL,
    principal text NOT NULL,
    published_at bigint NOT NULL,
    content bigint NOT NULL
);
CREATE TABLE pith.substrate_chunk (
    content bigint NOT NULL,
    number bigint NOT NULL,
    bytes bytea NOT NULL
);
CREATE TABLE pith.substrate_manifest (
    project text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    sha256 text NOT NULL COLLATE pg_catalog."C",
    parent text COLLATE pg_catalog."C",
    message text NOT NULL,
    entries bigint NOT NULL,
    principal text NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE pith.substrate_pointer (
    project text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    namespace text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    description text NOT NULL,
    manifest text NOT NULL,
    version bigint NOT NULL,
    created_at bigint NOT NULL,
    moved_at bigint NOT NULL
);
CREATE TABLE pith.substrate_pointer_move (
    project text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    namespace text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    old text,
    new text NOT NULL,
    principal text NOT NULL,
    reason text NOT NULL,
    at bigint NOT NULL
);
CREATE TABLE pith.substrate_upload (
    content bigint NOT NULL,
    project text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    bytes bigint NOT NULL,
    touched_at bigint NOT NULL
);
ALTER TABLE pith.substrate_upload ALTER COLUMN content ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME pith.substrate_upload_content_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE pith.substrate_usage (
    project text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    bytes bigint NOT NULL
);
CREATE TABLE pith.tool_definition (
    name text NOT NULL COLLATE pg_catalog."C",
    version text NOT NULL COLLATE pg_catalog."C",
    schema_hash text NOT NULL COLLATE pg_catalog."C",
    provider text NOT NULL,
    facts text NOT NULL,
    first_seen bigint NOT NULL,
    last_seen bigint NOT NULL
);
CREATE TABLE pith.version (
    number integer NOT NULL
);
INSERT INTO pith.approval VALUES ('approval-1', 'binding-1', 'agent-key', 'pending', 0, 3600000, '{"id":"approval-1","binding":"binding-1","callId":"call-1","tool":"kb.search","version":"1","safety":"read","rule":"search-needs-approval","effect":"approve","approver":"operator","reason":null,"principal":"agent-key","agent":"support","scope":{"projectId":"docs","environment":"prod","docTags":null,"repositories":["pith"]},"argumentsText":"{\"question\":\"How?\"}","argumentsOmitted":0,"lifetimeMs":3600000}', '[]', NULL, NULL);
INSERT INTO pith.claim VALUES ('c1', 'docs', 'prod', 1, 'accepted', 'It is used.', 'ann', 1767225600000);
INSERT INTO pith.claim VALUES ('c2', 'docs', 'prod', 2, 'open', 'It is free.', 'ben', 1767225600000);
INSERT INTO pith.claim VALUES ('c3', 'docs', 'prod', 3, 'open', 'Sails are set in calm air.', 'ann', 0);
INSERT INTO pith.claim_data VALUES ('c3', 'fact', 1, '{}');
INSERT INTO pith.claim_decision VALUES ('c1', 1, '{"verdict":"accepted","reason":"Checked.","proposedBy":"ann","decidedBy":["olga"],"approvalId":"a1","at":1767225600005}');
INSERT INTO pith.claim_evidence VALUES ('c1', 'e1', 1, 'guides', 'repo', 'ann', '{"id":"e1","sectionId":"guide.md#use","start":0,"end":7,"quote":"Use it.","sectionHash":"ab","path":"guide.md","docTag":"guides","repository":"repo","stance":"supports","addedBy":"ann","addedAt":1767225600000}');
INSERT INTO pith.claim_evidence VALUES ('c1', 'e2', 2, 'guides', 'repo', 'ann', '{"id":"e2","sectionId":"guide.md#use","start":0,"end":7,"quote":"Use it.","sectionHash":"ab","path":"guide.md","docTag":"guides","repository":"repo","stance":"contradicts","addedBy":"ann","addedAt":1767225600009}');
INSERT INTO pith.claim_evidence VALUES ('c3', 'e1', 1, 'guides', 'repo', 'ann', '{"id":"e1","sectionId":"guide.md#use","start":0,"end":7,"quote":"Use it.","sectionHash":"ab","path":"guide.md","docTag":"guides","repository":"repo","stance":"supports","addedBy":"ann","addedAt":0}');
INSERT INTO pith.claim_maker VALUES ('c3', '{"scope":{"projectId":"docs","environment":"prod","docTags":null,"repositories":null}}');
INSERT INTO pith.gap VALUES ('q1', 'docs', 'prod', '{"docTags":null,"environment":"prod","groups":[],"projectId":"docs","repositories":null}', 'open', 1000, 'g1', 'null', '');
INSERT INTO pith.gap_summary VALUES ('docs', 'prod', '2026-W01');
INSERT INTO pith.index_block VALUES ('docs', 'prod', 'index 1.1', 0, 1, '5ec8d98d70638e74a3ae42f403ef0048f95e55c8cdd6e4f078dd605e40cd8514', '\x746865206279746573206f6620616e20696e646578');
INSERT INTO pith.index_file VALUES ('docs', 'prod', 'index 1.1', 1, 21, '5ec8d98d70638e74a3ae42f403ef0048f95e55c8cdd6e4f078dd605e40cd8514');
INSERT INTO pith.json_schema VALUES ('docs', 'prod', 'fact', 1, 'ff', '{"type":"object"}', 'A fact.', 'ann', 1767225600000);
INSERT INTO pith.knowledge_corpus VALUES ('docs', 'prod', 'birds', 'k1', 'Birds.', '{}', 1, 2, 'ann', 1767225600000);
INSERT INTO pith.ledger_head VALUES (1, 3, 'R1ZRuzwcJaP4HnA7N8fxs0xQC0Twfoar72-yQweAOcQ', 'yWLvihQlsTZEhR9Ogf0g4j1U8LPSmpEGhIgTY3exYaA', '8TuvLjEti_s_');
INSERT INTO pith.ledger_line VALUES (1, '2026-01-01T00:00:00.000Z', '{"agent":"default","call_id":"call-1","effect":"allow","input_hash":"hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh","principal":"local","rule":"reads","run_id":"run-1","scope":{"doc_tags":null,"environment":"prod","project":"docs","repositories":["pith"]},"session":"session-1","tool":"kb.search","type":"tool.call.started","version":"1"}', '', 'tYoC3djwbTTSev9UIwU6dJgeBgilLB5xu8EhKasZ0sQ', DEFAULT, DEFAULT);
INSERT INTO pith.ledger_line VALUES (2, '2026-01-01T00:00:00.000Z', '{"agent":"default","call_id":"call-2","effect":"allow","input_hash":"hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh","principal":"local","rule":"reads","run_id":"run-1","scope":{"doc_tags":null,"environment":"prod","project":"docs","repositories":["pith"]},"session":"session-1","tool":"kb.search","type":"tool.call.started","version":"1"}', 'tYoC3djwbTTSev9UIwU6dJgeBgilLB5xu8EhKasZ0sQ', 'pBHb_1_TfLGX7IYDx9E2jXVBiWGQ4gpaJTB0ThsTGdE', DEFAULT, DEFAULT);
INSERT INTO pith.ledger_line VALUES (3, '2026-01-01T00:00:00.000Z', '{"agent":"default","call_id":"call-3","effect":"allow","input_hash":"hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh","principal":"local","rule":"reads","run_id":"run-1","scope":{"doc_tags":null,"environment":"prod","project":"docs","repositories":["pith"]},"session":"session-1","tool":"kb.search","type":"tool.call.started","version":"1"}', 'pBHb_1_TfLGX7IYDx9E2jXVBiWGQ4gpaJTB0ThsTGdE', 'R1ZRuzwcJaP4HnA7N8fxs0xQC0Twfoar72-yQweAOcQ', DEFAULT, DEFAULT);
INSERT INTO pith.passage VALUES ('F4_96gN0BoIKRUWNhbklbA.PQqFDlp8alV3JIFIlLt4pw', 'pith:scratch:{UD2Ze7wUgQhPl0Kq0lcOOA}', 'F4_96gN0BoIKRUWNhbklbA', '2026-01-01T00:00:00.000Z', '{"id":"a","passage":{"sectionId":"guide.md#use","docTag":"guides","repository":"repo","projectId":"docs","environment":"prod","headingPath":["Guide","Use"],"title":"Guide > Use","text":"Use it.","sourceUri":"guide.md","url":null,"updatedAt":"2025-12-01T00:00:00.000Z","createdAt":"2026-01-01T00:00:00.000Z","sizeBytes":7,"window":{"start":0,"end":7},"structure":"[[0,7,0]]"}}', 887, '2121-12-25 01:25:25.903899+00');
INSERT INTO pith.passage_space VALUES ('pith:scratch:{UD2Ze7wUgQhPl0Kq0lcOOA}', 1, 887);
INSERT INTO pith.provider_tool VALUES ('files', 'read', 'h', '{"name":"read"}', NULL, 'h', '{"name":"read"}', 1000, 'ann', 1);
INSERT INTO pith.question VALUES ('q1', 'docs', 'prod', '{"docTags":null,"environment":"prod","groups":[],"projectId":"docs","repositories":null}', 'ann', 'coder', 'c1', 1000, 'How is a reef taken in?', '[]', 'unlikely', 4000, '["reefs.md#take"]', '["reefs.md#take","passage-1"]', 'g1', '{"terms":{"reef":3,"sail":2},"near":[["reefs.md#take","aa",1]]}', 'reefs.md#take', 'Reefs > Take', 'q1', 0, '', '', 'q1');
INSERT INTO pith.run VALUES ('run_1', 'docs', 'prod', 'ann', 'update', 'started', 1767225600000, 1, '{"id":"run_1","projectId":"docs","environment":"prod","principal":"ann","agent":"default","type":"update","name":"Nightly","config":"{\"a\":1}","inputManifest":null,"status":"started","createdAt":1767225600000,"startedAt":1767225600000,"endedAt":null,"changedAt":1767225600000,"outcome":null,"outputManifest":null,"events":3,"checkpoint":1}');
INSERT INTO pith.run VALUES ('run_2', 'docs', 'prod', 'local', 'index-update', 'created', 1767225600000, 2, '{"id":"run_2","projectId":"docs","environment":"prod","principal":"local","agent":"default","type":"index-update","name":null,"config":null,"inputManifest":null,"stepSchema":{"name":"fact","version":1},"status":"created","createdAt":1767225600000,"startedAt":null,"endedAt":null,"changedAt":1767225600000,"outcome":null,"outputManifest":null,"events":1,"checkpoint":0}');
INSERT INTO pith.run_checkpoint VALUES ('run_1', 1, 1767225600000, '{"n":1}');
INSERT INTO pith.run_event VALUES ('run_1', 3, '{"type":"run.checkpoint","run_id":"run_1","number":3,"call_id":"call-3","tool":"run.x","principal":"ann","agent":"default","rule":"runs","effect":"allow","scope":{"project":"docs","environment":"prod","doc_tags":null,"repositories":null},"checkpoint_version":1,"bytes":7}', '', 0);
INSERT INTO pith.run_event VALUES ('run_2', 1, '{"type":"run.started","run_id":"run_2","number":1,"call_id":"call-1","tool":"run.start","principal":"local","agent":"default","rule":"runs","effect":"allow","scope":{"project":"docs","environment":"prod","doc_tags":null,"repositories":null}}', '', 0);
INSERT INTO pith.substrate_artifact VALUES ('docs', 'prod', '5ef1e291b66ae68ba091f91755a3de8178d2fd1ed64745003881b937d9e1c96b', 7, 'text/plain', 'ann', 1767225600000, 1);
INSERT INTO pith.substrate_chunk VALUES (1, 0, '\x5573652069742e');
INSERT INTO pith.substrate_manifest VALUES ('docs', 'prod', '0000000000000000000000000000000000000000000000000000000000000000', NULL, 'First', 1, 'ann', 1767225600000);
INSERT INTO pith.substrate_pointer VALUES ('docs', 'prod', 'default', 'policies', 'corpus', '', '1111111111111111111111111111111111111111111111111111111111111111', 2, 1767225600000, 1767225600000);
INSERT INTO pith.substrate_pointer_move VALUES ('docs', 'prod', 'default', 'policies', 1, NULL, '0000000000000000000000000000000000000000000000000000000000000000', 'ann', '', 1767225600000);
INSERT INTO pith.substrate_pointer_move VALUES ('docs', 'prod', 'default', 'policies', 2, '0000000000000000000000000000000000000000000000000000000000000000', '1111111111111111111111111111111111111111111111111111111111111111', 'ann', 'New', 1767225600000);
INSERT INTO pith.substrate_usage VALUES ('docs', 'prod', 1892);
INSERT INTO pith.tool_definition VALUES ('kb.search', '1', 'a', 'pith', '{}', 1, 1);
INSERT INTO pith.version VALUES (5);
SELECT pg_catalog.setval('pith.substrate_upload_content_seq', 1, false);
ALTER TABLE ONLY pith.approval
    ADD CONSTRAINT approval_pkey PRIMARY KEY (id);
ALTER TABLE ONLY pith.claim_data
    ADD CONSTRAINT claim_data_pkey PRIMARY KEY (claim_id);
ALTER TABLE ONLY pith.claim_decision
    ADD CONSTRAINT claim_decision_pkey PRIMARY KEY (claim_id, number);
ALTER TABLE ONLY pith.claim_evidence
    ADD CONSTRAINT claim_evidence_pkey PRIMARY KEY (claim_id, id);
ALTER TABLE ONLY pith.claim_maker
    ADD CONSTRAINT claim_maker_pkey PRIMARY KEY (claim_id);
ALTER TABLE ONLY pith.claim
    ADD CONSTRAINT claim_pkey PRIMARY KEY (id);
ALTER TABLE ONLY pith.claim
    ADD CONSTRAINT claim_project_environment_position_key UNIQUE (project, environment, "position");
ALTER TABLE ONLY pith.gap
    ADD CONSTRAINT gap_pkey PRIMARY KEY (id);
ALTER TABLE ONLY pith.gap_summary
    ADD CONSTRAINT gap_summary_pkey PRIMARY KEY (project, environment);
ALTER TABLE ONLY pith.index_block
    ADD CONSTRAINT index_block_pkey PRIMARY KEY (project, environment, name, number);
ALTER TABLE ONLY pith.index_file
    ADD CONSTRAINT index_file_pkey PRIMARY KEY (project, environment, name);
ALTER TABLE ONLY pith.json_schema
    ADD CONSTRAINT json_schema_pkey PRIMARY KEY (project, environment, name, version);
ALTER TABLE ONLY pith.knowledge_corpus
    ADD CONSTRAINT knowledge_corpus_id_key UNIQUE (id);
ALTER TABLE ONLY pith.knowledge_corpus
    ADD CONSTRAINT knowledge_corpus_pkey PRIMARY KEY (project, environment, name);
ALTER TABLE ONLY pith.ledger_head
    ADD CONSTRAINT ledger_head_pkey PRIMARY KEY (id);
ALTER TABLE ONLY pith.ledger_line
    ADD CONSTRAINT ledger_line_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY pith.passage
    ADD CONSTRAINT passage_pkey PRIMARY KEY (name);
ALTER TABLE ONLY pith.passage_space
    ADD CONSTRAINT passage_space_pkey PRIMARY KEY (space);
ALTER TABLE ONLY pith.provider_tool
    ADD CONSTRAINT provider_tool_pkey PRIMARY KEY (provider, tool);
ALTER TABLE ONLY pith.question
    ADD CONSTRAINT question_pkey PRIMARY KEY (id);
ALTER TABLE ONLY pith.run_checkpoint
    ADD CONSTRAINT run_checkpoint_pkey PRIMARY KEY (run_id, version);
ALTER TABLE ONLY pith.run_event
    ADD CONSTRAINT run_event_pkey PRIMARY KEY (run_id, number);
ALTER TABLE ONLY pith.run
    ADD CONSTRAINT run_pkey PRIMARY KEY (id);
ALTER TABLE ONLY pith.run
    ADD CONSTRAINT run_project_environment_position_key UNIQUE (project, environment, "position");
ALTER TABLE ONLY pith.substrate_artifact
    ADD CONSTRAINT substrate_artifact_pkey PRIMARY KEY (project, environment, sha256);
ALTER TABLE ONLY pith.substrate_chunk
    ADD CONSTRAINT substrate_chunk_pkey PRIMARY KEY (content, number);
ALTER TABLE ONLY pith.substrate_manifest
    ADD CONSTRAINT substrate_manifest_pkey PRIMARY KEY (project, environment, sha256);
ALTER TABLE ONLY pith.substrate_pointer_move
    ADD CONSTRAINT substrate_pointer_move_pkey PRIMARY KEY (project, environment, namespace, name, version);
ALTER TABLE ONLY pith.substrate_pointer
    ADD CONSTRAINT substrate_pointer_pkey PRIMARY KEY (project, environment, namespace, name);
ALTER TABLE ONLY pith.substrate_upload
    ADD CONSTRAINT substrate_upload_pkey PRIMARY KEY (content);
ALTER TABLE ONLY pith.substrate_usage
    ADD CONSTRAINT substrate_usage_pkey PRIMARY KEY (project, environment);
ALTER TABLE ONLY pith.tool_definition
    ADD CONSTRAINT tool_definition_pkey PRIMARY KEY (name, version, schema_hash);
CREATE INDEX approval_binding ON pith.approval USING btree (binding);
CREATE INDEX approval_principal ON pith.approval USING btree (principal, state);
CREATE INDEX approval_time ON pith.approval USING btree (requested_at, id);
CREATE INDEX ledger_line_run ON pith.ledger_line USING btree (run, seq) INCLUDE (outcome) WHERE (run IS NOT NULL);
CREATE INDEX passage_expires ON pith.passage USING btree (expires);
CREATE INDEX passage_session ON pith.passage USING btree (session, expires);
CREATE INDEX question_asked ON pith.question USING btree (project, environment, asked_at);
CREATE INDEX question_conversation ON pith.question USING btree (conversation, asked_at);
CREATE INDEX question_gap ON pith.question USING btree (gap);
CREATE INDEX run_changed ON pith.run USING btree (changed_at);
CREATE INDEX run_principal ON pith.run USING btree (project, environment, principal, "position");
CREATE TRIGGER keep_ledger_lines BEFORE DELETE OR UPDATE OR TRUNCATE ON pith.ledger_line FOR EACH STATEMENT EXECUTE FUNCTION pith.keep_ledger_lines();
