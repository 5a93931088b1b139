import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { httpRequest } from '../support/http-request.js';
import { cleanEnv, PROGRAM } from '../support/mcp-clients.js';
import { poll } from '../support/processes.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';

const TOKEN = 'a token of the callers of the cluster'.replaceAll(' ', '-');

interface Part {
  readonly kind: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly template?: { readonly spec: { readonly containers: [{ readonly args: string[] }] } };
  };
}

/** A folder as the kubelet makes it of a ConfigMap: links to links. */
function asConfigMap(folder: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(join(folder, '..1'), { recursive: true });
  symlinkSync('..1', join(folder, '..data'));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, '..1', name), text);
    symlinkSync(join('..data', name), join(folder, name));
  }
}

describe('a server that is started as deploy/kubernetes/pith.yaml says', () => {
  const folder = testFolder();
  let child: ChildProcess | null = null;

  afterAll(() => {
    child?.kill('SIGKILL');
    folder.remove();
  });

  it('becomes ready with a list of sources from a ConfigMap, answers callers with the token, and ends in time', async () => {
    const parts = parseAllDocuments(readFileSync('deploy/kubernetes/pith.yaml', 'utf8')).map(
      (document) => document.toJS() as Part,
    );
    const placed = (text: string): string =>
      text.replaceAll(/\/app|\/documents/gu, (path) => folder.file(path.slice(1)));
    const settings = parts.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
    const args =
      parts.find(({ kind }) => kind === 'Deployment')?.spec?.template?.spec.containers[0].args ?? [];
    cpSync(FIXTURE_CORPUS, folder.file('handbook'), { recursive: true });
    rmSync(folder.file('documents'), { recursive: true, force: true });
    asConfigMap(folder.file('documents'), {
      '.pith.yaml': `include: []\nsources:\n  - { name: handbook, address: ${folder.file('handbook')} }\n`,
    });
    child = spawn(process.execPath, [PROGRAM, ...args.map(placed)], {
      env: cleanEnv({
        ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, placed(value)])),
        PITH_HTTP_PORT: '0',
        PITH_SECRET: 'a secret that all replicas of the cluster share',
        PITH_HTTP_TOKEN: TOKEN,
      }),
    });
    let stderr = '';
    child.stderr?.on('data', (data: Buffer) => (stderr += data.toString()));
    const url = await poll('the address', async () => /http:\/\/\S+\/mcp/u.exec(stderr)?.[0]);
    const base = url.replace('0.0.0.0', '127.0.0.1').replace('/mcp', '');
    expect((await fetch(`${base}/livez`)).status).toBe(200);
    await poll('the index', async () => (await fetch(`${base}/readyz`)).ok || undefined, 60_000);
    const asked = {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'kb.search', arguments: { query: 'harbour' } },
    };
    const ask = (token: string) =>
      httpRequest(`${base}/mcp`, {
        method: 'POST',
        headers: {
          ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
          ...{ authorization: `Bearer ${token}`, host: 'pith.pith.svc' },
        },
        body: JSON.stringify(asked),
      });
    expect((await ask('another-token-of-somebody')).status).toBe(401);
    expect(await ask(TOKEN)).toMatchObject({ status: 200, body: expect.stringContaining('handbook/') });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
