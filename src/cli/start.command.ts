import { join, resolve } from 'node:path';
import type { Config, Environment } from '../config/config.js';
import { IndexConfig } from '../config/index.config.js';
import { startHttp } from '../main.http.js';
import { PACKAGE_ROOT } from '../package-facts.js';
import { askIndex, evidenceLines } from './ask.command.js';
import { hostConfiguration, httpConfiguration } from './host-configuration.js';
import { runIndex } from './index.command.js';
import { loadConfig } from './load-config.js';
import { localServices } from './local-services.js';
import type { StartFlags } from './program.js';
import { reportLines } from './report-lines.js';

const OWN_QUESTION = 'How does Pith keep passages of one session from another?';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** A question that the documents certainly answer: what their largest topic is about. */
async function questionFor(config: Config): Promise<string> {
  const services = localServices(config);
  try {
    const { scope } = await services.newCall();
    const [topic] = (await services.index.facts(scope, 1)).docTags;
    return `What is ${topic?.value ?? 'this'} about?`;
  } finally {
    await services.index.close();
  }
}

/** Our own documentation has an index of its own, so that trying it out never stands in the way of yours. */
function useOwnIndex(config: Config): void {
  const isChosen = config.index.file !== resolve(new IndexConfig().file);
  if (!isChosen) config.index.file = join(PACKAGE_ROOT, '.pith', 'pith-docs.sqlite');
}

/** `pith start`: index, ask, serve. */
export async function start(flags: StartFlags, overrides: Environment): Promise<void> {
  const config = loadConfig(overrides);
  const isOwn = flags.docs === undefined;
  const folder = flags.docs ?? join(PACKAGE_ROOT, 'docs');
  if (isOwn) useOwnIndex(config);
  say(`Indexing ${resolve(folder)} …`);
  const startedAt = performance.now();
  const report = await runIndex(config, { folder }, false);
  say(reportLines(report, config.index.file, (performance.now() - startedAt) / 1000).join('\n'));
  const question = isOwn ? OWN_QUESTION : await questionFor(config);
  say(`\n$ pith ask ${JSON.stringify(question)}\n`);
  say(evidenceLines(await askIndex(config, question, [])).join('\n'));
  const server = await startHttp(config);
  const program = join(PACKAGE_ROOT, 'bin', 'pith.js');
  say(`\nServing MCP at ${server.url}. Hosts that speak HTTP:\n\n${httpConfiguration(server.url)}`);
  const target = { program, node: process.execPath, indexFile: config.index.file };
  say(`\nHosts that start their servers themselves:\n\n${hostConfiguration(target)}\n`);
  say(`Ask from another terminal: npx pith ask "…" --index "${config.index.file}". Ctrl+C ends the server.`);
  await new Promise<void>((done) => {
    process.once('SIGTERM', done).once('SIGINT', done);
  });
  await server.close();
  process.exit(0);
}
