import { RELATIONS } from '../../../core/graph-model.js';
import type { GraphReport } from '../../../core/ports/index-writer.port.js';
import type { Database } from '../driver.js';
import { text } from '../index/stored-sections.js';

const MAX_EXAMPLES = 20;

const NODES: Readonly<Record<string, string>> = {
  Document: 'SELECT count(*) AS n FROM main.document',
  Section: 'SELECT count(*) AS n FROM main.section',
  Heading: 'SELECT count(*) AS n FROM main.graph_place WHERE id < 0',
  Step: 'SELECT count(*) AS n FROM main.graph_step',
  Entity: 'SELECT count(*) AS n FROM main.graph_entity',
};

/** Edges as walks see them: two links to one place are one edge; sections link their documents. */
const linksOf = (relation: string): string => `SELECT
    (SELECT count(*) FROM (SELECT DISTINCT place_id, target_place_id FROM main.graph_link
      WHERE relation = '${relation}' AND target_place_id IS NOT NULL AND target_place_id <> place_id)) +
    (SELECT count(*) FROM (SELECT DISTINCT place_id, target_document_id FROM main.graph_link
      WHERE relation = '${relation}' AND target_place_id IS NULL AND target_document_id IS NOT NULL)) +
    (SELECT count(*) FROM (SELECT DISTINCT document_id, target_document_id FROM main.graph_link
      WHERE relation = '${relation}' AND target_document_id <> document_id)) AS n`;

const pairsOf = (condition: string): string =>
  `SELECT count(*) AS n FROM (SELECT DISTINCT entity_id, place_id FROM main.graph_mention ${condition})`;

const EDGES: Readonly<Record<(typeof RELATIONS)[number], string>> = {
  HAS_CHUNK: 'SELECT count(*) AS n FROM main.graph_place',
  NEXT_CHUNK: 'SELECT count(*) - count(DISTINCT document_id) AS n FROM main.section',
  PARENT_OF: 'SELECT count(*) AS n FROM main.graph_place',
  CONTAINS_STEP: 'SELECT count(*) AS n FROM main.graph_step',
  REFERENCES: linksOf('REFERENCES'),
  RELATED_TO: linksOf('RELATED_TO'),
  MENTIONS: pairsOf(''),
  DEFINES: pairsOf('WHERE is_defined > 0'),
};

const LINKS = 'SELECT count(*) AS n FROM main.graph_link WHERE target_document_id IS NOT NULL';
const DEAD = 'FROM main.graph_link l JOIN main.document d ON d.id = l.document_id WHERE l.is_dead > 0';

/** Counts the nodes and edges of the index. */
export function graphReport(database: Database): GraphReport {
  const count = (sql: string): number => Number(database.prepare(sql).get()?.['n'] ?? 0);
  const counts = (queries: Readonly<Record<string, string>>): Record<string, number> =>
    Object.fromEntries(Object.entries(queries).map(([name, sql]) => [name, count(sql)]));
  const dead = database.prepare(
    `SELECT DISTINCT d.path, l.href ${DEAD} ORDER BY d.path, l.href LIMIT ${MAX_EXAMPLES}`,
  );
  return {
    nodes: counts(NODES),
    edges: counts(EDGES),
    links: count(LINKS),
    unresolved: count(`SELECT count(*) AS n ${DEAD}`),
    examples: dead.all().map((row) => `${text(row['path'])}: ${text(row['href'])}`),
  };
}
