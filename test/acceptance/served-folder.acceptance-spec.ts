import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pithIndex, poll, runPith, startPith, timed } from '../support/processes.js';
import { serve, type ServedProgram } from '../support/served-program.js';
import { type TestFolder, testFolder } from '../support/test-folder.js';
import { writeFiles } from '../support/write-files.js';

const PAGES = 1_500;
const WORDS = [
  'harbour',
  'crane',
  'berth',
  'pilot',
  'tide',
  'manifest',
  'customs',
  'anchor',
  'buoy',
  'ferry',
];
const QUESTION = { question: 'What does crane number 7 lift?', keywords: ['crane'] };

const paragraph = (page: number): string =>
  Array.from({ length: 40 }, (_, i) => WORDS[(page * 7 + i * i) % WORDS.length]).join(' ');
const pageOf = (page: number): string =>
  `# Crane ${page}\n\nCrane number ${page} lifts container ${page}.\n\n## Notes\n\n${paragraph(page)}\n`;

interface Told {
  readonly code: string;
  readonly details: { readonly reason: string; readonly retry_after_s?: number; readonly total?: number };
}

let folder: TestFolder;
let running: ServedProgram[] = [];

/** A host that starts the server on the folder, with its own home folder. */
async function host(args: readonly string[] = []): Promise<ServedProgram> {
  const env = { HOME: folder.file('home'), XDG_DATA_HOME: folder.file('home/data') };
  const server = await serve({
    args: ['stdio', '--docs', folder.file('docs'), ...args],
    env,
    cwd: folder.path,
  });
  running.push(server);
  return server;
}

async function ask(server: ServedProgram): Promise<{ readonly text: string; readonly error?: Told }> {
  const { content, structuredContent, isError } = await server.call('kb.retrieve_evidence', QUESTION);
  const text = content.map((part) => part.text ?? '').join('\n');
  return isError ? { text, error: structuredContent?.['error'] as Told } : { text };
}

const answered = (server: ServedProgram): Promise<string> =>
  poll(
    'an answer',
    async () => {
      const { text, error } = await ask(server);
      return error ? undefined : text;
    },
    60_000,
  );

beforeEach(() => {
  folder = testFolder();
  const pages = Array.from({ length: PAGES }, (_, i) => [`docs/crane-${i}.md`, pageOf(i)]);
  writeFiles(folder.path, Object.fromEntries(pages) as Record<string, string>);
});

afterEach(async () => {
  await Promise.all(running.map((server) => server.close()));
  running = [];
  folder.remove();
});

describe('pith stdio --docs', () => {
  it('lists its tools and reports progress while the first index is built, and then answers', async () => {
    const { value: server, ms } = await timed(host());
    expect(ms).toBeLessThan(5_000);
    expect((await server.tools()).length).toBeGreaterThan(5);
    const { error } = await ask(server);
    expect(error).toMatchObject({ code: 'BACKEND_UNAVAILABLE', details: { reason: 'indexing' } });
    expect(error?.details.retry_after_s).toBeGreaterThan(0);
    const far = await poll('progress', async () => (await ask(server)).error?.details.total, 20_000);
    expect(far).toBe(PAGES);
    expect(await answered(server)).toContain('Crane number 7 lifts container 7.');
    expect(server.stderr()).toMatch(/indexing: \d+ of 1500 files/u);
  });

  it('keeps one index per folder in the data folder of the user, and writes nowhere else', async () => {
    await answered(await host());
    expect(readdirSync(folder.file('home/data/pith')).filter((name) => name.endsWith('.sqlite'))).toEqual([
      expect.stringMatching(/^docs-[0-9a-f]{8}\.sqlite$/u),
    ]);
    expect(readdirSync(folder.path).sort()).toEqual(['docs', 'home']);
  });

  it('answers at once from the index of the last start, and indexes changes meanwhile', async () => {
    await pithIndex(folder.file('docs'), folder.file('index.sqlite'));
    writeFileSync(folder.file('docs/crane-7.md'), '# Crane 7\n\nCrane number 7 lifts only feathers.\n');
    const server = await host(['--index', folder.file('index.sqlite')]);
    expect((await ask(server)).error).toBeUndefined();
    const text = await poll(
      'the change',
      async () => {
        const answer = await ask(server);
        return answer.text.includes('feathers') ? answer.text : undefined;
      },
      30_000,
    );
    expect(text).toContain('Crane number 7 lifts only feathers.');
  });

  it('lets two hosts that start together share one run', async () => {
    const servers = await Promise.all([host(), host()]);
    const waiting = new Set<ServedProgram>();
    const answers = servers.map((server) =>
      poll(
        'an answer',
        async () => {
          const { text, error } = await ask(server);
          if (text.includes('indexed by another Pith process')) waiting.add(server);
          return error ? undefined : text;
        },
        60_000,
      ),
    );
    for (const text of await Promise.all(answers))
      expect(text).toContain('Crane number 7 lifts container 7.');
    expect(waiting.size).toBe(1);
  });

  it('leaves nothing broken if it is killed during the first run', async () => {
    const args = ['stdio', '--docs', folder.file('docs'), '--index', folder.file('index.sqlite')];
    const { child, stderr, finished } = startPith(args);
    await poll('progress', () => (stderr().includes(' of 1500 files') ? true : undefined), 20_000);
    child.kill('SIGKILL');
    await finished;
    const server = await host(['--index', folder.file('index.sqlite')]);
    expect(await answered(server)).toContain('Crane number 7 lifts container 7.');
  });

  it('answers calls with the reason why the documents could not be indexed', async () => {
    const empty = testFolder();
    const server = await serve({
      args: ['stdio', '--docs', empty.path, '--index', join(empty.path, 'i.sqlite')],
    });
    running.push(server);
    const text = await poll('the reason', async () => {
      const answer = await ask(server);
      return answer.error?.details.reason === 'index_missing' ? answer.text : undefined;
    });
    empty.remove();
    expect(text).toMatch(/could not be indexed: No documents to index in /u);
  });

  it('ends over HTTP if the first run fails, so that a supervisor notices it', async () => {
    const empty = testFolder();
    const index = join(empty.path, 'i.sqlite');
    const ended = await runPith(['http', '--port', '0', '--docs', empty.path, '--index', index]);
    empty.remove();
    expect(ended).toMatchObject({ code: 1, signal: null });
    expect(ended.stderr).toContain('No documents to index in ');
  }, 20_000);

  it('does not start for a missing folder', async () => {
    const { code, stderr } = await runPith(['stdio', '--docs', folder.file('nowhere')]);
    expect(code).toBe(1);
    expect(stderr).toContain(`${folder.file('nowhere')} does not exist.`);
  });

  it('ends its index run if the server can not start', async () => {
    // This address requires a token.
    const args = [
      'http',
      '--docs',
      folder.file('docs'),
      '--index',
      folder.file('index.sqlite'),
      '--host',
      '0.0.0.0',
    ];
    const { value, ms } = await timed(runPith(args));
    expect(value.code).toBe(2);
    expect(ms).toBeLessThan(4_000);
  });
});
