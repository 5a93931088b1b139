// Tables that are the same in PostgreSQL and in SQLite. Times are milliseconds since the epoch. `COLLATE "C"` compares and sorts
// texts as SQLite does.

/** The statements that create these tables in an SQLite file, if they are missing. Rows with bytes keep their row ids. */
export const sqliteTables = (...tables: readonly string[]): string =>
  tables
    .join('')
    .replace(/TABLE pith\.(\w+) (\([^;]*\));/g, (_, name: string, columns: string) => {
      const isPlain = /bytea|IDENTITY/.test(columns);
      return `TABLE IF NOT EXISTS ${name} ${columns}${isPlain ? '' : ' WITHOUT ROWID'};`;
    })
    .replace(/INDEX (\w+) ON pith\./g, 'INDEX IF NOT EXISTS $1 ON ')
    .replaceAll('bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY', 'INTEGER PRIMARY KEY AUTOINCREMENT')
    .replaceAll(' COLLATE "C"', '')
    .replaceAll('bigint', 'INTEGER')
    .replaceAll('bytea', 'BLOB');

/** `request` and `decisions` are JSON. `expired` is not stored: it follows from the time. */
export const APPROVAL_TABLES = `
  CREATE TABLE pith.approval (id text COLLATE "C" PRIMARY KEY, binding text NOT NULL, principal text NOT NULL,
    state text NOT NULL, requested_at bigint NOT NULL, expires_at bigint NOT NULL, request text NOT NULL,
    decisions text NOT NULL, used_by text, used_at bigint);
  CREATE INDEX approval_binding ON pith.approval (binding);
  CREATE INDEX approval_principal ON pith.approval (principal, state);
  CREATE INDEX approval_time ON pith.approval (requested_at, id);`;

/** `listed_hash` is null if the provider no longer lists the tool, `hash` before the first acceptance. */
export const PIN_TABLES = `
  CREATE TABLE pith.provider_tool (provider text COLLATE "C", tool text COLLATE "C", listed_hash text, listed text,
    problem text, hash text, definition text, accepted_at bigint, accepted_by text, revision bigint,
    PRIMARY KEY (provider, tool));`;

/** `facts` is JSON. */
export const DEFINITION_TABLES = `
  CREATE TABLE pith.tool_definition (name text COLLATE "C", version text COLLATE "C", schema_hash text COLLATE "C",
    provider text NOT NULL, facts text NOT NULL, first_seen bigint NOT NULL, last_seen bigint NOT NULL,
    PRIMARY KEY (name, version, schema_hash));`;

export const SPACE = 'project text COLLATE "C" NOT NULL, environment text COLLATE "C" NOT NULL';
const POINTER = `${SPACE}, namespace text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL`;

/**
 * The tables of the tools of MCP_DOMAINS. `run`, `event`, `schema`, `piece`, `decision` and `made_in` are JSON. `position` counts the
 * runs, or the claims, of one project and environment. The state of a claim is that of its last decision, for lists; claims of
 * earlier versions have no row in `claim_maker`. The chunks of an artifact have its `content` as their key. Until the artifact
 * is complete, the key has a row in `substrate_upload`, and no row in `substrate_artifact`. Keys are never used twice.
 */
export const WORK_TABLES = `
  CREATE TABLE pith.run (id text COLLATE "C" PRIMARY KEY, ${SPACE}, principal text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL, status text COLLATE "C" NOT NULL, changed_at bigint NOT NULL,
    position bigint NOT NULL, run text NOT NULL, UNIQUE (project, environment, position));
  CREATE INDEX run_principal ON pith.run (project, environment, principal, position);
  CREATE INDEX run_changed ON pith.run (changed_at);
  CREATE TABLE pith.run_checkpoint (run_id text COLLATE "C", version bigint, at bigint NOT NULL, state text NOT NULL,
    PRIMARY KEY (run_id, version));
  CREATE TABLE pith.run_event (run_id text COLLATE "C", number bigint, event text NOT NULL,
    claimed_by text COLLATE "C" NOT NULL DEFAULT '', claimed_until bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (run_id, number));
  CREATE TABLE pith.json_schema (${SPACE}, name text COLLATE "C", version bigint, hash text NOT NULL,
    schema text NOT NULL, description text NOT NULL, principal text NOT NULL, registered_at bigint NOT NULL,
    PRIMARY KEY (project, environment, name, version));
  CREATE TABLE pith.substrate_usage (${SPACE}, bytes bigint NOT NULL, PRIMARY KEY (project, environment));
  CREATE TABLE pith.substrate_upload (content bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ${SPACE},
    bytes bigint NOT NULL, touched_at bigint NOT NULL);
  CREATE TABLE pith.substrate_chunk (content bigint, number bigint, bytes bytea NOT NULL,
    PRIMARY KEY (content, number));
  CREATE TABLE pith.substrate_artifact (${SPACE}, sha256 text COLLATE "C", size bigint NOT NULL,
    media_type text NOT NULL, principal text NOT NULL, published_at bigint NOT NULL, content bigint NOT NULL,
    PRIMARY KEY (project, environment, sha256));
  CREATE TABLE pith.substrate_manifest (${SPACE}, sha256 text COLLATE "C", parent text COLLATE "C",
    message text NOT NULL, entries bigint NOT NULL, principal text NOT NULL, created_at bigint NOT NULL,
    PRIMARY KEY (project, environment, sha256));
  CREATE TABLE pith.substrate_pointer (${POINTER}, type text COLLATE "C" NOT NULL, description text NOT NULL,
    manifest text NOT NULL, version bigint NOT NULL, created_at bigint NOT NULL, moved_at bigint NOT NULL,
    PRIMARY KEY (project, environment, namespace, name));
  CREATE TABLE pith.substrate_pointer_move (${POINTER}, version bigint, old text, new text NOT NULL,
    principal text NOT NULL, reason text NOT NULL, at bigint NOT NULL,
    PRIMARY KEY (project, environment, namespace, name, version));
  CREATE TABLE pith.claim (id text COLLATE "C" PRIMARY KEY, ${SPACE}, position bigint NOT NULL,
    state text COLLATE "C" NOT NULL, statement text NOT NULL, created_by text NOT NULL, created_at bigint NOT NULL,
    UNIQUE (project, environment, position));
  CREATE TABLE pith.claim_evidence (claim_id text COLLATE "C", id text COLLATE "C", position bigint NOT NULL,
    doc_tag text NOT NULL, repository text NOT NULL, added_by text NOT NULL, piece text NOT NULL,
    PRIMARY KEY (claim_id, id));
  CREATE TABLE pith.claim_decision (claim_id text COLLATE "C", number bigint, decision text NOT NULL,
    PRIMARY KEY (claim_id, number));
  CREATE TABLE pith.claim_maker (claim_id text COLLATE "C" PRIMARY KEY, made_in text NOT NULL);
  CREATE TABLE pith.claim_data (claim_id text COLLATE "C" PRIMARY KEY, schema text NOT NULL, version bigint NOT NULL,
    json text NOT NULL);
  CREATE TABLE pith.knowledge_corpus (${SPACE}, name text COLLATE "C", id text COLLATE "C" NOT NULL UNIQUE,
    description text NOT NULL, source text NOT NULL, documents bigint NOT NULL, sections bigint NOT NULL,
    principal text NOT NULL, created_at bigint NOT NULL, PRIMARY KEY (project, environment, name));`;

/**
 * Questions and groups of those that were not answered. `scope`, `keywords`, `quoted`, `handles`, `profile` and `answer` are JSON;
 * `root` is the id of the question that is asked again, or the own id; `confidence` is in ten-thousandths.
 */
export const QUESTION_TABLES = `
  CREATE TABLE pith.question (id text COLLATE "C" PRIMARY KEY, ${SPACE}, scope text COLLATE "C" NOT NULL,
    principal text COLLATE "C" NOT NULL, agent text NOT NULL, conversation text COLLATE "C" NOT NULL,
    asked_at bigint NOT NULL, question text NOT NULL, keywords text NOT NULL, verdict text NOT NULL,
    confidence bigint NOT NULL, quoted text NOT NULL, handles text NOT NULL, generation text NOT NULL, profile text NOT NULL, nearest_id text NOT NULL,
    nearest_title text NOT NULL, root text COLLATE "C" NOT NULL, read_on bigint NOT NULL, answered text NOT NULL,
    missing text NOT NULL, gap text COLLATE "C" NOT NULL);
  CREATE INDEX question_asked ON pith.question (project, environment, asked_at);
  CREATE INDEX question_conversation ON pith.question (conversation, asked_at);
  CREATE INDEX question_gap ON pith.question (gap);
  CREATE TABLE pith.gap (id text COLLATE "C" PRIMARY KEY, ${SPACE}, scope text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL, changed_at bigint NOT NULL, generation text COLLATE "C" NOT NULL,
    answer text NOT NULL, claim text NOT NULL);`;

/** The last week of which a summary was sent. */
export const SUMMARY_TABLES = `
  CREATE TABLE pith.gap_summary (${SPACE}, week text COLLATE "C" NOT NULL, PRIMARY KEY (project, environment));`;
