import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { backUp, restore } from '../../../../src/cli/commands/backup.command.js';
import { COMMAND_ENGINES } from '../../../../src/engines/command-engines.js';
import { sqliteTables, WORK_TABLES } from '../../../../src/engines/postgres/shared-tables.js';
import { FEATURE_COMMANDS } from '../../../../src/feature-commands.js';
import { GOVERNANCE_STORE } from '../../../../src/governance/governance-store.js';
import { LocalLedgerStore } from '../../../../src/governance/ledger/store/local-ledger-store.js';
import { openLedgerToWrite } from '../../../../src/governance/ledger/store/open-ledger-file.js';
import { openDatabase } from '../../../../src/sqlite/driver.js';
import { createMemory } from '../../../../src/sqlite/memory/memory-schema.js';
import { SqliteDatabase } from '../../../../src/sqlite/stores/sqlite-database.js';
import { canonicalJson } from '../../../../src/text/canonical-json.js';
import { openWorkFile, WORK_STORE } from '../../../../src/work/work-databases.js';
import { aStart, KEYS, TIME } from '../../../support/a-ledger.js';
import { SECRET } from '../../../support/builders.js';
import { commandOutput } from '../../../support/command-output.js';
import { expectWork, keepWork } from '../../../support/kept-work.js';
import { type TestFolder, testFolder } from '../../../support/test-folder.js';

const SERVERS = { features: FEATURE_COMMANDS, engines: async () => COMMAND_ENGINES };
const NOTES = 'CREATE TABLE IF NOT EXISTS note (words TEXT NOT NULL)';
const CORPUS = '00000000-0000-4000-8000-000000000001';
const UNNAMED = '00000000-0000-4000-8000-000000000002';

let folder: TestFolder;
const indexIn = (place: string): string => folder.file(`${place}/index.sqlite`);
const save = (place = 'before', archive = 'all.tar.gz') =>
  backUp(folder.file(archive), { index: indexIn(place) }, SERVERS);
async function put(place: string, archive = 'all.tar.gz', replace = false): Promise<void> {
  if (replace) endProcesses();
  await restore(folder.file(archive), { index: indexIn(place), replace }, SERVERS);
}

async function note(place: string, store: 'work' | 'governance', words: string): Promise<void> {
  const kind = store === 'work' ? WORK_STORE : GOVERNANCE_STORE;
  const file = new SqliteDatabase({
    kind,
    file: folder.file(`${place}/index.${store}.sqlite`),
    tables: NOTES,
    creates: true,
  });
  await file.write((sql) => sql('INSERT INTO note VALUES (:words)', { words }));
  await file.close();
}

function notesIn(place: string, store: 'work' | 'governance'): unknown[] {
  const database = openDatabase(folder.file(`${place}/index.${store}.sqlite`), { readOnly: true });
  const notes = database.prepare('SELECT words FROM note').all();
  database.close();
  return notes.map(({ words }) => words);
}

async function record(place: string, runId: string): Promise<void> {
  const store = new LocalLedgerStore({
    file: folder.file(`${place}/index.ledger.sqlite`),
    keys: KEYS,
    open: openLedgerToWrite,
  });
  await store.append([{ time: TIME, event: canonicalJson(aStart({ run_id: runId })) }], true);
  await store.close();
}

async function verify(place: string) {
  const file = folder.file(`${place}/index.ledger.sqlite`);
  const store = new LocalLedgerStore({ file, keys: KEYS, open: openLedgerToWrite });
  try {
    return await store.verify();
  } finally {
    await store.close();
  }
}

function remember(place: string, words: string): void {
  const database = openDatabase(indexIn(place));
  createMemory(database, () => 'memory of the tests');
  database
    .prepare(
      `INSERT INTO memory_thoughts (id, source, content_hash, tags, is_private, created_at, text)
       VALUES (?, 'notes', 'h', '[]', 0, ?, ?)`,
    )
    .run(words, TIME, words);
  database.close();
}

function remembered(place: string): unknown[] {
  const database = openDatabase(indexIn(place), { readOnly: true });
  const rows = database.prepare('SELECT text FROM memory_thoughts ORDER BY text').all();
  database.close();
  return rows.map(({ text }) => text);
}

function buildCorpus(id: string, kind = 'corpora'): void {
  const place = folder.file(`before/index.work.sqlite.${kind}`);
  mkdirSync(place, { recursive: true });
  const corpus = openDatabase(`${place}/${id}.sqlite`);
  corpus.exec('CREATE TABLE meta (key TEXT); PRAGMA application_id = 0x50697468');
  corpus.close();
}

function damage(name: string): void {
  for (const end of ['-wal', '-shm']) rmSync(folder.file(name) + end, { force: true });
  writeFileSync(folder.file(name), 'x'.repeat(8_192));
}

const filesIn = (place: string): string[] =>
  existsSync(folder.file(place)) ? readdirSync(folder.file(place)) : [];

/** Closes what the driver keeps open until its statements are collected, as the end of a process does. It is slow. */
function endProcesses(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** The files of an archive, unpacked by the system's tar. */
function unpacked(archive = 'all.tar.gz'): string {
  const place = folder.file('unpacked');
  mkdirSync(place, { recursive: true });
  execFileSync('tar', ['xzf', folder.file(archive), '-C', place]);
  return place;
}

function repack(change: (place: string) => void, names?: readonly string[]): void {
  const place = unpacked();
  change(place);
  const parts = readdirSync(place).filter((name) => name !== 'manifest.json');
  execFileSync('tar', [
    'czf',
    folder.file('changed.tar.gz'),
    '-C',
    place,
    'manifest.json',
    ...(names ?? parts),
  ]);
}

function changeManifest(place: string, change: (manifest: Record<string, unknown>) => void): void {
  const file = `${place}/manifest.json`;
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  change(manifest);
  writeFileSync(file, JSON.stringify(manifest));
}

describe('pith backup and pith restore', () => {
  const output = commandOutput({
    PITH_SECRET: SECRET,
    PITH_REDIS_URL: 'redis://ann:hunter2@redis.example:6379',
    PITH_PROJECT: 'harbour',
    PITH_QDRANT_URL: 'http://ann:hunter2@qdrant.example',
  });

  let saved: TestFolder;

  beforeAll(async () => {
    folder = saved = testFolder();
    mkdirSync(folder.file('before'));
    await record('before', 'run-1');
    await note('before', 'work', 'a run');
    await note('before', 'governance', 'an approval');
    remember('before', 'a thought');
    endProcesses();
  });
  afterAll(() => saved.remove());

  beforeEach(() => {
    folder = testFolder();
    cpSync(saved.path, folder.path, { recursive: true });
  });
  afterEach(() => folder.remove());

  it('keep the ledger, approvals, the work of agents and memory, in one file for this user', async () => {
    await save();
    expect(statSync(folder.file('all.tar.gz')).mode & 0o777).toBe(0o600);
    await put('after');
    expect(await verify('after')).toMatchObject({ isIntact: true, lines: 1 });
    expect([notesIn('after', 'work'), notesIn('after', 'governance')]).toEqual([['a run'], ['an approval']]);
    expect(remembered('after')).toEqual(['a thought']);
    await record('after', 'run-2');
    expect(await verify('after')).toMatchObject({ isIntact: true, lines: 2 });
  });

  it('keep questions and their gaps', async () => {
    const before = openWorkFile(folder.file('before/index.work.sqlite'));
    await keepWork(before);
    await before.close();
    await save();
    await put('after');
    const after = openWorkFile(folder.file('after/index.work.sqlite'));
    await expectWork(after);
    await after.close();
  });

  it('leave nothing else behind', async () => {
    await save();
    await put('after');
    expect(readdirSync(folder.path).sort()).toEqual(['after', 'all.tar.gz', 'before']);
    expect(readdirSync(folder.file('after')).filter((name) => !/-(?:wal|shm)$/u.test(name))).toEqual([
      'index.governance.sqlite',
      'index.ledger.sqlite',
      'index.sqlite',
      'index.work.sqlite',
    ]);
  });

  it('keep the indexes of named corpora, and none that is being built', async () => {
    buildCorpus(CORPUS);
    buildCorpus(UNNAMED);
    const work = openDatabase(folder.file('before/index.work.sqlite'));
    work.exec(`${sqliteTables(WORK_TABLES)} INSERT INTO knowledge_corpus VALUES
      ('harbour', 'prod', 'notes', '${CORPUS}', '', '/notes', 1, 1, 'ann', 0)`);
    work.close();
    await save();
    await put('after');
    expect(readdirSync(folder.file('after/index.work.sqlite.corpora'))).toEqual([`${CORPUS}.sqlite`]);
  });

  it('keep all complete indexes of corpora if a database has their names', async () => {
    buildCorpus(CORPUS, 'shared-corpora');
    const unfinished = openDatabase(folder.file(`before/index.work.sqlite.shared-corpora/${UNNAMED}.sqlite`));
    unfinished.exec('PRAGMA user_version = 0; VACUUM');
    unfinished.close();
    process.env['PITH_DATABASE'] = 'postgres://127.0.0.1:1/pith';
    await save();
    expect(readdirSync(unpacked()).sort()).toEqual([`${CORPUS}.sqlite`, 'manifest.json', 'memory.sqlite']);
  });

  it('say which store is damaged, and make no archive', async () => {
    damage('before/index.work.sqlite');
    await expect(save()).rejects.toMatchObject({
      reason: 'store_damaged',
      message: expect.stringContaining('index.work.sqlite'),
    });
    expect(existsSync(folder.file('all.tar.gz'))).toBe(false);
  });

  it('say what is in the archive, without secrets', async () => {
    await save();
    const manifest = readFileSync(`${unpacked()}/manifest.json`, 'utf8');
    expect(JSON.parse(manifest)).toMatchObject({
      settings: { PITH_PROJECT: 'harbour', PITH_QDRANT_URL: 'http://qdrant.example' },
      secrets: expect.arrayContaining(['PITH_SECRET', 'PITH_REDIS_URL']),
      models: { embedder: 'auto' },
      sources: [],
    });
    expect(manifest + output.text).not.toContain('hunter2');
    expect(manifest + output.text).not.toContain(SECRET);
    expect(output.text).toContain('Keep PITH_SECRET elsewhere');
  });

  it('say which projects of the access file are not in the archive, and what saves them', async () => {
    writeFileSync(
      folder.file('access.yaml'),
      `version: 1
projects:
  pilots: { index: /srv/pilots.sqlite }
  archive: { index: /srv/archive.sqlite, settings: { PITH_WORK_FILE: /srv/work.sqlite } }
principals: { ada: { keys: ['sha256:${'0'.repeat(64)}'], agent: of-no-file, scope: { project_id: pilots } } }`,
    );
    process.env['PITH_ACCESS_FILE'] = folder.file('access.yaml');
    await save();
    expect(output.text).toContain(
      'Not in it: the project pilots. Run PITH_PROJECT=pilots pith backup FILE --index "/srv/pilots.sqlite".\n',
    );
    expect(output.text).toContain('--index "/srv/archive.sqlite", with its settings of PITH_WORK_FILE.\n');
  });

  it('make no archive if the access file that names projects is not valid', async () => {
    process.env['PITH_ACCESS_FILE'] = folder.file('missing.yaml');
    await expect(save()).rejects.toThrow('missing.yaml');
    expect(readdirSync(folder.path)).toEqual(['before']);
  });

  it('refuse a place where nothing is', async () => {
    await expect(save('mistyped')).rejects.toMatchObject({ reason: 'nothing_to_save' });
    expect(readdirSync(folder.path)).toEqual(['before']);
  });

  it('do not make the folder of the archive, which may be that of a disk that is not there', async () => {
    await expect(save('before', 'volume/all.tar.gz')).rejects.toMatchObject({ reason: 'folder_missing' });
    expect(readdirSync(folder.path)).toEqual(['before']);
  });

  it('do not overwrite an archive', async () => {
    await save();
    await expect(save()).rejects.toMatchObject({ reason: 'file_exists' });
  });

  it('write the archive to no file that somebody else has put there', async () => {
    writeFileSync(folder.file('all.tar.gz.partial'), 'of somebody else');
    await save();
    expect(readFileSync(folder.file('all.tar.gz.partial'), 'utf8')).toBe('of somebody else');
    expect(readdirSync(folder.path).sort()).toEqual(['all.tar.gz', 'all.tar.gz.partial', 'before']);
  });

  it('replace what is there only on request, and keep it', async () => {
    await save();
    await note('before', 'work', 'a later run');
    remember('before', 'a later thought');
    await expect(put('before')).rejects.toMatchObject({ reason: 'store_exists' });
    expect(notesIn('before', 'work')).toEqual(['a run', 'a later run']);
    await put('before', 'all.tar.gz', true);
    expect([notesIn('before', 'work'), remembered('before')]).toEqual([['a run'], ['a thought']]);
    expect(readdirSync(folder.file('before')).filter((name) => name.includes('.replaced-'))).toHaveLength(3);
  });

  it.each([
    ['PITH_DATABASE', 'ledger.sqlite'],
    ['PITH_GOVERNANCE_DATABASE', 'ledger.sqlite'],
  ])('restore no file of what the server keeps in %s', async (setting, name) => {
    await save();
    process.env[setting] = 'postgres://127.0.0.1:1/pith';
    await expect(put('after')).rejects.toMatchObject({
      reason: 'store_in_database',
      message: expect.stringContaining(name),
    });
    expect(filesIn('after')).toEqual([]);
  });

  it('replace a damaged store and a damaged index, and keep both', async () => {
    await save();
    endProcesses();
    damage('before/index.work.sqlite');
    damage('before/index.sqlite');
    await expect(put('before')).rejects.toMatchObject({ reason: 'store_exists' });
    await put('before', 'all.tar.gz', true);
    expect([notesIn('before', 'work'), remembered('before')]).toEqual([['a run'], ['a thought']]);
    const kept = readdirSync(folder.file('before')).filter((name) => name.includes('.replaced-'));
    expect(kept.map((name) => name.replace(/\.replaced-.*/u, '')).sort()).toEqual([
      ...['index.governance.sqlite', 'index.ledger.sqlite', 'index.sqlite', 'index.work.sqlite'],
    ]);
  });

  it('replace no store while another process writes the index', async () => {
    await save();
    await note('before', 'work', 'a later run');
    const writer = openDatabase(indexIn('before'));
    writer.exec('BEGIN IMMEDIATE');
    await expect(put('before', 'all.tar.gz', true)).rejects.toMatchObject({ reason: 'store_in_use' });
    writer.close();
    expect(notesIn('before', 'work')).toEqual(['a run', 'a later run']);
  });

  it('keep memory while the index is written', async () => {
    const writer = openDatabase(indexIn('before'));
    writer.exec('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE');
    await save();
    writer.close();
    await put('after');
    expect(remembered('after')).toEqual(['a thought']);
  });

  it('say that the index is locked by another program', async () => {
    const other = openDatabase(indexIn('before'));
    other.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    await expect(save()).rejects.toMatchObject({ reason: 'index_busy' });
    other.close();
  });

  it('say that the index is damaged, so that its memory is not missed', async () => {
    damage('before/index.sqlite');
    await expect(save()).rejects.toMatchObject({ reason: 'index_incompatible' });
    expect(existsSync(folder.file('all.tar.gz'))).toBe(false);
  });

  it('replace nothing that a server has open', async () => {
    await save();
    const server = openDatabase(folder.file('before/index.work.sqlite'));
    server.prepare('SELECT count(*) FROM note').get();
    await expect(put('before', 'all.tar.gz', true)).rejects.toMatchObject({ reason: 'store_in_use' });
    server.close();
  });

  it('do not mix with a log that a removed file has left', async () => {
    await save();
    mkdirSync(folder.file('after'));
    const lost = openDatabase(folder.file('after/index.work.sqlite'));
    lost.exec(`PRAGMA journal_mode = WAL; ${NOTES}; INSERT INTO note VALUES ('of another file')`);
    rmSync(folder.file('after/index.work.sqlite'));
    await put('after');
    expect(notesIn('after', 'work')).toEqual(['a run']);
    lost.close();
  });

  it('need the secret that the ledger was written with', async () => {
    await save();
    process.env['PITH_SECRET'] = `${SECRET}!`;
    await expect(put('after')).rejects.toMatchObject({ reason: 'backup_other_secret' });
    delete process.env['PITH_SECRET'];
    await expect(put('after')).rejects.toMatchObject({ reason: 'ledger_secret_missing' });
    expect(filesIn('after')).toEqual([]);
  });

  it.each<[string, string, (place: string) => void]>([
    [
      'a later archive',
      'backup_newer',
      (place) => changeManifest(place, (manifest) => (manifest['version'] = 2)),
    ],
    [
      'a later store',
      'backup_newer',
      (place) => {
        const store = openDatabase(`${place}/work.sqlite`);
        store.exec('PRAGMA user_version = 99');
        store.close();
        const sha256 = execFileSync('sha256sum', [`${place}/work.sqlite`])
          .toString()
          .slice(0, 64);
        changeManifest(place, (manifest) => {
          const parts = manifest['parts'] as { name: string; sha256: string }[];
          parts.filter(({ name }) => name === 'work.sqlite').forEach((part) => (part.sha256 = sha256));
        });
      },
    ],
    [
      'a part that this version does not know',
      'backup_newer',
      (place) =>
        changeManifest(place, (manifest) =>
          (manifest['parts'] as { name: string }[]).forEach((part, at) => (part.name = `x${at}`)),
        ),
    ],
    [
      'a part that is named twice',
      'backup_damaged',
      (place) =>
        changeManifest(place, (manifest) => {
          const parts = manifest['parts'] as object[];
          manifest['parts'] = [...parts, ...parts.slice(-1)];
        }),
    ],
    ['a changed part', 'backup_damaged', (place) => writeFileSync(`${place}/work.sqlite`, 'x'.repeat(8_192))],
    ['no parts', 'backup_damaged', (place) => execFileSync('rm', [`${place}/work.sqlite`])],
    ['an unnamed part', 'backup_damaged', (place) => writeFileSync(`${place}/more.sqlite`, '')],
  ])('refuse %s, and restore nothing of it', async (_, reason, change) => {
    await save();
    repack(change);
    await expect(put('after', 'changed.tar.gz')).rejects.toMatchObject({ reason });
    expect(filesIn('after')).toEqual([]);
  });

  it('write nothing outside their places', async () => {
    await save();
    const place = unpacked();
    changeManifest(place, (manifest) => {
      const [part] = manifest['parts'] as { name: string }[];
      if (part) part.name = '../../escaped.sqlite';
    });
    execFileSync('tar', [
      ...['czf', folder.file('changed.tar.gz'), '-C', place, '--transform', 's,^ledger,../../escaped,', '-P'],
      ...['manifest.json', 'ledger.sqlite', 'governance.sqlite', 'work.sqlite', 'memory.sqlite'],
    ]);
    await expect(put('after', 'changed.tar.gz')).rejects.toMatchObject({ reason: 'backup_newer' });
  });

  it.each([
    ['is no archive', Buffer.from('PITH')],
    ['is an empty archive', gzipSync(Buffer.alloc(1_024))],
    ['is cut off', gzipSync(Buffer.alloc(100))],
  ])('refuse a file that %s', async (_, bytes) => {
    writeFileSync(folder.file('all.tar.gz'), bytes);
    await expect(put('after')).rejects.toMatchObject({ reason: 'backup_damaged' });
  });

  it('name a file that is missing', async () => {
    await expect(put('after', 'none.tar.gz')).rejects.toThrow('none.tar.gz');
  });
});
