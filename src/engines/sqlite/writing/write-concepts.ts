import {
  chooseConcepts,
  compareConcepts,
  type ConceptTrie,
  conceptTrie,
  findConcepts,
  type OwnedTitle,
  type TitleConcept,
} from '../../../graph/title-concepts.js';
import { searchTerms, type StemMemo } from '../../../text/terms/search-terms.js';
import type { Database } from '../driver.js';
import { type Row, text, textOrNull } from '../row-values.js';

/** With more changes than this, reading every section is faster than searching for the affected ones. */
const MAX_LOOKED_FOR = 300;

// A heading that repeats the title of its document is left out: the title belongs to the document.
const TITLES = `SELECT d.path, d.title, NULL AS node_id FROM main.document d
  UNION ALL SELECT d.path, p.title, p.node_id FROM main.graph_place p JOIN main.document d ON d.id = p.document_id
    WHERE p.title <> d.title ORDER BY 1, 3`;
const MOVED = `SELECT m.id, t.body_terms FROM temp.moved m JOIN stage.section t ON t.id = m.staged_id ORDER BY m.id`;

/** Sections published by earlier runs. Their terms are not staged, so they are computed from the text. */
const OTHERS = 'SELECT s.id, s.text FROM main.section s WHERE s.id NOT IN (SELECT id FROM temp.moved)';

// Each place keeps its own spelling: another spelling may come from a hidden document.
const OWNERS = `
  DELETE FROM main.graph_mention WHERE source = 2;
  INSERT OR IGNORE INTO main.graph_mention
    SELECT o.entity_id, p.id, 2, 'Concept', p.title, 1, 1
    FROM main.graph_owner o JOIN main.graph_place p ON p.id = o.place_id;
  INSERT OR IGNORE INTO main.graph_mention
    SELECT o.entity_id, p.id, 2, 'Concept', d.title, 1, 1
    FROM main.graph_owner o JOIN main.document d ON d.id = o.document_id JOIN main.graph_place p ON p.document_id = d.id
    WHERE o.place_id IS NULL AND p.position = 0;
`;

/** Mentions of a title in the only document that has it do not count. */
const MENTIONED_BY = `
  UPDATE main.graph_concept SET mentioned_by = 0;
  UPDATE main.graph_concept SET mentioned_by = found.places FROM (
      SELECT m.entity_id AS id, count(DISTINCT m.place_id) AS places
      FROM main.graph_mention m JOIN main.graph_place p ON p.id = m.place_id JOIN main.graph_concept c ON c.entity_id = m.entity_id
      WHERE m.source = 1 AND (c.homes > 1 OR NOT EXISTS (
        SELECT 1 FROM main.graph_owner o WHERE o.entity_id = m.entity_id AND o.document_id = p.document_id))
      GROUP BY m.entity_id) AS found
    WHERE found.id = main.graph_concept.entity_id;
`;

const FORGET_UNNAMED =
  'DELETE FROM main.graph_entity WHERE id NOT IN (SELECT entity_id FROM main.graph_mention)';

function currentConcepts(database: Database): ReadonlyMap<string, TitleConcept> {
  const titles = database
    .prepare(TITLES)
    .all()
    .map((row): OwnedTitle => ({
      title: text(row['title']),
      document: text(row['path']),
      section: textOrNull(row['node_id']),
    }));
  const frequency = database.prepare('SELECT doc FROM main.section_term WHERE term = ?');
  return chooseConcepts(titles, (term) => Number(frequency.get(term)?.['doc'] ?? 0));
}

/**
 * Updates the table of concepts. A concept's entity is named by search terms, because the spelling of a title would
 * reveal the document that uses it.
 * @returns the keys that were added or removed
 */
function replaceConcepts(
  database: Database,
  current: ReadonlyMap<string, TitleConcept>,
): ReadonlySet<string> {
  const stored = database.prepare('SELECT terms, homes FROM main.graph_concept').all();
  const known = new Map(stored.map((row) => [text(row['terms']), Number(row['homes'])]));
  const { gone, written, changed } = compareConcepts(known, current);
  const forgetMentions = database.prepare(
    `DELETE FROM main.graph_mention
     WHERE source = 1 AND entity_id = (SELECT entity_id FROM main.graph_concept WHERE terms = ?)`,
  );
  const forget = database.prepare('DELETE FROM main.graph_concept WHERE terms = ?');
  for (const key of gone) {
    forgetMentions.run(key);
    forget.run(key);
  }
  const addEntity = database.prepare('INSERT OR IGNORE INTO main.graph_entity (key) VALUES (?)');
  const put = database.prepare(
    `INSERT INTO main.graph_concept SELECT key, id, ?, 0 FROM main.graph_entity WHERE key = ?
     ON CONFLICT DO UPDATE SET homes = excluded.homes`,
  );
  for (const { key, homes } of written) {
    if (!known.has(key)) addEntity.run(key);
    put.run(homes.length, key);
  }
  return changed;
}

class Mentions {
  private readonly trie: ConceptTrie;
  private readonly entities: ReadonlyMap<string, number>;
  private readonly forget;
  private readonly add;

  constructor(database: Database, keys: Iterable<string>) {
    this.trie = conceptTrie(keys);
    const rows = database.prepare('SELECT terms, entity_id FROM main.graph_concept').all();
    this.entities = new Map(rows.map((row) => [text(row['terms']), Number(row['entity_id'])]));
    this.forget = database.prepare('DELETE FROM main.graph_mention WHERE place_id = ? AND source = 1');
    this.add = database.prepare(
      `INSERT INTO main.graph_mention VALUES (?, ?, 1, 'Concept', '', ?, 0)
       ON CONFLICT DO UPDATE SET count = count + excluded.count`,
    );
  }

  write(place: number, terms: readonly string[]): void {
    for (const [key, count] of findConcepts(terms, this.trie)) {
      const entity = this.entities.get(key);
      if (entity !== undefined) this.add.run(entity, place, count);
    }
  }

  rewrite(place: number, terms: readonly string[]): void {
    this.forget.run(place);
    this.write(place, terms);
  }
}

/** Published sections that contain one of the keys; null if there are too many keys to search for. */
function sectionsWith(database: Database, keys: ReadonlySet<string>): ReadonlySet<number> | null {
  if (keys.size > MAX_LOOKED_FOR) return null;
  const look = database.prepare('SELECT rowid AS id FROM main.section_fts WHERE section_fts MATCH ?');
  return new Set(
    [...keys].flatMap((key) =>
      look.all(`body : "${key.replaceAll('"', '""')}"`).map((row) => Number(row['id'])),
    ),
  );
}

function writeOwners(database: Database, current: ReadonlyMap<string, TitleConcept>): void {
  database.exec('DELETE FROM main.graph_owner');
  const ofDocument = database.prepare(
    `INSERT OR IGNORE INTO main.graph_owner SELECT c.entity_id, d.id, NULL
     FROM main.graph_concept c, main.document d WHERE c.terms = ? AND d.path = ?`,
  );
  const ofPlace = database.prepare(
    `INSERT OR IGNORE INTO main.graph_owner SELECT c.entity_id, p.document_id, p.id
     FROM main.graph_concept c, main.graph_place p WHERE c.terms = ? AND p.node_id = ?`,
  );
  for (const [terms, { documents, sections }] of current) {
    for (const path of documents) ofDocument.run(terms, path);
    for (const id of sections) ofPlace.run(terms, id);
  }
}

/**
 * Links sections to the titles and headings of other documents that they mention. All documents together determine which
 * titles are concepts, so a change of one document may require reading sections of others again.
 */
export function writeConcepts(database: Database): void {
  const current = currentConcepts(database);
  const changed = replaceConcepts(database, current);
  const mentions = new Mentions(database, current.keys());
  for (const row of database.prepare(MOVED).iterate())
    mentions.write(Number(row['id']), text(row['body_terms']).split(' '));
  const affected = sectionsWith(database, changed);
  const memo: StemMemo = new Map();
  const rewrite = (row: Row): void =>
    mentions.rewrite(Number(row['id']), searchTerms(text(row['text']), memo));
  const one = database.prepare(`${OTHERS} AND s.id = ?`);
  if (affected) for (const id of affected) for (const row of one.all(id)) rewrite(row);
  else for (const row of database.prepare(OTHERS).iterate()) rewrite(row);
  writeOwners(database, current);
  database.exec(OWNERS + MENTIONED_BY + FORGET_UNNAMED);
}
