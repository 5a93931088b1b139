import type { Relation } from '../../core/graph-model.js';
import type { GraphReport } from '../../core/ports/index-writer.port.js';
import { unreadForm } from '../../ingest/links/written-links.js';
import { countIn, type Database, text } from '../driver.js';

const MAX_EXAMPLES = 20;

const NODES: Readonly<Record<string, string>> = {
  Document: 'main.document',
  Section: 'main.section',
  Heading: 'main.graph_place WHERE id < 0',
  Step: 'main.graph_step',
  Entity: 'main.graph_entity',
};

/**
 * Selects link edges as walks see them. Links with the same ends are one edge. A link to another document is also an
 * edge between the two documents.
 */
const linksOf = (relation: Relation): string => `(
  SELECT DISTINCT place_id, target_place_id FROM main.graph_link
    WHERE relation = '${relation}' AND target_place_id IS NOT NULL AND target_place_id <> place_id
  UNION ALL SELECT DISTINCT place_id, target_document_id FROM main.graph_link
    WHERE relation = '${relation}' AND target_place_id IS NULL AND target_document_id IS NOT NULL
  UNION ALL SELECT DISTINCT document_id, target_document_id FROM main.graph_link
    WHERE relation = '${relation}' AND target_document_id <> document_id)`;

const pairsOf = (condition: string): string =>
  `(SELECT DISTINCT entity_id, place_id FROM main.graph_mention ${condition})`;

const EDGES: Readonly<Record<Relation, string>> = {
  HAS_CHUNK: 'main.graph_place',
  // Ordinal 0 is the first section of a document and has no predecessor.
  NEXT_CHUNK: 'main.section WHERE ordinal > 0',
  PARENT_OF: 'main.graph_place',
  CONTAINS_STEP: 'main.graph_step',
  REFERENCES: linksOf('REFERENCES'),
  RELATED_TO: linksOf('RELATED_TO'),
  MENTIONS: pairsOf(''),
  DEFINES: pairsOf('WHERE is_defined > 0'),
};

/** Links that may be in a syntax that was not understood: the others need not be read. */
const UNREAD = `SELECT href, count(*) AS links FROM main.graph_link
  WHERE target_document_id IS NULL AND is_dead = 0 AND (href GLOB '[[{@<$%x]*' OR href GLOB '*:*.adoc*' OR href GLOB '*:*.html*'
    OR href GLOB '*$*.*' OR href GLOB 'project:*' OR href GLOB '[#]*' OR length(href) = 1)
  GROUP BY href`;

/** The number of links that were not understood, by form. */
function unreadLinks(database: Database): Record<string, number> {
  const forms = new Map<string, number>();
  for (const { href, links } of database.prepare(UNREAD).all()) {
    const form = unreadForm(text(href));
    if (form !== null) forms.set(form, (forms.get(form) ?? 0) + Number(links));
  }
  return Object.fromEntries([...forms].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)));
}

const DEAD = 'main.graph_link l JOIN main.document d ON d.id = l.document_id WHERE l.is_dead > 0';

/** Counts the nodes and edges of the index. */
export function graphReport(database: Database): GraphReport {
  const counts = (rows: Readonly<Record<string, string>>): Record<string, number> =>
    Object.fromEntries(Object.entries(rows).map(([name, from]) => [name, countIn(database, from)]));
  const dead = database.prepare(
    `SELECT DISTINCT d.path, l.href FROM ${DEAD} ORDER BY d.path, l.href LIMIT ${MAX_EXAMPLES}`,
  );
  return {
    nodes: counts(NODES),
    edges: counts(EDGES),
    links: countIn(database, 'main.graph_link WHERE target_document_id IS NOT NULL'),
    unresolved: countIn(database, DEAD),
    unread: unreadLinks(database),
    examples: dead.all().map((row) => `${text(row['path'])}: ${text(row['href'])}`),
  };
}
