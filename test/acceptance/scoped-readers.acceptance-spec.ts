import { accessText, keysOf } from '../support/access.js';
import { buildIndex } from '../support/build-index.js';
import {
  type CallResult,
  connectClient,
  type HttpProcess,
  startHttpProcess,
  type TestClient,
} from '../support/mcp-clients.js';
import { testFolder } from '../support/test-folder.js';
import { BOTH_TEAMS } from '../support/two-teams.js';
import { writeFiles } from '../support/write-files.js';

const KEYS = keysOf('pilot', 'clerk', 'ada', 'eve');
const OPERATOR = ['read' as const, 'operator' as const];
const PRINCIPALS = {
  pilot: { keys: [KEYS.pilot], scope: { doc_tags: ['pilots'] } },
  clerk: { keys: [KEYS.clerk], scope: { doc_tags: ['salaries'] } },
  ada: { keys: [KEYS.ada], permissions: OPERATOR },
  eve: { keys: [KEYS.eve], permissions: OPERATOR, scope: { doc_tags: ['salaries'] } },
};
const SECRET = 'north runway';

const folder = testFolder();
let server: HttpProcess;
const clients = new Map<string, TestClient>();

async function ask(who: keyof typeof KEYS, tool: string, args: object = {}): Promise<CallResult> {
  const headers = { authorization: `Bearer ${KEYS[who]}` };
  const client =
    clients.get(who) ??
    (await connectClient({ era: 'v2', transport: 'http', index: '', url: server.url, headers }));
  clients.set(who, client);
  return client.call(tool, { ...args });
}
const idIn = ({ structuredContent }: CallResult, field: string): string =>
  String(Object(structuredContent?.['data'] ?? structuredContent)[field]);

beforeAll(async () => {
  const index = folder.file('index.sqlite');
  const rules = '[{ name: writes, tools: [run.*, claim.*], effect: allow }]';
  writeFiles(folder.path, {
    'governance.yaml': `version: 1\npolicy: { rules: ${rules} }\n`,
    'access.yaml': accessText(PRINCIPALS),
  });
  writeFiles(folder.file('docs'), BOTH_TEAMS);
  await buildIndex(folder.file('docs'), index);
  server = await startHttpProcess(index, {
    MCP_DOMAINS: 'run,claim',
    PITH_SECRET: 's'.repeat(32),
    PITH_ACCESS_FILE: folder.file('access.yaml'),
    PITH_GOVERNANCE_FILE: folder.file('governance.yaml'),
  });
}, 60_000);

afterAll(async () => {
  for (const client of clients.values()) await client.close();
  await server?.stop();
  folder.remove();
});

it('an operator and a caller of another scope read nothing of a run or a claim, an operator without a scope does', async () => {
  const config = JSON.stringify({ place: SECRET });
  const run = idIn(await ask('pilot', 'run.create', { run_type: 'check', name: SECRET, config }), 'run_id');
  await ask('pilot', 'run.start', { run_id: run });
  await ask('pilot', 'run.log_step', { run_id: run, step_name: SECRET, event: 'start', data: config });
  const claim = idIn(await ask('pilot', 'claim.create', { statement: `The ${SECRET} is open.` }), 'claim_id');
  const readers: readonly (readonly [string, object])[] = [
    ['run.get', { run_id: run }],
    ['run.list', {}],
    ['run.events', { run_id: run }],
    ['claim.get', { claim_id: claim }],
    ['claim.list', {}],
    ['claim.verify', { claim_id: claim }],
  ];
  const seenBy = async (who: keyof typeof KEYS): Promise<string[]> => {
    const seen: string[] = [];
    for (const [tool, args] of readers)
      if (JSON.stringify(await ask(who, tool, args)).includes(SECRET)) seen.push(tool);
    return seen;
  };
  expect(await seenBy('ada')).toEqual(readers.map(([tool]) => tool));
  expect(await seenBy('pilot')).toEqual(readers.map(([tool]) => tool));
  expect(await seenBy('eve')).toEqual([]);
  expect(await seenBy('clerk')).toEqual([]);
});
