import { GONE_DOCUMENTS } from './write-graph.js';

/** The entities whose mentions or titles change in this run: their counts are computed again, and unnamed ones removed. */
export const TOUCHED_ENTITIES = `
  DROP TABLE IF EXISTS temp.touched_entity;
  CREATE TEMP TABLE touched_entity (entity_id INTEGER PRIMARY KEY);
  INSERT OR IGNORE INTO temp.touched_entity
    SELECT entity_id FROM main.graph_mention
    WHERE place_id IN (SELECT id FROM main.graph_place WHERE document_id IN (${GONE_DOCUMENTS}));
`;

/** Adds those of the keys in `changed_title`. */
export const TOUCHED_BY_TITLE = `INSERT OR IGNORE INTO temp.touched_entity
  SELECT k.entity_id FROM temp.changed_title c CROSS JOIN main.graph_concept k ON k.terms = c.key`;

/** Adds those of a section. */
export const TOUCHED_BY_SECTION = `INSERT OR IGNORE INTO temp.touched_entity
  SELECT entity_id FROM main.graph_mention WHERE place_id = ? AND source = 1`;

/** Adds those of the sections of this run. */
export const TOUCHED_BY_MOVED = `INSERT OR IGNORE INTO temp.touched_entity
  SELECT m.entity_id FROM temp.moved v CROSS JOIN main.graph_mention m ON m.place_id = v.id WHERE m.source = 1`;
