import { ConceptFilter, findConcepts, isConcept } from '../../graph/title-concepts.js';
import { searchTerms, type StemMemo } from '../../text/terms/search-terms.js';
import { countIn, type Database, type Row, text } from '../driver.js';
import { COUNT_SECTIONS } from '../postings.js';
import { TOUCHED_BY_MOVED, TOUCHED_BY_SECTION, TOUCHED_BY_TITLE } from './touched-entities.js';
import { noteTerms } from './write-titles.js';

/** With more changes than this, reading every section is faster than searching for the affected ones. */
const MAX_LOOKED_FOR = 300;

const KEYS_AT_A_TIME = 10_000;
/** Each key that may have changed, with the number of documents that have it now and had it before. */
const KEYS = `
  SELECT c.key, count(DISTINCT t.document_id) AS homes, k.homes AS known, k.entity_id
  FROM temp.changed_title c LEFT JOIN main.graph_title t ON t.key = c.key
    LEFT JOIN main.graph_concept k ON k.terms = c.key
  WHERE c.key > ? GROUP BY c.key ORDER BY c.key LIMIT ${KEYS_AT_A_TIME}`;
const MOVED = `SELECT m.id, t.title_terms, t.heading_terms, t.file_terms, t.body_terms
  FROM temp.moved m JOIN stage.section t ON t.id = m.staged_id ORDER BY m.id`;
const TERMS = ['title_terms', 'heading_terms', 'file_terms', 'body_terms'];

/** Sections published by earlier runs. Their terms are not staged, so they are computed from the text. */
const OTHERS = 'SELECT s.id, s.text FROM main.section s WHERE s.id NOT IN (SELECT id FROM temp.moved)';

// Each place keeps its own spelling: another spelling may come from a hidden document.
const OWNERS = `
  DELETE FROM main.graph_mention WHERE source = 2 AND entity_id IN
    (SELECT k.entity_id FROM temp.changed_title c CROSS JOIN main.graph_concept k ON k.terms = c.key);
  INSERT OR IGNORE INTO main.graph_mention
    SELECT k.entity_id, p.id, 2, 'Concept', p.title, 1, 1
    FROM temp.changed_title c CROSS JOIN main.graph_concept k ON k.terms = c.key
      CROSS JOIN main.graph_title t ON t.key = c.key CROSS JOIN main.graph_place p ON p.id = t.place_id;
  INSERT OR IGNORE INTO main.graph_mention
    SELECT k.entity_id, p.id, 2, 'Concept', d.title, 1, 1
    FROM temp.changed_title c CROSS JOIN main.graph_concept k ON k.terms = c.key
      CROSS JOIN main.graph_title t ON t.key = c.key AND t.place_id = 0
      CROSS JOIN main.document d ON d.id = t.document_id
      CROSS JOIN main.graph_place p ON p.document_id = d.id AND p.position = 0;
`;

/** Mentions of a title in the only document that has it do not count. */
const MENTIONED_BY = `
  UPDATE main.graph_concept SET mentioned_by = (
    SELECT count(*) FROM main.graph_mention m JOIN main.graph_place p ON p.id = m.place_id
    WHERE m.entity_id = graph_concept.entity_id AND m.source = 1 AND (graph_concept.homes > 1 OR NOT EXISTS (
      SELECT 1 FROM main.graph_title t WHERE t.key = graph_concept.terms AND t.document_id = p.document_id)))
  WHERE entity_id IN (SELECT entity_id FROM temp.touched_entity);
`;

const FORGET_UNNAMED = `
  DELETE FROM main.graph_entity WHERE id IN (SELECT entity_id FROM temp.touched_entity)
    AND NOT EXISTS (SELECT 1 FROM main.graph_mention m WHERE m.entity_id = graph_entity.id)`;

/** In the order of their keys; the concepts may be changed meanwhile. */
function* changedKeys(database: Database): Generator<Row> {
  const read = database.prepare(KEYS);
  for (let rows = read.all(''); rows.length > 0; rows = read.all(text(rows.at(-1)?.['key']))) yield* rows;
}

/**
 * Updates the table of concepts. A concept's entity is named by search terms, because the spelling of a title would
 * reveal the document that uses it.
 * @returns the keys that became concepts or are none any more: sections that contain one must be read again. Of more than
 *   `MAX_LOOKED_FOR`, which are not looked for, only the first
 */
function replaceConcepts(database: Database): ReadonlySet<string> {
  const count = database.prepare(COUNT_SECTIONS);
  const frequency = (term: string): number => Number(count.get(term)?.['sections'] ?? 0);
  const forgetMentions = database.prepare(
    'DELETE FROM main.graph_mention WHERE source > 0 AND entity_id = ?',
  );
  const forget = database.prepare('DELETE FROM main.graph_concept WHERE terms = ?');
  const addEntity = database.prepare('INSERT OR IGNORE INTO main.graph_entity (key) VALUES (?)');
  const add = database.prepare(
    'INSERT INTO main.graph_concept SELECT key, id, ?, 0 FROM main.graph_entity WHERE key = ?',
  );
  const update = database.prepare('UPDATE main.graph_concept SET homes = ? WHERE terms = ?');
  const changed = new Set<string>();
  for (const row of changedKeys(database)) {
    const [key, homes] = [text(row['key']), Number(row['homes'])];
    const [is, was] = [isConcept(key, homes, frequency), row['known'] !== null];
    if (is !== was && changed.size <= MAX_LOOKED_FOR) changed.add(key);
    if (is && was) update.run(homes, key);
    if (is && !was) {
      addEntity.run(key);
      add.run(homes, key);
    }
    if (!is && was) {
      forgetMentions.run(Number(row['entity_id']));
      forget.run(key);
    }
  }
  return changed;
}

function* conceptKeys(database: Database): Generator<string> {
  for (const row of database.prepare('SELECT terms FROM main.graph_concept').iterate())
    yield text(row['terms']);
}

class Mentions {
  private readonly filter: ConceptFilter;
  private readonly entity;
  private readonly touched;
  private readonly forget;
  private readonly add;

  constructor(database: Database) {
    this.filter = new ConceptFilter(countIn(database, 'main.graph_concept'), conceptKeys(database));
    this.entity = database.prepare('SELECT entity_id FROM main.graph_concept WHERE terms = ?');
    this.touched = database.prepare(TOUCHED_BY_SECTION);
    this.forget = database.prepare('DELETE FROM main.graph_mention WHERE place_id = ? AND source = 1');
    this.add = database.prepare(
      `INSERT INTO main.graph_mention VALUES (?, ?, 1, 'Concept', '', ?, 0)
       ON CONFLICT DO UPDATE SET count = count + excluded.count`,
    );
  }

  write(place: number, terms: readonly string[]): void {
    const entityOf = (key: string): number | undefined => {
      const row = this.entity.get(key);
      return row && Number(row['entity_id']);
    };
    for (const [entity, count] of findConcepts(terms, this.filter, entityOf))
      this.add.run(entity, place, count);
  }

  rewrite(place: number, terms: readonly string[]): void {
    this.touched.run(place);
    this.forget.run(place);
    this.write(place, terms);
    this.touched.run(place);
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

/** Notes the terms of this run's sections, unless all sections are of this run: then all titles are new anyway. */
function noteMovedTerms(database: Database): void {
  if (countIn(database, 'temp.moved') === countIn(database, 'main.section')) return;
  const terms = new Set<string>();
  for (const row of database.prepare(MOVED).iterate())
    for (const column of TERMS) for (const term of text(row[column]).split(' ')) terms.add(term);
  noteTerms(database, terms);
}

/**
 * Links sections to the titles and headings of other documents that they mention. All documents together determine which
 * titles are concepts, so a change of one document may require reading sections of others again.
 */
export function writeConcepts(database: Database): void {
  noteMovedTerms(database);
  database.exec(TOUCHED_BY_TITLE);
  const changed = replaceConcepts(database);
  database.exec(TOUCHED_BY_TITLE);
  const mentions = new Mentions(database);
  for (const row of database.prepare(MOVED).iterate())
    mentions.write(Number(row['id']), text(row['body_terms']).split(' '));
  database.exec(TOUCHED_BY_MOVED);
  const affected = sectionsWith(database, changed);
  const memo: StemMemo = new Map();
  const rewrite = (row: Row): void =>
    mentions.rewrite(Number(row['id']), searchTerms(text(row['text']), memo));
  const one = database.prepare(`${OTHERS} AND s.id = ?`);
  if (affected) for (const id of affected) for (const row of one.all(id)) rewrite(row);
  else for (const row of database.prepare(OTHERS).iterate()) rewrite(row);
  database.exec(OWNERS + MENTIONED_BY + FORGET_UNNAMED);
}
