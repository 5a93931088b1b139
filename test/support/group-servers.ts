import { runIndex } from '../../src/cli/running/run-index.js';
import { parseConfig } from '../../src/config/config.js';
import { COMMAND_ENGINES } from '../../src/engines/command-engines.js';
import { accessText, keysOf } from './access.js';
import {
  CALLERS,
  type GroupReader,
  type GroupWorld,
  HEADING,
  PATH,
  type StoredIds,
  type Who,
} from './group-readers.js';
import { httpRequest } from './http-request.js';
import { connectClient, type HttpProcess, startHttpProcess, type TestClient } from './mcp-clients.js';
import { poll } from './processes.js';
import { runPith } from './run-pith.js';
import { testFolder } from './test-folder.js';
import { writeFiles } from './write-files.js';

/** Keys by caller. */
const KEYS = keysOf(...CALLERS);
const OPERATOR = ['read' as const, 'operator' as const];
const PRINCIPALS = {
  member: { keys: [KEYS.member], permissions: OPERATOR, groups: ['hr'] },
  stranger: { keys: [KEYS.stranger], groups: ['eng'] },
  nobody: { keys: [KEYS.nobody] },
  eve: { keys: [KEYS.eve], permissions: OPERATOR, scope: { doc_tags: ['docs'] } },
  ops: { keys: [KEYS.ops], permissions: OPERATOR },
};
const PROMPT =
  '{ name: topics, arguments: [{ name: topic }], messages: [{ role: user, content: "About {{topic}}" }] }';
export const DOCS = {
  '.pith.yaml': `repository: harbour\nprompts: [${PROMPT}]\ntaxonomy: { topic: { resource: true } }\ndocuments: [{ match: ["**"], doc_tag: docs }, { match: ["secret/**"], allow: [hr] }]\n`,
  'lunch.md':
    '---\ntopic: food\n---\n# Lunch\n\nThe canteen opens at noon. See [more](./secret/salaries.md).\n',
  'rota.md': '---\ntopic: work\n---\n# Rota\n\n1. Ask for a shift.\n2. Wait for `ShiftPlan`.\n',
};
export const SECRET = {
  [PATH]:
    '---\ntopic: money\n---\n# Salaries\n\n## Pay of Zorblax\n\nThe `ZorblaxLedger` pays 7000 crowns. See [lunch](../lunch.md).\n',
};

/** Ids of the right form that nothing has. */
export const ABSENT: StoredIds = {
  claim: '0'.repeat(32),
  run: '0'.repeat(32),
  passage: 'A'.repeat(22),
  passageUri: `wekadocs://scratch/${'A'.repeat(16)}/${'A'.repeat(22)}`,
  call: '00000000-0000-4000-8000-000000000000',
  refused: '00000000-0000-4000-8000-000000000001',
  day: '2026-01-01',
  gap: '0'.repeat(32),
};

/** Replaces what tells one server, call or index from another. */
const MASKS: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'],
  [/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'TIME'],
  [/"timing_ms\\":\{[^}]*\}/g, 'TIMES'],
  [/(?<="total_ms\\":)[\d.]+|\b[\d.]+\s(?:ms|s)\b/g, 'TIME'],
  [/127\.0\.0\.1:\d+/g, 'HOST'],
  // Ids of calls, and generations of an index.
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?::\d+:\w+)?/g, 'UUID'],
  [/(?<=title=\\"UUID\\">)[0-9a-f]{8}/g, 'ID'],
  [/(?<![\w-])[\w-]{22}(?![\w-])/g, 'HANDLE'],
  [
    /(scratch\/|session(?::|%3A|_id=)|<bdi class=\\"id\\">|session_id\\?": ?\\?")[\w-]{16}(?![\w-])/g,
    '$1SESSION',
  ],
  [/-(?:kept|gone)\b|[^" ]*\/pith test \w+\/(?:kept|gone)/g, ''],
  // The digits of the values above count as tokens; the bytes are compared.
  [/(?<="bytes": \d+,\s+"tokens": )\d+/g, 'N'],
  [/(?<="etag": )"[^\n]*/g, 'HASH'],
];

/** A reply as a caller compares it. @param ids  of the server that replied */
export function plain(reply: unknown, ids: StoredIds, { differs = [] }: Partial<GroupReader> = {}): string {
  // In lines, so that a difference is shown alone.
  const lines = JSON.stringify(reply, null, 1).replaceAll('\\n', '\n').replaceAll('><', '>\n<');
  const own = differs.reduce((text, [part]) => text.replace(part, ''), lines);
  const masked = MASKS.reduce((text, [pattern, name]) => text.replace(pattern, name), own);
  return Object.entries({ ...ids, day: `diagnostics/${ids.day}` }).reduce(
    (text, [name, id]) => text.replaceAll(id, `{${name}}`),
    masked,
  );
}

export interface Served extends GroupWorld {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  /** Indexes the folder again. */
  readonly index: () => Promise<unknown>;
}

/** Stores what is read later, as a member does. */
export async function storeFacts({ ask, env, root }: Served): Promise<StoredIds> {
  const evidence = [{ section_id: HEADING, quote: 'pays 7000 crowns' }];
  const facts = async (tool: string, args: object) => {
    const result = await ask('member', tool, args);
    if (result.isError) throw new Error(JSON.stringify(result));
    return Object(result.structuredContent) as Record<string, unknown>;
  };
  const answer = await ask('member', 'kb.retrieve_evidence', {
    question: 'What does the ZorblaxLedger pay?',
  });
  const [quote] = Object(answer.structuredContent).quotes as { passage_id: string }[];
  const call = String(answer._meta?.['pith/tool_call_id']);
  const refused = await ask('member', 'kb.search', {
    query: 'pays 7000 crowns',
    scope: { project_id: 'another' },
  });
  const passage = String(quote?.passage_id);
  const excerpt = await facts('kb.read_excerpt', {
    passage_id: passage,
    options: { include_citation: true },
  });
  const question = 'Who may sign for the ZorblaxLedger in leap years?';
  await facts('kb.retrieve_evidence', { question });
  const made = await facts('claim.create', { statement: 'Zorblax is paid.', evidence });
  const run = await facts('run.create', { run_type: 'check', name: 'zorblax' });
  const gap = await poll('a group of questions', async () => {
    const { stdout } = await runPith(['gaps', '--json', '--index', `${root}.sqlite`], { env });
    return (JSON.parse(stdout) as { gap_id: string }[])[0]?.gap_id;
  });
  return {
    claim: String(made['claim_id'] ?? Object(made['data'])['claim_id']),
    run: String(run['run_id'] ?? Object(run['data'])['run_id']),
    passage,
    passageUri: String(Object(excerpt['citation']).uri),
    call,
    refused: String(refused._meta?.['pith/tool_call_id']),
    day: new Date().toISOString().slice(0, 10),
    gap,
  };
}

/** Servers of folders that differ in a document. */
export class GroupServers {
  private readonly folder = testFolder();
  private readonly servers: HttpProcess[] = [];
  private readonly clients: TestClient[] = [];

  /**
   * @param env  settings of engines
   * @param projects  start of the names of projects
   */
  constructor(
    private readonly env: Readonly<Record<string, string>>,
    private readonly projects: string,
  ) {
    const rules = '[{ name: writes, tools: [run.*, claim.*], effect: allow }]';
    writeFiles(this.folder.path, {
      'governance.yaml': `version: 1\npolicy: { rules: ${rules} }\n`,
      'access.yaml': accessText(PRINCIPALS),
    });
  }

  async serve(
    name: string,
    docs: Readonly<Record<string, string>>,
    ids = (): StoredIds => ABSENT,
  ): Promise<Served> {
    const root = this.folder.file(name);
    const project = `${this.projects}-${name}`;
    const env = { ...this.env, ...this.settings(root), PITH_PROJECT: project };
    const index = (): Promise<unknown> => {
      const config = parseConfig({ ...this.env, PITH_INDEX: `${root}.sqlite`, PITH_PROJECT: project });
      return runIndex(config, { folder: root, project }, { engines: COMMAND_ENGINES });
    };
    writeFiles(root, docs);
    await index();
    const server = await startHttpProcess(`${root}.sqlite`, env);
    this.servers.push(server);
    const known = new Map<Who, Promise<TestClient>>();
    const as = (who: Who): Promise<TestClient> => {
      const client = known.get(who) ?? this.connect(server.url, who);
      known.set(who, client);
      return client;
    };
    return {
      ...{ root, env, index, as, ids },
      ask: async (who, tool, args) => (await as(who)).call(tool, { ...args }),
      get: async (who, path, more = {}) => {
        const headers = { authorization: `Bearer ${KEYS[who]}`, accept: 'text/html', ...more };
        const {
          status,
          headers: sent,
          body,
        } = await httpRequest(new URL(path, server.url).href, { method: 'GET', headers });
        return { status, headers: { ...sent, date: '', 'content-length': '' }, body };
      },
    };
  }

  async stop(): Promise<void> {
    for (const client of this.clients) await client.close();
    for (const server of this.servers) await server.stop();
    this.folder.remove();
  }

  private async connect(url: string, who: Who): Promise<TestClient> {
    const headers = { authorization: `Bearer ${KEYS[who]}` };
    const client = await connectClient({ era: 'v2', transport: 'http', index: '', url, headers });
    this.clients.push(client);
    return client;
  }

  private settings(root: string): Record<string, string> {
    return {
      MCP_DOMAINS: 'run,claim,knowledge,substrate',
      MCP_DIAGNOSTICS_RESOURCES_ENABLED: 'true',
      RETRIEVAL_DIAGNOSTICS_DIR: `${root}.diagnostics`,
      RETRIEVAL_DIAGNOSTICS_FORCE: '1',
      RETRIEVAL_DIAGNOSTICS_STORE_QUERY_TEXT: 'true',
      PITH_QUESTIONS: 'on',
      PITH_SECRET: 's'.repeat(32),
      PITH_WORK_FILE: `${root}.work`,
      PITH_ACCESS_FILE: this.folder.file('access.yaml'),
      PITH_GOVERNANCE_FILE: this.folder.file('governance.yaml'),
    };
  }
}
