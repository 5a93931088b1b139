import { join } from 'node:path';
import { connect, quantile } from './measure.mjs';

/** The settings in which the two servers differ: no diagnostics, or all. */
const SETTINGS = {
  none: { RETRIEVAL_DIAGNOSTICS_SAMPLE_RATE: '0' },
  all: { RETRIEVAL_DIAGNOSTICS_FORCE: '1' },
};
const ROUNDS = 3;
/** An agent asks after it has read the previous answer. */
const PAUSE_MS = 4;

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));

async function timed(client, query) {
  const start = performance.now();
  await client.call('kb.search', { query });
  return performance.now() - start;
}

/**
 * Measures kb.search with and without diagnostics of every call: two servers on one index, asked alternately, in both
 * orders.
 * @returns quantiles in ms for each server, and for the differences between two calls with one query
 */
export async function measureDiagnostics(pith, index, folder, queries) {
  const clients = {};
  for (const [name, env] of Object.entries(SETTINGS)) {
    const settings = { ...env, RETRIEVAL_DIAGNOSTICS_DIR: join(folder, name), PITH_RATE_PER_MINUTE: '0' };
    clients[name] = await connect([...pith, 'stdio', '--index', index], settings);
  }
  const times = { none: [], all: [], difference: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [i, query] of queries.entries()) {
      const taken = {};
      for (const name of i % 2 === round % 2 ? ['none', 'all'] : ['all', 'none']) {
        taken[name] = await timed(clients[name], query);
        await pause();
      }
      // The first round warms up both servers.
      if (round === 0) continue;
      times.none.push(taken.none);
      times.all.push(taken.all);
      times.difference.push(taken.all - taken.none);
    }
  }
  for (const client of Object.values(clients)) await client.close();
  const of = (name) => quantile(times[name], 0.5);
  return { none: of('none'), all: of('all'), difference: of('difference'), calls: times.none.length };
}
