import { connect, quantile } from './measure.mjs';

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
 * Measures kb.search with and without a part of the server: two servers on one index, asked alternately, in both orders.
 * @param settings  the environment of the server `with` the part and of the one `without` it
 * @returns medians in ms for each server, and for the differences between two calls with one query
 */
export async function measureInTurn(pith, index, settings, queries) {
  const clients = {};
  for (const name of ['without', 'with']) {
    const env = { ...settings[name], PITH_RATE_PER_MINUTE: '0' };
    clients[name] = await connect([...pith, 'stdio', '--index', index], env);
  }
  const times = { without: [], with: [], difference: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [i, query] of queries.entries()) {
      const taken = {};
      for (const name of i % 2 === round % 2 ? ['without', 'with'] : ['with', 'without']) {
        taken[name] = await timed(clients[name], query);
        await pause();
      }
      // The first round warms up both servers.
      if (round === 0) continue;
      times.without.push(taken.without);
      times.with.push(taken.with);
      times.difference.push(taken.with - taken.without);
    }
  }
  for (const client of Object.values(clients)) await client.close();
  const of = (name) => quantile(times[name], 0.5);
  const medians = { without: of('without'), with: of('with'), difference: of('difference') };
  return { ...medians, calls: times.with.length };
}
