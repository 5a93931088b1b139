import { basename, dirname, join, resolve } from 'node:path';
import { addressScheme } from '../../config/given-path.js';
import { ENCODER_OFFER, isEncoderInstalled } from '../../config/installed-model.js';
import { PACKAGE_ROOT } from '../../core/package-facts.js';
import type { RetrievedEvidence } from '../../kb/evidence.schemas.js';
import { readAddress } from '../../sources/read-address.js';
import { settingsFrom, type StartFlags } from '../flags.js';
import { HOSTS } from '../hosts/hosts.js';
import { isIndexChosen, loadConfig } from '../load-config.js';
import { print } from '../print.js';
import { listingCommand, shortReportLines } from '../reports/report-lines.js';
import { factsLines, leftOutLines } from '../reports/source-lines.js';
import { indexSynced } from '../running/index-synced.js';
import { type Session, withSession } from '../running/session.js';
import { endWhenTold, onHangUp } from '../running/signals.js';
import { askIndex, evidenceLines } from './ask.command.js';
import { announceStoredTexts, type Servers } from './serve.command.js';

const OWN_QUESTION = 'How does Pith keep passages of one session from another?';

/** Number of document titles that are tried. */
const MAX_QUESTIONS = 20;

async function titleQuestions(session: Session): Promise<string[]> {
  const { titles } = await session.index.facts(await session.scope(), MAX_QUESTIONS);
  return titles.map((title) => `What is ${title}?`);
}

interface Example {
  readonly question: string;
  readonly evidence: RetrievedEvidence;
}

/** Asks the questions in turn until one has an answer; returns the first question if none has one. */
async function findExample(session: Session, questions: readonly string[]): Promise<Example> {
  for (const question of questions) {
    const evidence = await askIndex(session, question);
    if (evidence.quotes.length > 0) return { question, evidence };
  }
  const [question = 'What is this about?'] = questions;
  return { question, evidence: await askIndex(session, question) };
}

/** `pith start`: index, ask, serve. */
export async function start(servers: Servers, flags: StartFlags): Promise<void> {
  const config = loadConfig(settingsFrom(flags));
  const { index } = config;
  const folder = flags.docs ?? join(PACKAGE_ROOT, 'docs');
  // By default, every folder has its own index file.
  const isPath = addressScheme(folder) === null;
  const name = isPath ? basename(resolve(folder)) : readAddress(folder).name;
  if (!isIndexChosen(config)) index.file = join(dirname(index.file), `${name}.sqlite`);
  print(`Indexing ${isPath ? resolve(folder) : folder} …`);
  const { report, seconds, facts } = await indexSynced(config, [folder], {
    engines: await servers.engines(),
    ...{ allowHost: flags.allowHost, secret: flags.secret },
  });
  if (facts.length > 0) print(...facts.flatMap((each) => [...factsLines([each]), ...leftOutLines(each)]));
  const listing = listingCommand(folder, index.file);
  // The example comes next: only what needs a step of the user stands before it.
  const urgent = {
    ...report,
    skipped: report.skipped.filter(({ isProblem }) => isProblem),
    unread: report.unread.filter(({ advice }) => advice !== null),
  };
  print(...shortReportLines(urgent, { file: index.file, shown: facts, listing }, seconds));
  const { question, evidence } = await withSession(servers.inProcess(config), async (session) =>
    findExample(session, flags.docs === undefined ? [OWN_QUESTION] : await titleQuestions(session)),
  );
  print(`\n$ pith ask ${JSON.stringify(question)}\n`);
  print(evidenceLines(evidence).join('\n'));
  announceStoredTexts(config);
  const startHttp = await servers.startHttp();
  const server = await startHttp(config);
  print(`\nServing MCP at ${server.url}`);
  print(`Add it to a host: npx pith doctor --write HOST --index "${index.file}"`);
  print(`  HOST is one of ${HOSTS.map(({ id }) => id).join(', ')}`);
  print(`Ask from another terminal: npx pith ask "…" --index "${index.file}"`);
  if (config.models.embedder === 'auto' && !isEncoderInstalled(config.models))
    print(`Optional encoder: ${ENCODER_OFFER}`);
  print('Press Ctrl+C to stop.');
  onHangUp(server.reload);
  await endWhenTold(server.close, server.closeMs);
}
