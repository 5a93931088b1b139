-- The tables as version 1 of the schema has them. Tests migrate them; do not change this file.
CREATE SCHEMA IF NOT EXISTS pith;
CREATE TABLE pith.version (number integer NOT NULL);
INSERT INTO pith.version VALUES (1);
CREATE TABLE pith.ledger_line (seq bigint PRIMARY KEY, time text COLLATE "C" NOT NULL,
  event text COLLATE "C" NOT NULL, previous text COLLATE "C" NOT NULL, hash text COLLATE "C" NOT NULL,
  run text COLLATE "C" GENERATED ALWAYS AS (CASE WHEN length(substring(event from '"run_id":("(?:[^"\\]|\\.)*")')) > 600 THEN left(substring(event from '"run_id":("(?:[^"\\]|\\.)*")'), 568) || md5(substring(event from '"run_id":("(?:[^"\\]|\\.)*")')) ELSE substring(event from '"run_id":("(?:[^"\\]|\\.)*")') END) STORED,
  outcome text COLLATE "C" GENERATED ALWAYS AS (substring(event from '"outcome":"([a-z_]+)"')) STORED);
CREATE INDEX ledger_line_run ON pith.ledger_line (run, seq) INCLUDE (outcome) WHERE run IS NOT NULL;
CREATE TABLE pith.ledger_head (id integer PRIMARY KEY CHECK (id = 1), seq bigint NOT NULL, hash text NOT NULL,
  signature text NOT NULL, key_id text NOT NULL);
CREATE FUNCTION pith.remove_ledger_lines(through bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog SET pith.removes_lines = 'on' AS $$
  DELETE FROM pith.ledger_line WHERE seq <= through AND EXISTS (
    SELECT FROM pith.ledger_line WHERE seq = (SELECT max(seq) FROM pith.ledger_line) AND seq > through
      AND event LIKE '{"hash":"%","removed_through":' || through || ',"type":"checkpoint"}')
$$;
REVOKE ALL ON FUNCTION pith.remove_ledger_lines(bigint) FROM PUBLIC;
CREATE FUNCTION pith.keep_ledger_lines() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog AS $$ BEGIN
  IF TG_OP = 'DELETE' AND current_setting('pith.removes_lines', true) = 'on' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'lines of the ledger of Pith are not changed' USING ERRCODE = 'insufficient_privilege',
    HINT = 'Retention removes old lines: set PITH_LEDGER_RETENTION_DAYS.';
END $$;
CREATE TRIGGER keep_ledger_lines BEFORE UPDATE OR DELETE OR TRUNCATE ON pith.ledger_line
  FOR EACH STATEMENT EXECUTE FUNCTION pith.keep_ledger_lines();
CREATE TABLE pith.approval (id text COLLATE "C" PRIMARY KEY, binding text NOT NULL, principal text NOT NULL,
  state text NOT NULL, requested_at bigint NOT NULL, expires_at bigint NOT NULL, request text NOT NULL,
  decisions text NOT NULL, used_by text, used_at bigint);
CREATE INDEX approval_binding ON pith.approval (binding);
CREATE INDEX approval_principal ON pith.approval (principal, state);
CREATE INDEX approval_time ON pith.approval (requested_at, id);
CREATE TABLE pith.provider_tool (provider text COLLATE "C", tool text COLLATE "C", listed_hash text, listed text,
  problem text, hash text, definition text, accepted_at bigint, accepted_by text, revision bigint,
  PRIMARY KEY (provider, tool));
