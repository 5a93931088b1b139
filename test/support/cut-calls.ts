import { dataOf } from './call-results.js';
import type { TestClient } from './mcp-clients.js';
import { importRows } from './memory-file.js';
import { pithIndex } from './processes.js';
import { writeFiles } from './write-files.js';

const WORDS = 'The valve holds the pressure of the boiler while the pump runs. '.repeat(6);
const TABLE = ['| Key | Value |', '| --- | --- |'].concat(
  Array.from({ length: 30 }, (_, i) => `| setting${i} | the valve of row ${i} |`),
);
const PAGES = 14;

function page(i: number): string {
  const links = Array.from({ length: PAGES }, (_, to) => `[page ${to}](page-${to}.md)`).join(', ');
  const parts = Array.from(
    { length: 5 },
    (_, part) => `## Part ${part} of ${i}\n\nCall \`setPressure()\` or \`openValve${part}()\`. ${WORDS}\n`,
  );
  return `---\ndoc_tag: tag-${i}\n---\n# Page ${i}\n\n${WORDS}\n\nSee ${links}.\n\n${parts.join('\n')}`;
}

const DOCUMENTS = {
  ...Object.fromEntries(Array.from({ length: PAGES }, (_, i) => [`page-${i}.md`, page(i)])),
  'table.md': `# Table\n\n${TABLE.join('\n')}\n`,
};

const QUESTION = 'Which valve holds the pressure of the boiler?';
const QUOTE = 'The valve holds the pressure of the boiler while the pump runs.';
const SECTIONS = Array.from({ length: PAGES }, (_, i) => `page-${i}.md`);
const PIECES = SECTIONS.flatMap((section_id) => [{ section_id, quote: QUOTE, start_char: 0 }]).map(
  ({ section_id, quote }) => ({ section_id: `${section_id}#part-0-of-${section_id.slice(5, -3)}`, quote }),
);

/** A folder of documents and its index, with what long replies need. */
export async function indexForCuts(docs: string, index: string, memory: string): Promise<void> {
  writeFiles(docs, DOCUMENTS);
  await pithIndex(docs, index);
  const rows = Array.from({ length: 20 }, (_, i) => ({
    ...{ table: 'thoughts' as const, id: `m${i}`, text: `Memory ${i} of the valve. ${WORDS}` },
  }));
  await importRows(rows, memory, index);
}

/** The arguments of a call, and of some a name for the report. */
export type CutCall = readonly [tool: string, args: Record<string, unknown>];

async function makeRuns(client: TestClient): Promise<string> {
  const made = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      client.call('run.create', { run_type: 'test', name: `run ${i}`, config: JSON.stringify({ i, WORDS }) }),
    ),
  );
  const run_id = String(dataOf(made[0] ?? { content: [] }).run_id);
  await client.call('run.start', { run_id });
  for (let i = 0; i < 12; i++) {
    const data = JSON.stringify({ i, text: WORDS.slice(0, 120) });
    await client.call('run.log_step', { run_id, step_name: `step ${i}`, event: 'complete', data });
  }
  await client.call('run.checkpoint', { run_id, state: JSON.stringify({ text: WORDS }) });
  return run_id;
}

async function makeClaims(client: TestClient): Promise<string> {
  const claims = [];
  for (let i = 0; i < 8; i++) {
    const statement = `Claim ${i}: the valve holds the pressure.`;
    claims.push(dataOf(await client.call('claim.create', { statement, evidence: PIECES.slice(0, 10) })));
  }
  return claims[0].claim_id;
}

async function makeSchemas(client: TestClient): Promise<void> {
  const properties = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [`field${i}`, { type: 'integer' }]),
  );
  for (let i = 0; i < 10; i++) {
    const schema_json = JSON.stringify({ type: 'object', properties });
    await client.call('schema.register', {
      name: `schema${i}`,
      schema_json,
      description: WORDS.slice(0, 200),
    });
  }
}

interface Stored {
  readonly artifact: string;
  readonly first: string;
  readonly last: string;
}

async function makeManifests(client: TestClient): Promise<Stored> {
  const text = `# Stored\n\n${WORDS.repeat(10)}\n`;
  const { sha256: artifact } = dataOf(await client.call('substrate.artifact.upload', { text }));
  const entries = Array.from({ length: 30 }, (_, i) => ({ path: `file-${i}.md`, artifact_sha256: artifact }));
  const shas: string[] = [];
  for (let i = 0; i < 10; i++) {
    const more =
      i === 0
        ? { entries: entries.slice(0, 1) }
        : { base: shas.at(-1), entries: entries.slice(i * 3, i * 3 + 3) };
    const made = await client.call('substrate.manifest.create', { ...more, message: `change ${i}` });
    shas.push(dataOf(made).sha256);
  }
  const [first = '', ...later] = shas;
  for (let i = 0; i < 10; i++) {
    const pointer = {
      name: `pointer${i}`,
      type: 'bundle',
      manifest_sha256: first,
      description: WORDS.slice(0, 80),
    };
    await client.call('substrate.pointer.create', pointer);
  }
  for (const [i, manifest_sha256] of later.entries()) {
    const move = { name: 'pointer0', expected_sha256: shas[i], manifest_sha256, reason: `move ${i}` };
    await client.call('substrate.pointer.advance', move);
  }
  return { artifact, first, last: shas.at(-1) ?? '' };
}

/** Stores what the calls read. @returns calls of every tool whose result can be long, without those of passages */
export async function callsForCuts(client: TestClient, folder: string): Promise<readonly CutCall[]> {
  const run_id = await makeRuns(client);
  const claim_id = await makeClaims(client);
  await makeSchemas(client);
  const { artifact, first, last } = await makeManifests(client);
  for (let i = 0; i < 6; i++) {
    const source = { folder };
    dataOf(
      await client.call('knowledge.kb_create', {
        name: `corpus${i}`,
        source,
        description: WORDS.slice(0, 150),
      }),
    );
  }
  const parts = ['Which pump runs?', 'What is row 3 of the table?'];
  const labels = Array.from({ length: 20 }, (_, i) => ({
    label: `label ${i}`,
    description: 'valve pump boiler',
  }));
  const bad = JSON.stringify(Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`field${i}`, 'x'])));
  const some = SECTIONS.slice(0, 10);
  const own = PIECES.slice(0, 10).map(({ section_id }) => section_id);
  return [
    [
      'kb.search',
      { query: QUESTION, top_k: 20, page_size: 20, options: { max_per_doc: 5, include_debug: true } },
    ],
    ['kb.search', { query: QUESTION, top_k: 1, options: { include_debug: true } }],
    ['kb.retrieve_evidence', { question: QUESTION, parts, options: { include_debug: true } }],
    ['kb.retrieve_evidence', { question: QUESTION, max_quotes: 1, options: { include_debug: true } }],
    ['kb.verify', { quotes: PIECES }],
    ['search_docs', { query: QUESTION, limit: 30 }],
    ['get_doc', { chunk_id: own[0], context: 2 }],
    ['get_doc', { chunk_id: 'page-0.md' }],
    ['scope.describe', {}],
    ['scope.describe', { documents: 50 }],
    ['graph.describe', { node_ids: own, include_snippet: true }],
    ['graph.expand', { node_ids: some.slice(0, 2), page_size: 50, include_snippet: true }],
    ['graph.children', { parent_id: 'page-0.md', page_size: 50 }],
    ['graph.parents', { section_ids: own }],
    ['graph.paths', { a_ids: some.slice(0, 3), b_ids: some.slice(3, 8), max_hops: 2, max_paths: 10 }],
    ['graph.entities_for_sections', { section_ids: own }],
    ['graph.sections_for_entities', { entity_ids: ['setPressure'], max_per: 20 }],
    ['inner_voice.retrieve', { query: 'memory of the valve', floor: 0, top_k: 20 }],
    ['tool.list', {}],
    ['tool.describe', { name: 'kb.search' }],
    ['run.get', { run_id, checkpoint: 0 }],
    ['run.list', {}],
    ['run.events', { run_id }],
    ['claim.get', { claim_id }],
    ['claim.list', {}],
    ['claim.verify', { claim_id }],
    ['schema.list', {}],
    ['schema.get', { name: 'schema0' }],
    ['schema.validate', { name: 'schema0', value_json: bad }],
    ['substrate.artifact.info', { sha256: artifact }],
    ['substrate.artifact.get', { sha256: artifact }],
    ['substrate.manifest.checkout', { manifest_sha256: last }],
    ['substrate.manifest.diff', { old_sha256: first, new_sha256: last }],
    ['substrate.manifest.history', { manifest_sha256: last }],
    ['substrate.pointer.list', {}],
    ['substrate.pointer.resolve', { name: 'pointer0' }],
    ['document.parse', { document: 'page-0.md', section_chars: 1_000 }],
    ['document.extract_tables', { document: 'table.md' }],
    ['document.classify', { document: 'page-0.md', labels }],
    ['document.classify', { document: 'page-0.md', labels: labels.slice(0, 1), passages: 5 }],
    ['index.status', {}],
    ['index.explain', { section_id: 'table.md', question: QUESTION }],
    ['index.ingest', { source: { folder } }],
    ['knowledge.kb_list', {}],
    ['knowledge.kb_query', { name: 'corpus0', question: QUESTION, parts }],
    ['index.search', { query: QUESTION, top_k: 20, page_size: 20 }],
    ['search_sections', { query: QUESTION, top_k: 30, page_size: 30 }],
    ['search_documentation', { query: QUESTION }],
    ['expand_neighbors', { node_ids: some.slice(0, 2), page_size: 50 }],
    ['get_paths_between', { a_ids: some.slice(0, 3), b_ids: some.slice(3, 8), max_hops: 2, max_paths: 10 }],
    ['list_parents', { section_ids: own }],
    ['list_children', { parent_id: 'page-0.md', page_size: 50 }],
    ['get_entities_for_sections', { section_ids: own }],
    ['get_sections_for_entities', { entity_ids: ['setPressure'] }],
    ['traverse_relationships', { start_ids: some.slice(0, 2), include_text: true }],
    ['describe_nodes', { node_ids: own }],
    ['get_section_text', { section_ids: own }],
    ['summarize_neighborhood', { node_ids: some.slice(0, 5) }],
    ['compute_context_bundle', { seeds: own }],
  ];
}

/** Calls that read passages, which belong to one session. */
export async function passageCallsForCuts(client: TestClient): Promise<readonly CutCall[]> {
  const options = { max_per_doc: 1 };
  // One by one, since a small reply shows few passages.
  const found = await Promise.all(
    Array.from({ length: 6 }, async (_, i) => {
      const asked = { query: `Part 1 of ${i}`, top_k: 1, options };
      return dataOf(await client.call('kb.search', asked)).results[0]?.passage_id as string;
    }),
  );
  const [passage_id] = found;
  const { diagnostic_id } = dataOf(
    await client.call('kb.search', { query: QUESTION, diagnostic_debug: true }),
  );
  return [
    ['kb.extract_evidence', { question: QUESTION, passage_ids: [...new Set(found)] }],
    ['kb.expand_excerpt', { passage_id, before_tokens: 400, after_tokens: 400 }],
    ['kb.read_excerpt', { passage_id, max_tokens: 800 }],
    ['scratch.list', {}],
    ['diagnostics.get', { diagnostic_id }],
  ];
}
