import fc from 'fast-check';
import { DOMAINS } from '../../src/config/settings/domains.config.js';
import { ERROR_CODES } from '../../src/core/errors.js';
import { definitionsOf } from '../../src/mcp/define-tool.js';
import { TOOLS } from '../support/all-tools.js';
import { SECRET } from '../support/builders.js';
import { type CallResult, connectClient, type TestClient } from '../support/mcp-clients.js';
import { cpuSecondsOf } from '../support/processes.js';
import { runPith } from '../support/run-pith.js';
import { callsOf, type Handles, learn, type ToolSchema, withHandles } from '../support/schema-calls.js';
import { testFolder } from '../support/test-folder.js';
import { writeFiles } from '../support/write-files.js';

/** Fixed, so that failures can be repeated; FUZZ_SEED=… and FUZZ_RUNS=… try others. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_101);
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 1_200);
const MAX_CPU_SECONDS = 2;

const folder = testFolder();
const PROJECTS = ['docs', 'other'] as const;
const budgets = new Map(definitionsOf(TOOLS).map(({ name, budget }) => [name, budget.bytes]));

/** Is in what the callers of a project send, and in no result of another project. */
const markOf = (project: string): string => `written-in-${project}`;

/** A server for one project; the servers of all projects share the file of the work. */
class Project {
  readonly broken: string[] = [];
  readonly outcomes: Record<string, number> = {};
  private readonly handles: Handles;

  constructor(
    readonly name: string,
    private readonly client: TestClient,
  ) {
    const mark = [markOf(name)];
    this.handles = new Map(['name', 'text', 'reason', 'namespace', 'type'].map((word) => [word, mark]));
  }

  async tools(): Promise<{ name: string; inputSchema: ToolSchema }[]> {
    const listed = await this.client.listTools();
    return listed
      .filter(({ name }) => name === 'kb.verify' || DOMAINS.some((domain) => name.startsWith(`${domain}.`)))
      .map(({ name, inputSchema }) => ({ name, inputSchema: inputSchema as ToolSchema }));
  }

  async call(tool: string, made: Record<string, unknown>): Promise<void> {
    const args = withHandles(made, this.handles) as Record<string, unknown>;
    if ('wait_ms' in args) args['wait_ms'] = 0;
    const shown = `${tool} ${JSON.stringify(args).slice(0, 300)}`;
    const before = cpuSecondsOf(this.client.pid());
    const result = await this.client.call(tool, args).catch((error: unknown) => error);
    const took = cpuSecondsOf(this.client.pid()) - before;
    if (took > MAX_CPU_SECONDS) this.broken.push(`${took} s of the processor: ${shown}`);
    if (result instanceof Error) this.broken.push(`${result.message.slice(0, 200)}: ${shown}`);
    else this.judge(tool, result as CallResult, shown);
  }

  private judge(tool: string, result: CallResult, shown: string): void {
    const json = JSON.stringify(result);
    const bytes = Buffer.byteLength(json);
    const foreign = PROJECTS.filter((name) => name !== this.name).map(markOf);
    if (foreign.some((mark) => json.includes(mark))) this.broken.push(`of another project: ${shown}`);
    if (bytes > (budgets.get(tool) ?? 0)) this.broken.push(`${bytes} bytes: ${shown}`);
    const { error } = Object(result.structuredContent);
    const outcome = `${tool} ${result.isError ? error?.details?.reason : 'ok'}`;
    this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + 1;
    if (!result.isError) {
      learn(this.handles, result.structuredContent);
      return;
    }
    const isKnown = ERROR_CODES.some((code) => code === error?.code) && error.code !== 'INTERNAL_ERROR';
    if (!isKnown || !error.details?.hint) this.broken.push(`${JSON.stringify(error)}: ${shown}`);
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

const RULES = `
version: 1
agents: { default: { capabilities: ['*', explain] } }
policy:
  rules:
    - { name: work, tools: [${DOMAINS.map((domain) => `${domain}.*`).join(', ')}], effect: allow }
`;

const projects: Project[] = [];

beforeAll(async () => {
  writeFiles(folder.path, {
    'governance.yaml': RULES,
    'pages/guide.md': '# Moorings\n\nThey are lifted in May.\n',
  });
  for (const [at, name] of PROJECTS.entries()) {
    const index = folder.file(`${name}.sqlite`);
    await runPith(['index', folder.file('pages'), '--index', index, '--project', name]);
    const env = {
      MCP_DOMAINS: DOMAINS.join(','),
      MCP_TOOL_NAMES: 'dotted',
      PITH_INGEST_ROOTS: folder.file('pages'),
      PITH_GOVERNANCE_FILE: folder.file('governance.yaml'),
      PITH_OPERATOR: 'true',
      PITH_PROJECT: name,
      PITH_WORK_FILE: folder.file('work.sqlite'),
      PITH_RATE_PER_MINUTE: '0',
      PITH_SECRET: SECRET,
    };
    projects.push(
      new Project(name, await connectClient({ era: at === 0 ? 'v1' : 'v2', transport: 'stdio', index, env })),
    );
  }
  const fuzz = async (project: Project, seed: number): Promise<void> => {
    const calls = callsOf(await project.tools());
    const property = fc.asyncProperty(calls, ({ tool, args }) => project.call(tool, args));
    await fc.assert(property, { numRuns: RUNS, seed, endOnFailure: true });
  };
  await Promise.all(projects.map((project, at) => fuzz(project, SEED + at)));
  console.log(projects.map(({ name, outcomes }) => ({ [name]: outcomes })));
}, 300_000);

afterAll(async () => {
  await Promise.all(projects.map((project) => project.close()));
  folder.remove();
});

describe('the tools of work, for any call', () => {
  it('answer within their budgets, or fail with a known code and a hint, in less than two seconds of the processor', () => {
    expect(projects.flatMap(({ broken }) => broken).slice(0, 5)).toEqual([]);
  });

  it('take calls of index.ingest and index.explain, too', () => {
    const called = projects.flatMap(({ outcomes }) =>
      Object.keys(outcomes).map((outcome) => outcome.split(' ')[0]),
    );
    expect(called).toEqual(expect.arrayContaining(['index.ingest', 'index.explain']));
  });

  it('succeed in each namespace, so that handles of one call reach others', () => {
    const reached = new Set(
      projects.flatMap(({ outcomes }) =>
        Object.keys(outcomes)
          .filter((outcome) => outcome.endsWith(' ok'))
          .map((outcome) => outcome.split('.')[0]),
      ),
    );
    expect([...reached]).toEqual(expect.arrayContaining([...DOMAINS]));
  });
});
