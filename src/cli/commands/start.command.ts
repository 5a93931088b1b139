import { basename, dirname, join, resolve } from 'node:path';
import type { Config, Environment } from '../../config/config.js';
import { thisUser } from '../../config/data-folder.js';
import { IndexConfig } from '../../config/settings/index.config.js';
import { PACKAGE_ROOT, VERSION } from '../../core/package-facts.js';
import type { RetrievedEvidence } from '../../kb/evidence.schemas.js';
import type { StartFlags } from '../command-parts.js';
import { hostConfiguration, httpConfiguration } from '../hosts/host-configuration.js';
import { loadConfig } from '../load-config.js';
import { filledEngines } from '../reports/engine-places.js';
import { reportLines } from '../reports/report-lines.js';
import { type Session, withSession } from '../running/session.js';
import { endWhenTold } from '../running/told-to-end.js';
import { askIndex, evidenceLines } from './ask.command.js';
import { runIndex } from './index.command.js';
import { announceStoredTexts, type Servers } from './serve.command.js';

const OWN_QUESTION = 'How does Pith keep passages of one session from another?';

/** How many documents' titles are tried. */
const MAX_QUESTIONS = 20;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

interface Example {
  readonly question: string;
  readonly evidence: RetrievedEvidence;
}

/** The first of a few questions about what the documents call themselves that they answer. */
async function findExample(session: Session): Promise<Example> {
  const { titles } = await session.index.facts(await session.scope(), MAX_QUESTIONS);
  const questions = titles.map((title) => `What is ${title}?`);
  for (const question of questions) {
    const evidence = await askIndex(session, question);
    if (evidence.quotes.length > 0) return { question, evidence };
  }
  const question = questions[0] ?? 'What is this about?';
  return { question, evidence: await askIndex(session, question) };
}

/** Every folder that is tried out has an index of its own, so that none stands in the way of another. */
function chooseIndex(config: Config, folder: string): void {
  const isChosen = config.index.file !== resolve(new IndexConfig().file);
  if (!isChosen) config.index.file = join(dirname(config.index.file), `${basename(resolve(folder))}.sqlite`);
}

/** `pith start`: index, ask, serve. */
export async function start(servers: Servers, flags: StartFlags, overrides: Environment): Promise<void> {
  const config = loadConfig(overrides);
  const isOwn = flags.docs === undefined;
  const folder = flags.docs ?? join(PACKAGE_ROOT, 'docs');
  chooseIndex(config, folder);
  say(`Indexing ${resolve(folder)} …`);
  const startedAt = performance.now();
  const report = await runIndex(config, { folder }, false);
  say(
    reportLines(
      report,
      { file: config.index.file, engines: filledEngines(config) },
      (performance.now() - startedAt) / 1000,
    ).join('\n'),
  );
  const { question, evidence } = await withSession(servers.inProcess(config), async (session) =>
    isOwn
      ? { question: OWN_QUESTION, evidence: await askIndex(session, OWN_QUESTION) }
      : findExample(session),
  );
  say(`\n$ pith ask ${JSON.stringify(question)}\n`);
  say(evidenceLines(evidence).join('\n'));
  announceStoredTexts(config);
  const startHttp = await servers.startHttp();
  const server = await startHttp(config);
  const program = join(PACKAGE_ROOT, 'bin', 'pith.js');
  say(
    `\nServing MCP at ${server.url}. For hosts that connect over HTTP:\n\n${httpConfiguration(server.url, config.http.token !== '')}`,
  );
  const indexFile = config.index.file;
  const target = { program, version: VERSION, node: process.execPath, indexFile, docs: null };
  say(`\nFor hosts that start the server over STDIO:\n\n${hostConfiguration(target, thisUser())}\n`);
  say(
    `Ask from another terminal: npx pith ask "…" --index "${config.index.file}". Press Ctrl+C to stop the server.`,
  );
  await endWhenTold(server.close, server.closeMs);
}
