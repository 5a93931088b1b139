import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import {
  copiesFrom,
  indexSynced,
  syncArguments,
  withSourceProblems,
} from '../../../../src/cli/running/index-synced.js';
import type { CommandEngines } from '../../../../src/cli/running/session.js';
import { parseConfig } from '../../../../src/config/config.js';
import { sourcesPlace } from '../../../../src/config/index-sources.js';
import { InvalidArgumentError } from '../../../../src/core/errors.js';
import { COMMAND_ENGINES } from '../../../../src/engines/command-engines.js';
import type { SourceCopy } from '../../../../src/ingest/manifest/source-copy.js';
import type { SourceFacts } from '../../../../src/sources/sync-sources.js';
import { zip } from '../../../support/convert-fixture.js';
import { testFolder } from '../../../support/test-folder.js';
import { writeFiles } from '../../../support/write-files.js';

const folder = testFolder();
const { XDG_DATA_HOME } = process.env;

afterAll(() => {
  if (XDG_DATA_HOME === undefined) delete process.env['XDG_DATA_HOME'];
  else process.env['XDG_DATA_HOME'] = XDG_DATA_HOME;
  folder.remove();
});

const aSource: SourceFacts = {
  ...{ name: 'handbook', kind: 'site', address: 'https://handbook.example.com/', repository: 'handbook' },
  ...{ state: 'ready', pages: 0, changes: null, revision: null, fetched_at: null, checked_at: null },
  ...{ problem: null, hint: null, refused: [], left_out: null },
};

describe('syncArguments', () => {
  it('sends one secret to no two addresses', async () => {
    const addresses = ['https://a.example.com/', 'git@b.example.com:team/b.git'];
    await expect(syncArguments(addresses, { secret: 'PITH_TEST_TOKEN' })).rejects.toMatchObject({
      reason: 'secret_ambiguous',
    });
  });

  it('says why nothing of an archive was read', async () => {
    const archive = folder.file('outside.zip');
    writeFileSync(archive, zip({ '../a.md': 'a', '.git/b.md': 'b' }));
    process.env['XDG_DATA_HOME'] = folder.file('data');
    const told = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    await syncArguments([archive], {});
    const lines = told.mock.calls.join('');
    told.mockRestore();
    expect(lines).toContain('refused "../a.md": a path that leaves its folder');
  });
});

describe('copiesFrom', () => {
  const copy: SourceCopy = {
    ...{ folder: '/copies/1', name: 'handbook', root: 'https://b.example.com/', docTag: 'handbook' },
    ...{
      repository: 'handbook',
      isTrusted: false,
      addresses: new Map(),
      usesIgnoreFiles: false,
      lost: 'kept',
    },
  };
  const noted = { name: 'handbook', repository: 'handbook', checked_at: null, problem: null };

  it.each([
    ['removed', 'another address', { ...noted, address: 'https://a.example.com/' }, copy],
    ['kept', 'the same address', { ...noted, address: copy.root }, copy],
    ['kept', 'an address that nobody noted', noted, copy],
    [
      'kept',
      'its address without branch and folder, as earlier versions noted it',
      { ...noted, address: copy.root },
      { ...copy, root: `${copy.root}#main:docs` },
    ],
    [
      'removed',
      'another branch',
      { ...noted, address: `${copy.root}#1.x` },
      { ...copy, root: `${copy.root}#2.x` },
    ],
  ])('has pages %s that a source had at %s', (lost, _, before, now) => {
    expect(copiesFrom([now], [before])).toEqual([{ ...now, lost }]);
  });
});

describe('indexSynced', () => {
  it('compares sources with the list that the database stores, also if the disk is empty', async () => {
    const index = folder.file('index/i.sqlite');
    const pages = (names: string): Record<string, string> =>
      Object.fromEntries([...names].map((name) => [`${name}.md`, `# ${name}\n\nA ship.\n`]));
    const indexed = async (archive: string, engines: CommandEngines): Promise<number | undefined> => {
      const list = `include: []\nsources:\n  - { name: docs, address: ${folder.file(archive)} }\n`;
      writeFiles(folder.path, { 'list/.pith.yaml': list });
      const run = await indexSynced(parseConfig({ PITH_INDEX: index }), [folder.file('list')], { engines });
      return run.facts[0]?.pages;
    };
    process.env['XDG_DATA_HOME'] = folder.file('data');
    const told = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    writeFileSync(folder.file('one.zip'), zip(pages('abcd')));
    writeFileSync(folder.file('two.zip'), zip(pages('a')));
    expect(await indexed('one.zip', COMMAND_ENGINES)).toBe(4);
    const stored = readFileSync(sourcesPlace(index));
    rmSync(sourcesPlace(index));
    const fetching: CommandEngines = {
      ...COMMAND_ENGINES,
      changeIndex: (_, work) => {
        writeFileSync(sourcesPlace(index), stored);
        return work();
      },
    };
    expect(await indexed('two.zip', fetching)).toBe(1);
    told.mockRestore();
  });
});

describe('withSourceProblems', () => {
  const nothing = new InvalidArgumentError('No documents to index.', {
    reason: 'no_documents',
    hint: 'Give a folder with documents.',
  });
  const failed = { ...aSource, name: 'docs', problem: 'Its name was not found.', hint: 'Check the address.' };

  it('says why each source has no document, and what to do', () => {
    const refused = [{ address: 'a.md', reason: 'it is too large' }];
    const sources = [failed, { ...aSource, name: 'notes', refused }];
    expect(withSourceProblems(nothing, sources)).toMatchObject({
      reason: 'no_documents',
      message: 'No documents to index. docs: Its name was not found. notes: refused a.md: it is too large.',
      hint: 'Check the address.',
    });
  });

  it('leaves other errors, and those of sources that were read', () => {
    expect(withSourceProblems(nothing, [aSource])).toBe(nothing);
    const other = new Error('full');
    expect(withSourceProblems(other, [failed])).toBe(other);
  });
});
