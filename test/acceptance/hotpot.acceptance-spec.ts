import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PACKAGE_ROOT } from '../../src/core/package-facts.js';
import { testFolder } from '../support/build-index.js';
import { sharedData } from '../support/corpora.js';
import { cleanEnv } from '../support/mcp-clients.js';

const RETRIEVAL = sharedData('evidence/hotpotqa/retrieval');
/** A third of the questions, over all paragraphs. */
const QUESTIONS = 120;

const folder = testFolder();
const linesOf = (file: string): string[] => readFileSync(file, 'utf8').trimEnd().split('\n');

/** Writes a set with the first questions only. */
function writeSample(from: string, to: string): void {
  mkdirSync(join(to, 'qrels'), { recursive: true });
  cpSync(join(from, 'corpus.jsonl'), join(to, 'corpus.jsonl'));
  const queries = linesOf(join(from, 'queries.jsonl')).slice(0, QUESTIONS);
  const ids = new Set(queries.map((line) => (JSON.parse(line) as { _id: string })._id));
  const [header = '', ...rows] = linesOf(join(from, 'qrels', 'test.tsv'));
  const judged = rows.filter((row) => ids.has(row.split('\t')[0] ?? ''));
  writeFileSync(join(to, 'queries.jsonl'), `${queries.join('\n')}\n`);
  writeFileSync(join(to, 'qrels', 'test.tsv'), `${[header, ...judged].join('\n')}\n`);
}

/** The mean of recall@5, as bench/research.mjs measures it. */
async function recallAt5(set: string, mode: string): Promise<number> {
  const out = folder.file(`reports-${mode}`);
  const script = join(PACKAGE_ROOT, 'bench', 'research.mjs');
  await promisify(execFile)(process.execPath, [script, set, '--mode', mode, '--out', out], {
    env: cleanEnv({}),
  });
  const [report = ''] = readdirSync(out).filter((name) => name.endsWith('.json'));
  const { rows } = JSON.parse(readFileSync(join(out, report), 'utf8')) as {
    rows: { values: { recall5: number } }[];
  };
  expect(rows).toHaveLength(QUESTIONS);
  return rows.reduce((sum, { values }) => sum + values.recall5, 0) / rows.length;
}

afterAll(() => folder.remove());

(RETRIEVAL ? describe : describe.skip)('questions with two hops', () => {
  it('have more of their sections among the first five with the graph than without', async () => {
    const set = folder.file('retrieval');
    writeSample(RETRIEVAL ?? '', set);
    const [hybrid, plain] = await Promise.all([
      recallAt5(set, 'hybrid_local'),
      recallAt5(set, 'vector_only'),
    ]);
    expect(hybrid).toBeGreaterThan(plain);
  });
});
