import { BackendUnavailableError } from '../../../../src/core/errors.js';
import { DiagnosticArchive } from '../../../../src/diagnostics/archive/diagnostic-archive.js';
import { DiagnosticWriter } from '../../../../src/diagnostics/archive/diagnostic-writer.js';
import { ScopedArchive } from '../../../../src/diagnostics/archive/scoped-archive.js';
import { aDiagnosticCandidate, aDiagnosticRecord } from '../../../support/a-diagnostic.js';
import { aScope } from '../../../support/builders.js';
import { LIMITED_GUIDE, NO_DOCUMENTS } from '../../../support/hidden-pages.js';
import { testFolder } from '../../../support/test-folder.js';

const folder = testFolder();
const ID = '00000000-0000-4000-8000-00000000000';
const LEFT_OUT = { ...aDiagnosticCandidate({ chunk_id: 'other.md#use' }), fate: 'same_document' as const };
const scopeOf = (docTag: string | null) => ({
  ...{ project_id: 'docs', environment: 'prod', repositories: null },
  doc_tag: docTag,
});

beforeAll(async () => {
  const writer = new DiagnosticWriter({ folder: folder.path, onFailure: () => undefined });
  for (const [i, tag] of [null, 'guide', 'hr'].entries())
    writer.write(aDiagnosticRecord({ diagnostic_id: `${ID}${i}`, scope: scopeOf(tag) }));
  const refused = { project_id: '', environment: '' };
  writer.write(aDiagnosticRecord({ diagnostic_id: `${ID}9`, scope: refused }));
  await writer.flush();
});

afterAll(() => folder.remove());

describe('ScopedArchive', () => {
  const archive = new ScopedArchive(new DiagnosticArchive(folder.path), async () => aScope(), NO_DOCUMENTS);
  const idsIn = async (of: ScopedArchive): Promise<string[]> =>
    (await of.list({}, { limit: 10 })).records.map(({ diagnostic_id: id }) => id.slice(-1)).sort();

  it('shows an operator with a limit only calls that had a scope and saw nothing outside it', async () => {
    const narrow = archive.within({ doc_tags: ['guide'] });
    expect([await idsIn(archive), await idsIn(narrow)]).toEqual([['0', '1', '2', '9'], ['1']]);
    expect(await narrow.find(`${ID}9`)).toBeNull();
    expect(await narrow.find(`${ID}2`)).toBeNull();
    expect(await narrow.markdown(`${ID}0`)).toBeNull();
    expect(await narrow.find(`${ID}1`)).toMatchObject({ diagnostic_id: `${ID}1` });
  });

  it('hides records with sections of a document that has got groups since', async () => {
    const files = new DiagnosticArchive(folder.path);
    const limited = new ScopedArchive(files, async () => aScope(), LIMITED_GUIDE);
    const [others, members] = [limited.within({ groups: [] }), limited.within({ groups: ['hr'] })];
    expect([await idsIn(others), await idsIn(members)]).toEqual([[], ['0', '1', '2']]);
    expect([await others.find(`${ID}1`), await others.markdown(`${ID}1`)]).toEqual([null, null]);
  });

  it.each([
    ['that was left out for a hidden section', { left_out: [{ ...LEFT_OUT, instead: 'guide.md#use' }] }],
    ['whose request names a hidden section', { request: { section_ids: ['guide.md#use'] } }],
  ])('hides a record %s', async (_, parts) => {
    const one = testFolder();
    const writer = new DiagnosticWriter({ folder: one.path, onFailure: () => undefined });
    for (const [i, named] of [{}, parts].entries())
      writer.write(
        aDiagnosticRecord({
          ...{ diagnostic_id: `${ID}${i}`, scope: scopeOf(null), results: [], left_out: [] },
          ...named,
        }),
      );
    await writer.flush();
    const files = new DiagnosticArchive(one.path);
    const limited = new ScopedArchive(files, async () => aScope(), LIMITED_GUIDE);
    expect(await idsIn(limited.within({ groups: [] }))).toEqual(['0']);
    one.remove();
  });

  it('fills a page with older records, and says if that was too much', async () => {
    const many = testFolder();
    const writer = new DiagnosticWriter({ folder: many.path, onFailure: () => undefined });
    const write = (n: number, parts = {}) =>
      writer.write(
        aDiagnosticRecord({ diagnostic_id: `${ID.slice(0, -2)}${n}0`, scope: scopeOf(null), ...parts }),
      );
    for (let n = 10; n < 30; n++) write(n);
    const open = { results: [], left_out: [] };
    for (const n of [30, 31]) write(n, open);
    for (const n of [32, 33, 34]) write(n);
    await writer.flush();
    const files = new DiagnosticArchive(many.path);
    const limited = new ScopedArchive(files, async () => aScope(), LIMITED_GUIDE).within({ groups: [] });
    const first = await limited.list({}, { limit: 1 });
    expect([first.records.map((each) => each.diagnostic_id.slice(-3, -1)), first.isComplete]).toEqual([
      ['31'],
      true,
    ]);
    const next = await limited.list({}, { limit: 1, before: first.next ?? '' });
    expect(next.records).toMatchObject([{ diagnostic_id: `${ID.slice(0, -2)}300` }]);
    const rest = await limited.list({}, { limit: 1, before: next.next ?? '' });
    expect([rest.records, rest.isComplete, typeof rest.next]).toEqual([[], false, 'string']);
    const all = await limited.list({}, { limit: 10 });
    expect([all.records.length, all.isComplete, all.next]).toEqual([2, true, null]);
    many.remove();
  });

  it('hides them from callers of a server without groups, but not from the server itself', async () => {
    const files = new DiagnosticArchive(folder.path);
    const server = new ScopedArchive(files, async () => aScope({ groups: null }), LIMITED_GUIDE);
    expect([await idsIn(server.within({})), await idsIn(server)]).toEqual([[], ['0', '1', '2', '9']]);
  });

  it('shows a limited operator no record with sections while the index is lost', async () => {
    const lost = {
      sections: () => Promise.reject(new BackendUnavailableError('Down.', { reason: 'x', hint: '' })),
    };
    const limited = new ScopedArchive(new DiagnosticArchive(folder.path), async () => aScope(), lost);
    expect(await idsIn(limited.within({ groups: [] }))).toEqual([]);
    expect(await idsIn(limited.within({}))).toEqual(['0', '1', '2', '9']);
    const ofTag = async () => aScope({ docTags: ['guide'] });
    const tagged = new ScopedArchive(new DiagnosticArchive(folder.path), ofTag, lost);
    expect(await idsIn(tagged.within({}))).toEqual([]);
  });

  it('refuses an operator whose limit lies outside the server', async () => {
    await expect(archive.within({ project_id: 'other' }).list({}, { limit: 1 })).rejects.toMatchObject({
      code: 'SCOPE_VIOLATION',
    });
  });
});
