import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { describeEngines } from '../../support/engine.js';
import { httpRequest } from '../../support/http-request.js';
import { type HttpProcess, startHttpProcess } from '../../support/mcp-clients.js';
import { type TestDatabase, testDatabase } from '../../support/postgres-database.js';
import { poll, runPith } from '../../support/processes.js';
import { FIXTURE_CORPUS, testFolder } from '../../support/test-folder.js';
import { writeFiles } from '../../support/write-files.js';

const TOKEN = 'a-token-of-the-callers-of-the-cluster';
const SLOW_MS = 60_000;

interface Pod {
  readonly spec: { readonly containers: [{ readonly args: string[] }] };
}
interface Part {
  readonly kind: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly template?: Pod;
    readonly jobTemplate?: { readonly spec: { readonly template: Pod } };
  };
}

describeEngines(['postgres'], 'pods as deploy/kubernetes/pith-postgres.yaml says', () => {
  const folder = testFolder();
  let database: TestDatabase;
  let server: HttpProcess | null = null;
  const parts = parseAllDocuments(readFileSync('deploy/kubernetes/pith-postgres.yaml', 'utf8')).map(
    (document) => document.toJS() as Part,
  );
  const find = (kind: string) => parts.find((part) => part.kind === kind);
  const placed = (text: string, disk: string): string =>
    text.replaceAll('/documents', folder.file('documents')).replaceAll('/app', folder.file(disk));
  const settingsOn = (disk: string): Record<string, string> => ({
    ...Object.fromEntries(
      Object.entries(find('ConfigMap')?.data ?? {}).map(([name, value]) => [name, placed(value, disk)]),
    ),
    PITH_HTTP_PORT: '0',
    PITH_SECRET: 'a secret that all replicas of the cluster share',
    PITH_HTTP_TOKEN: TOKEN,
    PITH_DATABASE: database.url,
    PITH_BACKEND_TIMEOUT_MS: '30000',
  });
  const runJob = (disk: string) => {
    const [job] = find('CronJob')?.spec?.jobTemplate?.spec.template.spec.containers ?? [];
    const args = job?.args.map((arg) => placed(arg, disk)) ?? [];
    return runPith(args, { env: settingsOn(disk), maxMs: SLOW_MS });
  };

  beforeAll(async () => {
    database = await testDatabase();
    cpSync(FIXTURE_CORPUS, folder.file('handbook'), { recursive: true });
    const tides = folder.file('tides.md');
    writeFileSync(tides, '# Tides\n\nThe neap tide falls on Thursday.\n');
    writeFiles(folder.path, {
      'documents/.pith.yaml': `include: []\nsources:\n  - { name: handbook, address: ${folder.file('handbook')} }\n  - { name: tides, address: ${tides} }\n`,
    });
  });
  afterAll(async () => {
    await server?.stop();
    await database.remove();
    folder.remove();
  });

  it('answer from what a job without a disk has stored, and keep the pages of a source that has failed', async () => {
    expect(find('Deployment')?.spec?.template?.spec.containers[0].args).toEqual(['http']);
    const settings = settingsOn('replica');
    server = await startHttpProcess(settings['PITH_INDEX'] ?? '', settings);
    const base = server.url.replace('0.0.0.0', '127.0.0.1').replace('/mcp', '');
    expect((await fetch(`${base}/readyz`)).status).toBe(503);
    expect(await runJob('first')).toMatchObject({ code: 0 });
    await poll('the index', async () => (await fetch(`${base}/readyz`)).ok || undefined, SLOW_MS);

    const call = async (name: string, given: object): Promise<string> => {
      const { body } = await httpRequest(`${base}/mcp`, {
        method: 'POST',
        headers: {
          ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
          ...{ authorization: `Bearer ${TOKEN}`, host: 'pith.pith.svc' },
        },
        body: JSON.stringify({
          ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
          params: { name, arguments: given },
        }),
      });
      return body;
    };
    const search = (query: string) => call('kb.search', { query });
    const sources = async (): Promise<object[]> => {
      const [, data = '{}'] = /^(?:data: )?(\{.*)$/mu.exec(await call('scope.describe', {})) ?? [];
      return JSON.parse(data).result.structuredContent.sources;
    };
    const checked = { checked_at: expect.stringMatching(/^\d{4}-/u) };
    const described = [
      { name: 'handbook', ...checked },
      { name: 'tides', ...checked },
    ];
    expect(await poll('the sources', async () => (await sources()) ?? undefined)).toEqual(described);
    expect(await search('neap tide')).toContain('Thursday');
    rmSync(folder.file('tides.md'));
    appendFileSync(join(folder.file('handbook'), 'lanterns.md'), '# Lanterns\n\nA lantern burns rapeseed.\n');
    expect(await runJob('second')).toMatchObject({ code: 0, stdout: expect.stringContaining('tides') });
    await poll(
      'the new page',
      async () => (await search('lantern rapeseed')).includes('lanterns.md') || undefined,
      SLOW_MS,
    );
    expect(await search('neap tide')).toContain('Thursday');
    const [handbook, tides] = described;
    await poll('the failure', async () => JSON.stringify(await sources()).includes('failing') || undefined);
    expect(await sources()).toEqual([handbook, { ...tides, failing: true }]);
  }, 180_000);
});
