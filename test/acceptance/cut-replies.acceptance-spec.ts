import { SECRET } from '../support/builders.js';
import { callsForCuts, type CutCall, indexForCuts, passageCallsForCuts } from '../support/cut-calls.js';
import { type CallResult, connectClient, type TestClient } from '../support/mcp-clients.js';
import { testFolder } from '../support/test-folder.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const CAPS = [1_500, 3_000, 6_000, 9_000];
const ENV = {
  MCP_TOOL_NAMES: 'dotted',
  MCP_DOMAINS: 'run,index,substrate,document,schema,claim,knowledge',
  MCP_LEGACY_TOOLS: 'listed',
  ENABLE_LEGACY_SEARCH_DOCUMENTATION: 'true',
  SURR_ENABLE_INNER_VOICE: '1',
  PITH_GOVERNANCE_FILE: folder.file('g.yaml'),
  PITH_INGEST_ROOTS: folder.file('docs'),
  PITH_SECRET: SECRET,
  PITH_OPERATOR: '1',
  MCP_DIAGNOSTICS_RESOURCES_ENABLED: 'true',
  RETRIEVAL_DIAGNOSTICS_FORCE: '1',
  RETRIEVAL_DIAGNOSTICS_DIR: folder.file('diagnostics'),
  PITH_RATE_PER_MINUTE: '0',
};
/** Tools that return one record of a few short fields. */
const SHORT = [
  ...['claim.create', 'claim.decide', 'claim.link_evidence', 'knowledge.kb_create'],
  ...['run.cancel', 'run.checkpoint', 'run.complete', 'run.create', 'run.fail', 'run.log_step', 'run.start'],
  ...['schema.register', 'substrate.artifact.upload', 'substrate.manifest.create'],
  ...['substrate.pointer.advance', 'substrate.pointer.create'],
];

type Json = Record<string, unknown>;

let roomy: TestClient;
let calls: readonly CutCall[];
const tight = new Map<number, TestClient>();

const open = (env: Record<string, string>): Promise<TestClient> =>
  connectClient({ era: 'v1', transport: 'stdio', index, env: { ...ENV, ...env } });

beforeAll(async () => {
  writeFiles(folder.path, {
    'g.yaml': `version: 1
agents: { default: { capabilities: ['*', explain] } }
policy: { rules: [{ name: all, tools: ['*'], effect: allow }] }
`,
  });
  await indexForCuts(folder.file('docs'), index, folder.file('memory.jsonl'));
  roomy = await open({});
  calls = await callsForCuts(roomy, folder.file('docs'));
  for (const bytes of CAPS) tight.set(bytes, await open({ MAX_RESPONSE_BYTES: String(bytes) }));
  // A client checks results against the output schemas that it has listed.
  await Promise.all([roomy, ...tight.values()].map((client) => client.listTools()));
}, 120_000);

afterAll(async () => {
  await Promise.all([roomy, ...tight.values()].map((client) => client.close()));
  folder.remove();
});

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Fields that say how a reply was cut, and those that differ between two equal calls. */
const UNSTABLE =
  /^(?:cursor|next_cursor|hint|seconds|debug_timing|timing|usage|meta|generation|.*_ms|_meta)$/;

/** The paths of fields, items of lists and texts that are missing or shorter in a smaller reply. */
function lacking(whole: unknown, small: unknown, path = ''): string[] {
  if (typeof whole === 'string')
    return typeof small === 'string' && small.length >= whole.length ? [] : [`${path}: text`];
  if (!isObject(whole)) return small === undefined ? [path] : [];
  if (!isObject(small)) return [path];
  return Object.entries(whole).flatMap(([key, each]) =>
    UNSTABLE.test(key) ? [] : lacking(each, small[key], `${path}.${key}`),
  );
}

const outputOf = ({ structuredContent }: CallResult): Json => structuredContent ?? {};
const textOf = ({ content }: CallResult): string => content.map(({ text = '' }) => text).join('\n');

/** True if the fields of a result say that it was cut. */
function isSaid({ structuredContent: output = {}, _meta }: CallResult): boolean {
  const { partial, truncated, next_cursor, limit_reason } = output;
  const told = JSON.stringify(_meta?.['pith/warnings'] ?? []);
  return (
    (partial === true && limit_reason !== 'none') ||
    truncated === true ||
    typeof next_cursor === 'string' ||
    told.includes('shortened')
  );
}

const SAYS =
  /"partial":true|More\b|more\b|truncated|shortened|Left out|skipped|left out|not shown|Continues|read on|next_offset|"next_cursor":"/;

/** Optional fields that hold no items of the list; text has to name them when they are left out. */
const NAMED = ['debug', 'data'];

/** True if a text that is JSON, as that of older tools, was cut within it. */
function isTorn({ content }: CallResult): boolean {
  const { text = '' } = content[0] ?? {};
  try {
    return text.startsWith('{') && JSON.parse(text) === null;
  } catch {
    return true;
  }
}

function broken(whole: CallResult, small: CallResult, bytes: number): string[] {
  const size = Buffer.byteLength(JSON.stringify(small));
  const misshapen = [...(size > bytes ? [`has ${size} bytes`] : []), ...(isTorn(small) ? ['is torn'] : [])];
  if (small.isError) {
    const isRefused = JSON.stringify(small.content).includes('BUDGET_EXCEEDED');
    return [...misshapen, ...(isRefused ? [] : [`failed: ${textOf(small).slice(0, 200)}`])];
  }
  const lost = lacking(outputOf(whole), outputOf(small));
  if (lost.length === 0) return misshapen;
  const unnamed = NAMED.filter((name) => lost.includes(`.${name}`)).filter(
    (name) => !String(outputOf(small)['hint']).includes(name),
  );
  const first = lost.slice(0, 3).join(', ');
  return [
    ...misshapen,
    ...(isSaid(small) ? [] : [`lacks ${first} and says nothing`]),
    ...(SAYS.test(textOf(small))
      ? []
      : [`lacks ${first} and its text says nothing: ${textOf(small).slice(-80)}`]),
    ...unnamed.map((name) => `leaves out ${name} without a word`),
  ];
}

describe('a reply that is cut to a small limit', () => {
  it('can be tried with every tool whose result may be long', async () => {
    const all = (await roomy.listTools()).map(({ name }) => name);
    const tried = [...calls, ...(await passageCallsForCuts(roomy))].map(([tool]) => tool);
    expect(all.filter((name) => !tried.includes(name)).sort()).toEqual(SHORT);
    expect(tried.filter((tool) => !all.includes(tool))).toEqual([]);
  });

  it.each(CAPS)(
    'says what it lacks, with %i bytes',
    async (bytes) => {
      const client = tight.get(bytes) ?? roomy;
      const faults: string[] = [];
      const pairs: [CutCall, CutCall][] = calls.map((call) => [call, call]);
      const [own, theirs] = [await passageCallsForCuts(roomy), await passageCallsForCuts(client)];
      pairs.push(...own.map((call, i): [CutCall, CutCall] => [call, theirs[i] ?? call]));
      for (const [[tool, args], [, inSmall]] of pairs) {
        const whole = await roomy.call(tool, args);
        if (whole.isError) faults.push(`${tool} fails without a limit: ${textOf(whole).slice(0, 200)}`);
        const small = await client.call(tool, inSmall);
        faults.push(...broken(whole, small, bytes).map((fault) => `${tool} ${fault}`));
      }
      expect(faults).toEqual([]);
    },
    60_000,
  );
});
