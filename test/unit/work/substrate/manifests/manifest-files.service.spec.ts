import type { ManifestEntry } from '../../../../../src/work/substrate/manifests/manifest.schemas.js';
import { diffManifests } from '../../../../../src/work/substrate/manifests/manifest.service.js';
import {
  changedEntries,
  entriesIn,
  manifestJson,
} from '../../../../../src/work/substrate/manifests/manifest-files.service.js';

const [A, B] = ['a'.repeat(64), 'b'.repeat(64)] as const;
const anEntry = (
  path: string,
  artifact_sha256: string = A,
  more: Partial<ManifestEntry> = {},
): ManifestEntry => ({
  path,
  artifact_sha256,
  ...more,
});
const change = (base: ManifestEntry[], entries: ManifestEntry[], remove: string[] = []) =>
  changedEntries(base, { entries, remove });
const failingWith = (reason: string) => expect.objectContaining({ reason });

describe('changedEntries', () => {
  it('adds, replaces and removes, and sorts by path', () => {
    const base = [anEntry('b'), anEntry('c')];
    expect(change(base, [anEntry('a'), anEntry('b', B)], ['c'])).toEqual([anEntry('a'), anEntry('b', B)]);
  });

  it.each([
    ['path_repeated', [anEntry('a'), anEntry('a', B)], []],
    ['path_repeated', [anEntry('old')], ['old']],
    ['path_repeated', [], ['old', 'old']],
    ['path_not_found', [], ['new']],
    ['path_is_folder', [anEntry('a'), anEntry('a/b')], []],
    ['path_is_folder', [anEntry('old/b')], []],
    [
      'metadata_repeated',
      [
        anEntry('a', A, {
          metadata: [
            { name: 'x', value: '1' },
            { name: 'x', value: '2' },
          ],
        }),
      ],
      [],
    ],
  ])('refuses with %s: %j without %j', (reason, entries, remove) => {
    expect(() => change([anEntry('old')], entries, remove)).toThrow(failingWith(reason));
  });

  it('refuses more files than a manifest may have', () => {
    const base = Array.from({ length: 10_000 }, (_, i) => anEntry(`f${i}`));
    expect(change(base, [])).toHaveLength(10_000);
    expect(() => change(base, [anEntry('one-more')])).toThrow(failingWith('manifest_too_large'));
  });

  it('lets a file take the place of a folder that goes', () => {
    expect(change([anEntry('a/b')], [anEntry('a')], ['a/b'])).toEqual([anEntry('a')]);
  });
});

describe('manifestJson', () => {
  it('is canonical, whatever the order in which fields and entries were sent', () => {
    const metadata = [
      { name: 'title', value: 'Ä' },
      { name: 'source', value: 'wiki' },
    ];
    const entries = change([], [{ metadata, artifact_sha256: B, path: 'b' }, anEntry('a')]);
    expect(manifestJson(entries, { parent: A, message: 'first' }).toString()).toBe(
      `{"entries":[{"artifact_sha256":"${A}","path":"a"},{"artifact_sha256":"${B}","metadata":[{"name":"source","value":"wiki"},` +
        `{"name":"title","value":"Ä"}],"path":"b"}],"message":"first","parent":"${A}"}`,
    );
  });

  it('leaves out what a manifest does not have, and is read back', () => {
    const json = manifestJson([anEntry('a')], { parent: null, message: '' });
    expect(json.toString()).toBe(`{"entries":[{"artifact_sha256":"${A}","path":"a"}]}`);
    expect(entriesIn(json)).toEqual([anEntry('a')]);
  });
});

describe('diffManifests', () => {
  it('says what was added, removed and changed, by path', () => {
    const before = [anEntry('gone'), anEntry('same'), anEntry('text')];
    const now = [anEntry('new', B), anEntry('same'), anEntry('text', B)];
    expect(diffManifests(before, now)).toEqual([
      { path: 'gone', change: 'removed', old_sha256: A, new_sha256: null },
      { path: 'new', change: 'added', old_sha256: null, new_sha256: B },
      { path: 'text', change: 'changed', old_sha256: A, new_sha256: B },
    ]);
  });

  it('counts other metadata as a change', () => {
    const titled = anEntry('a', A, { metadata: [{ name: 'title', value: 'A' }] });
    expect(diffManifests([anEntry('a')], [titled])).toEqual([
      { path: 'a', change: 'changed', old_sha256: A, new_sha256: A },
    ]);
  });
});
