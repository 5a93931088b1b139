import {
  anIndexedDocument,
  aQuery,
  EVERYTHING,
  FILLERS,
  idsOf,
  type QueryParts,
} from '../support/indexed-documents.js';
import type { SectionIndexSubject } from './section-index.contract.js';

/** How every `SectionIndex` applies filters and the scope. */
export function sectionScopeContract(name: string, make: () => Promise<SectionIndexSubject>): void {
  describe(`${name} is a SectionIndex`, () => {
    let subject: SectionIndexSubject;
    const find = async (text: string, parts?: QueryParts): Promise<string[]> =>
      idsOf(await subject.index.search(aQuery(text, parts)));

    beforeEach(async () => {
      subject = await make();
    });

    afterEach(() => subject.dispose());

    describe('filters', () => {
      it('return only documents with one of the tags', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'a.md', docTag: 'one', texts: ['kestrel a'] }),
          anIndexedDocument({ path: 'b.md', docTag: 'two', texts: ['kestrel b'] }),
          anIndexedDocument({ path: 'c.md', docTag: 'three', texts: ['kestrel c'] }),
        );
        expect(await find('kestrel', { filter: { docTags: ['one', 'three'] } })).toEqual(['a.md', 'c.md']);
        expect(await find('kestrel', { filter: { docTags: ["one' OR 1"] } })).toEqual([]);
      });

      it.each([
        ['a folder', 'guide/', ['guide/a.md', 'guide/b.md']],
        ['part of a name', 'gui', ['guide/a.md', 'guide/b.md']],
        ['a whole path', 'guide/a.md', ['guide/a.md']],
        ['another case', 'Guide/', []],
        ['a percent sign', '100%', ['100%25%20sure.md']],
        ['a pattern', '%', []],
        ['an underscore', 'g_ide', []],
        ['a star', 'guide/*', []],
        ['a space', 'with ', ['with%20space.md']],
        ['an umlaut', 'ä', ['ä.md']],
        ['an emoji', '\u{1F600}', ['\u{1F600}.md']],
        ['U+FFFF', 'odd\uffff', ['odd\uffff/a.md']],
        ['U+10FFFF', 'odd\u{10ffff}', ['odd\u{10ffff}/b.md']],
        ['U+10FFFF twice', '\u{10ffff}\u{10ffff}', ['\u{10ffff}\u{10ffff}.md']],
        ['the character before the surrogates', 'odd\ud7ff', ['odd\ud7ff/c.md']],
        ['U+E000', 'odd\ue000', ['odd\ue000/d.md']],
        ['half a character', 'odd\ud83d', []],
        ['the other half', 'odd\ude00', []],
        ['NUL', 'guide\0', []],
        ['64 KB', 'g'.repeat(65_536), []],
      ])('return only paths that start with %s', async (_, pathPrefix, expected) => {
        const paths = [
          'guide/a.md',
          'guide/b.md',
          '100% sure.md',
          'with space.md',
          'ä.md',
          '\u{1F600}.md',
          'odd\uffff/a.md',
          'odd\u{10ffff}/b.md',
          '\u{10ffff}\u{10ffff}.md',
          'odd\ud7ff/c.md',
          'odd\ue000/d.md',
          'zebra.md',
        ];
        await subject.publish(
          ...paths.map((path) => anIndexedDocument({ path, texts: [`kestrel ${path}`] })),
        );
        expect((await find('kestrel', { filter: { pathPrefix } })).sort()).toEqual([...expected].sort());
      });

      it('return only documents with the given paths, as if no others matched', async () => {
        const paths = ['a b.md', 'c.md', 'c.md2'];
        await subject.publish(
          ...paths.map((path) => anIndexedDocument({ path, texts: [`kestrel ${path}`] })),
        );
        const query = aQuery('kestrel', { filter: { paths: ['a b.md', 'c.md', 'gone.md'] } });
        expect(await subject.index.search(query)).toMatchObject({
          matched: 2,
          candidates: [{ document: { path: 'c.md' } }, { document: { path: 'a b.md' } }],
        });
      });

      it('return only documents updated at the given time or later', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'a.md', updatedAt: '2025-01-01T00:00:00.000Z', texts: ['kestrel a'] }),
          anIndexedDocument({ path: 'b.md', updatedAt: '2025-06-01T00:00:00.000Z', texts: ['kestrel b'] }),
          anIndexedDocument({ path: 'c.md', updatedAt: '2025-06-01T00:00:00.001Z', texts: ['kestrel c'] }),
        );
        const after = (updatedAfter: string): Promise<string[]> =>
          find('kestrel', { filter: { updatedAfter } });
        expect(await after('2025-06-01T00:00:00.000Z')).toEqual(['b.md', 'c.md']);
        expect(await after('2025-06-01T00:00:00.001Z')).toEqual(['c.md']);
        expect(await after('2026-01-01T00:00:00.000Z')).toEqual([]);
      });

      it.each<[string, readonly string[], string[]]>([
        ['one', ['b.md#s2'], ['b.md#s2']],
        ['several, best first', ['b.md#s2', 'a.md', 'b.md#s1'], ['b.md#s2', 'a.md', 'b.md#s1']],
        ['none', [], []],
        ['unknown ones', ['c.md', "a.md' OR 1 --"], []],
        ['a document instead of its sections', ['b.md'], []],
      ])('return only the given sections: %s', async (_, sectionIds, expected) => {
        await subject.publish(
          anIndexedDocument({ path: 'a.md', texts: ['A kestrel and a meadow too.'] }),
          anIndexedDocument({
            path: 'b.md',
            texts: ['A kestrel and so much else besides.', 'kestrel kestrel'],
          }),
          ...FILLERS,
        );
        expect(await find('kestrel', { filter: { sectionIds } })).toEqual(expected);
      });

      it('are applied together', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'x/a.md', docTag: 'one', texts: ['kestrel'] }),
          anIndexedDocument({ path: 'x/b.md', docTag: 'two', texts: ['kestrel'] }),
          anIndexedDocument({ path: 'y/c.md', docTag: 'one', texts: ['kestrel'] }),
        );
        const filter = { docTags: ['one'], pathPrefix: 'x/', updatedAfter: '2025-01-01T00:00:00.000Z' };
        expect(await find('kestrel', { filter })).toEqual(['x/a.md']);
      });
    });

    describe('scope', () => {
      beforeEach(async () => {
        await subject.publish(
          anIndexedDocument({ path: 'a.md', docTag: 'one', repository: 'left', texts: ['kestrel', 'owl'] }),
          anIndexedDocument({ path: 'b.md', docTag: 'two', repository: 'left', texts: ['kestrel'] }),
          anIndexedDocument({ path: 'c.md', docTag: 'one', repository: 'right', texts: ['kestrel'] }),
        );
      });

      it('excludes every row outside', async () => {
        expect(await find('kestrel', { scope: { docTags: ['two'] } })).toEqual(['b.md']);
        expect(await find('kestrel', { scope: { repositories: ['right'] } })).toEqual(['c.md']);
        expect(await find('kestrel', { scope: { docTags: ['two'], repositories: ['right'] } })).toEqual([]);
        expect(await find('kestrel', { scope: { docTags: [] } })).toEqual([]);
      });

      it.each([['projectId'], ['environment']])('excludes another %s', async (field) => {
        const scope = { [field]: 'another' };
        const refused = { code: 'BACKEND_UNAVAILABLE' };
        await expect(subject.index.search(aQuery('kestrel', { scope }))).rejects.toMatchObject(refused);
        const facts = subject.index.facts({ ...EVERYTHING, ...scope }, 10);
        await expect(facts).rejects.toMatchObject(refused);
      });

      it('is not widened by a filter', async () => {
        const asked = { scope: { docTags: ['two'] }, filter: { docTags: ['one', 'two'] } };
        expect(await find('kestrel', asked)).toEqual(['b.md']);
        expect(await find('kestrel', { ...asked, filter: { docTags: ['one'] } })).toEqual([]);
        const named = { ...asked, filter: { sectionIds: ['a.md#s1', 'b.md'] } };
        expect(await find('kestrel', named)).toEqual(['b.md']);
      });

      it('limits what is counted', async () => {
        const facts = await subject.index.facts({ ...EVERYTHING, docTags: ['one'] }, 10);
        expect(facts).toMatchObject({
          documents: 2,
          sections: 3,
          docTags: [{ value: 'one', documents: 2, sections: 3 }],
          repositories: [
            { value: 'left', documents: 1, sections: 2 },
            { value: 'right', documents: 1, sections: 1 },
          ],
        });
      });

      it.each<[string, QueryParts]>([
        ['tags of the scope', { scope: { docTags: [] } }],
        ['repositories of the scope', { scope: { repositories: [] } }],
        ['tags of a filter', { filter: { docTags: [] } }],
        ['paths of a filter', { filter: { paths: [] } }],
        ['sections of a filter', { filter: { sectionIds: [] } }],
      ])('shows nothing for an empty list of %s', async (_, parts) => {
        const answer = await subject.index.search(aQuery('kestrel', parts));
        expect(answer).toMatchObject({ candidates: [], matched: 0 });
        expect(answer.documentFrequency).toEqual({ kestrel: 0 });
        const scope = { ...EVERYTHING, ...parts.scope };
        const seen = parts.scope ? 0 : 3;
        expect(await subject.index.facts(scope, 10)).toMatchObject({ documents: seen });
        expect((await subject.index.sections(scope, ['b.md'])).sections).toHaveLength(parts.scope ? 0 : 1);
      });

      it('shows nothing if nothing is inside', async () => {
        const facts = await subject.index.facts({ ...EVERYTHING, repositories: ['none'] }, 10);
        expect(facts).toMatchObject({ documents: 0, sections: 0, docTags: [], repositories: [] });
      });
    });
  });
}
