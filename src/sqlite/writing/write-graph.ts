import { entityKey } from '../../core/entity-key.js';
import type { DocumentGraph, FoundHeading } from '../../core/indexed-document.js';
import { type Database, type Row, text } from '../driver.js';

export const GONE_DOCUMENTS = 'SELECT d.id FROM temp.gone g CROSS JOIN main.document d ON d.path = g.path';
const GONE_PLACES = `SELECT id FROM main.graph_place WHERE document_id IN (${GONE_DOCUMENTS})`;

/** Removes the graph of deleted documents, before their rows are removed. Links to them are resolved again later. */
export const FORGET_GRAPH = `
  DELETE FROM main.graph_mention WHERE place_id IN (${GONE_PLACES});
  DELETE FROM main.graph_step WHERE place_id IN (${GONE_PLACES});
  DELETE FROM main.graph_anchor WHERE document_id IN (${GONE_DOCUMENTS});
  DELETE FROM main.graph_link WHERE document_id IN (${GONE_DOCUMENTS});
  DELETE FROM main.graph_place WHERE document_id IN (${GONE_DOCUMENTS});
`;

const MOVED_DOCUMENTS =
  'SELECT d.id, t.graph FROM stage.document t CROSS JOIN main.document d ON d.path = t.path ORDER BY d.id';
const SECTIONS = 'SELECT id, section_id FROM main.section WHERE document_id = ? ORDER BY ordinal';

const NEW_MENTIONS = `DROP TABLE IF EXISTS temp.new_mention;
  CREATE TEMP TABLE new_mention (entity_id INTEGER NOT NULL, place_id INTEGER NOT NULL, type TEXT NOT NULL,
    name TEXT NOT NULL, count INTEGER NOT NULL, is_defined INTEGER NOT NULL)`;
// In the order of the table, whose pages are then written once. The first of several names of a place is kept.
const SORT_MENTIONS = `INSERT INTO main.graph_mention
  SELECT entity_id, place_id, 0, type, name, count, is_defined FROM temp.new_mention
  WHERE true ORDER BY entity_id, place_id, rowid
  ON CONFLICT DO UPDATE SET count = count + excluded.count, is_defined = max(is_defined, excluded.is_defined);
  DROP TABLE temp.new_mention`;
/** Entities that are not looked up again. */
const MAX_KNOWN_ENTITIES = 100_000;

/** A section's row in the order of its document. */
interface SectionRow {
  readonly id: number;
  readonly nodeId: string;
}

/** Statements of one run, prepared once. */
class GraphRows {
  private readonly addPlace;
  private readonly addAnchor;
  private readonly addStep;
  private readonly addLink;
  private readonly addMention;
  private readonly addEntity;
  private readonly entityId;
  private readonly entities = new Map<string, number>();
  private nextHeading: number;

  constructor(database: Database) {
    this.addPlace = database.prepare('INSERT INTO main.graph_place VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
    this.addAnchor = database.prepare('INSERT INTO main.graph_anchor VALUES (?, ?, ?)');
    this.addStep = database.prepare('INSERT INTO main.graph_step (place_id, number, title) VALUES (?, ?, ?)');
    this.addLink = database.prepare(
      `INSERT INTO main.graph_link (place_id, document_id, relation, href, is_dead) VALUES (?, ?, ?, ?, 0)`,
    );
    database.exec(NEW_MENTIONS);
    this.addMention = database.prepare('INSERT INTO temp.new_mention VALUES (?, ?, ?, ?, ?, ?)');
    this.addEntity = database.prepare('INSERT OR IGNORE INTO main.graph_entity (key) VALUES (?)');
    this.entityId = database.prepare('SELECT id FROM main.graph_entity WHERE key = ?');
    const least = database.prepare('SELECT min(id) AS id FROM main.graph_place').get()?.['id'];
    this.nextHeading = Math.min(0, Number(least ?? 0)) - 1;
  }

  add(documentId: number, graph: DocumentGraph, sections: readonly SectionRow[]): void {
    const placeOf = this.addPlaces(documentId, graph.headings, sections);
    for (const { name, heading } of graph.anchors)
      this.addAnchor.run(documentId, name, (heading !== null && placeOf.get(heading)) || null);
    const rowOf = (ordinal: number): number => sections[ordinal]?.id ?? 0;
    for (const { section, number, title } of graph.steps) this.addStep.run(rowOf(section), number, title);
    for (const { section, href, isSeeAlso } of graph.links)
      this.addLink.run(rowOf(section), documentId, isSeeAlso ? 'RELATED_TO' : 'REFERENCES', href);
    for (const { section, name, type, count, isDefined } of graph.mentions) {
      const entity = this.entityOf(entityKey(name));
      this.addMention.run(entity, rowOf(section), type, name, count, Number(isDefined));
    }
  }

  private entityOf(key: string): number {
    const known = this.entities.get(key);
    if (known !== undefined) return known;
    this.addEntity.run(key);
    const id = Number(this.entityId.get(key)?.['id']);
    if (this.entities.size >= MAX_KNOWN_ENTITIES) this.entities.clear();
    this.entities.set(key, id);
    return id;
  }

  private addPlaces(
    documentId: number,
    headings: readonly FoundHeading[],
    sections: readonly SectionRow[],
  ): ReadonlyMap<string, number> {
    const placeOf = new Map<string, number>();
    let position = 0;
    for (const { id, title, level, anchor, parent, sections: ordinals } of headings) {
      const parentId = parent === null ? null : (placeOf.get(parent) ?? null);
      const parts = ordinals.flatMap((ordinal) => sections[ordinal] ?? []);
      const places = parts.length > 0 ? parts : [{ id: this.nextHeading--, nodeId: id }];
      placeOf.set(id, places[0]?.id ?? 0);
      for (const place of places) {
        const fields = [position++, parentId, level, title, anchor];
        this.addPlace.run(place.id, place.nodeId, documentId, ...fields);
      }
    }
    return placeOf;
  }
}

const toSection = (row: Row): SectionRow => ({ id: Number(row['id']), nodeId: text(row['section_id']) });

/** Writes the graph of the staged documents; their sections must be written before. */
export function writeGraph(database: Database): void {
  const rows = new GraphRows(database);
  const sectionsOf = database.prepare(SECTIONS);
  for (const row of database.prepare(MOVED_DOCUMENTS).iterate()) {
    const graph = JSON.parse(text(row['graph'])) as DocumentGraph;
    rows.add(Number(row['id']), graph, sectionsOf.all(Number(row['id'])).map(toSection));
  }
  database.exec(SORT_MENTIONS);
}
