// The cost of the graph in an index: time, space, nodes and edges.
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './measure.mjs';

const require = createRequire(import.meta.url);
/** The functions that do all work for the graph. If one is renamed, this list must change as well. */
const STEPS = ['graphOf', 'writeGraph', 'resolveGraphLinks', 'writeConcepts', 'graphReport'];

/**
 * Runs a Node command under V8's sampling profiler. The profiler makes it slower, so only shares are meaningful.
 * @param argv  node, script and arguments
 * @returns share of the run, from 0 to 1, in each step and the functions that it calls
 */
export async function graphTimes([node, ...rest], env) {
  const folder = mkdtempSync(join(tmpdir(), 'pith-profile-'));
  try {
    await run([node, '--cpu-prof', '--cpu-prof-dir', folder, ...rest], env);
    const [file] = readdirSync(folder);
    const profile = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const missing = STEPS.filter((step) => !profile.nodes.some((node) => nameOf(node) === step));
    if (missing.length > 0) throw new Error(`no time was spent in ${missing.join(', ')}`);
    return sharesOf(profile);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const nameOf = (node) => node.callFrame.functionName;

/** Steps don't call one another, so a sample belongs to the nearest step above it. */
function sharesOf({ nodes, samples, timeDeltas }) {
  const stepOf = new Map();
  // Parents come before their children.
  for (const node of nodes) {
    const step = STEPS.includes(nameOf(node)) ? nameOf(node) : (stepOf.get(node.id) ?? null);
    for (const id of [node.id, ...(node.children ?? [])]) stepOf.set(id, step);
  }
  const spent = Object.fromEntries(STEPS.map((step) => [step, 0]));
  samples.forEach((id, i) => {
    const step = stepOf.get(id);
    if (step) spent[step] += timeDeltas[i + 1] ?? 0;
  });
  const all = timeDeltas.reduce((sum, delta) => sum + delta, 0);
  return Object.fromEntries(STEPS.map((step) => [step, spent[step] / all]));
}

/** The size of the graph's tables and their indexes in MB, and the number of nodes and edges. */
export function graphSize(index) {
  const { DatabaseSync } = require('@photostructure/sqlite');
  const { graphReport } = require('../dist/sqlite/graph/graph-report.js');
  const database = new DatabaseSync(index, { readOnly: true });
  try {
    const pages = database.prepare(
      "SELECT sum(pgsize) AS n FROM dbstat WHERE name LIKE '%graph\\_%' ESCAPE '\\'",
    );
    const { nodes, edges } = graphReport(database);
    const sum = (counts) => Object.values(counts).reduce((total, count) => total + count, 0);
    return { mb: pages.get().n / 1e6, nodes: sum(nodes), edges: sum(edges) };
  } finally {
    database.close();
  }
}
