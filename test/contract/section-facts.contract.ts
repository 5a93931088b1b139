import type { Scope } from '../../src/core/scope.js';
import { anIndexedDocument, aQuery, EVERYTHING, idsOf, PROJECT } from '../support/indexed-documents.js';
import { subjectOfEachTest } from '../support/section-subject.js';
import type { SectionIndexSubject } from './section-index.contract.js';

/** The facts that every `SectionIndex` reports, and its sections by id. */
export function sectionFactsContract(name: string, make: () => Promise<SectionIndexSubject>): void {
  describe(`${name} is a SectionIndex`, () => {
    const { subject, find } = subjectOfEachTest(make);

    describe('facts', () => {
      it('reports identity and size of the index', async () => {
        await subject.publish(anIndexedDocument());
        const stamp = await subject.index.stamp();
        const facts = await subject.index.facts(EVERYTHING, 10);
        expect(facts).toMatchObject({ ...stamp, projectId: PROJECT, environment: 'prod', documents: 1 });
        expect(facts.bytes).toBeGreaterThan(0);
        expect(new Date(facts.indexedAt).toISOString()).toBe(facts.indexedAt);
      });

      it('lists values by number of sections, then by value, up to the limit', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'a.md', docTag: 'beta' }),
          anIndexedDocument({ path: 'b.md', docTag: 'alpha' }),
          anIndexedDocument({ path: 'c.md', docTag: 'most', texts: ['one', 'two'] }),
        );
        const tags = async (limit: number): Promise<string[]> =>
          (await subject.index.facts(EVERYTHING, limit)).docTags.map(({ value }) => value);
        expect(await tags(10)).toEqual(['most', 'alpha', 'beta']);
        expect(await tags(2)).toEqual(['most', 'alpha']);
      });
    });

    describe('flagged documents', () => {
      const caution = { removed: 2, flags: [{ line: 3, reason: 'has 2 invisible characters' }] };

      it('are counted and listed by path, within the scope', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'b.md', docTag: 'other', caution }),
          anIndexedDocument({ path: 'a.md', caution }),
          anIndexedDocument({ path: 'c.md' }),
        );
        const flaggedIn = async (scope: Scope) => (await subject.index.facts(scope, 1)).flagged;
        expect(await flaggedIn(EVERYTHING)).toEqual({
          count: 2,
          first: [
            { path: 'a.md', caution },
            { path: 'b.md', caution },
          ],
        });
        expect(await flaggedIn({ ...EVERYTHING, docTags: ['docs'] })).toMatchObject({ count: 1 });
        expect(await flaggedIn({ ...EVERYTHING, repositories: ['elsewhere'] })).toBeUndefined();
      });

      it('have their caution wherever they are read', async () => {
        await subject.publish(anIndexedDocument({ path: 'a.md', texts: ['A crane.'], caution }));
        const { sections } = await subject.index.sections(EVERYTHING, ['a.md']);
        expect(sections[0]?.document.caution).toEqual(caution);
        const { candidates } = await subject.index.search(aQuery('crane'));
        expect(candidates[0]?.document.caution).toEqual(caution);
      });
    });

    it('name the artifact that a document was read from wherever it is read', async () => {
      const artifact = 'a'.repeat(64);
      await subject.publish(
        anIndexedDocument({ path: 'a.md', texts: ['A crane.'], artifact }),
        anIndexedDocument({ path: 'b.md', texts: ['A heron.'] }),
      );
      const { sections } = await subject.index.sections(EVERYTHING, ['a.md', 'b.md']);
      expect(sections.map(({ document }) => document.artifact)).toEqual([artifact, undefined]);
      const { candidates } = await subject.index.search(aQuery('crane'));
      expect(candidates[0]?.document.artifact).toBe(artifact);
      const { documents } = await subject.index.documents(EVERYTHING, 0, 2);
      expect(documents.map((document) => document.artifact)).toEqual([artifact, undefined]);
    });

    describe('sections by id', () => {
      const idsFor = async (ids: readonly string[], scope: Partial<Scope> = {}): Promise<string[]> =>
        (await subject.index.sections({ ...EVERYTHING, ...scope }, ids)).sections.map(
          ({ section }) => section.id,
        );

      beforeEach(() =>
        subject.publish(
          anIndexedDocument({ path: 'a.md', texts: ['One.', 'Two.', 'Three.'] }),
          anIndexedDocument({
            path: 'b.md',
            trail: ['SDKs', 'Ruby'],
            texts: ['Four.'],
            docTag: 'other',
            repository: 'elsewhere',
          }),
          anIndexedDocument({ path: 'my c#.md', texts: ['Five.', 'Six.'] }),
        ),
      );

      it('are returned in the requested order, each once', async () => {
        expect(await idsFor(['b.md', 'a.md#s3', 'a.md#s1', 'b.md', 'a.md#s3'])).toEqual([
          'b.md',
          'a.md#s3',
          'a.md#s1',
        ]);
      });

      it('have their text and their document', async () => {
        const { sections } = await subject.index.sections(EVERYTHING, ['b.md']);
        const document = {
          path: 'b.md',
          title: 'Page',
          trail: ['SDKs', 'Ruby'],
          docTag: 'other',
          repository: 'elsewhere',
        };
        expect(sections).toEqual([
          {
            section: {
              id: 'b.md',
              ordinal: 0,
              title: 'Page',
              headingPath: ['Page'],
              anchor: null,
              level: 1,
              text: 'Four.',
              structure: '[[0,5,0]]',
            },
            document: { ...document, updatedAt: '2025-12-01T00:00:00.000Z', url: null, metadata: {} },
          },
        ]);
      });

      it('include the first section of a document if its path is given, without duplicates', async () => {
        expect(await idsFor(['a.md'])).toEqual(['a.md#s1']);
        expect(await idsFor(['a.md#s1', 'a.md', 'a.md#s2'])).toEqual(['a.md#s1', 'a.md#s2']);
      });

      it('are found by a path that is plain or percent-encoded', async () => {
        expect(await idsFor(['my c#.md'])).toEqual(['my%20c%23.md#s1']);
        expect(await idsFor(['my%20c%23.md'])).toEqual(['my%20c%23.md#s1']);
      });

      it('are found by an id whose path is plain or percent-encoded', async () => {
        expect(await idsFor(['my%20c%23.md#s2'])).toEqual(['my%20c%23.md#s2']);
        expect(await idsFor(['my c#.md#s2'])).toEqual(['my%20c%23.md#s2']);
      });

      it('omit unknown ids', async () => {
        expect(await idsFor(['a.md#s9', 'nothing.md', '', 'a.md#s2', 'a'])).toEqual(['a.md#s2']);
        expect(await idsFor([])).toEqual([]);
      });

      it.each([
        ['doc tag', { docTags: ['docs'] }],
        ['repository', { repositories: ['repo'] }],
        ['both', { docTags: ['docs', 'other'], repositories: ['repo'] }],
      ])('omit sections of another %s', async (_, scope) => {
        expect(await idsFor(['b.md', 'a.md', 'a.md#s2'], scope)).toEqual(['a.md#s1', 'a.md#s2']);
      });

      it('are of the generation that the answer reports', async () => {
        const { generation } = await subject.index.stamp();
        expect(await subject.index.sections(EVERYTHING, [])).toEqual({ generation, sections: [] });
        await subject.publish(anIndexedDocument({ path: 'a.md', texts: ['Other.'] }));
        const after = await subject.index.sections(EVERYTHING, ['a.md#s1', 'a.md']);
        expect(after).toMatchObject({ sections: [{ section: { id: 'a.md', text: 'Other.' } }] });
        expect(after.generation).not.toBe(generation);
      });

      it('are index_incompatible for another project', async () => {
        await expect(idsFor(['a.md'], { projectId: 'another' })).rejects.toMatchObject({
          code: 'BACKEND_UNAVAILABLE',
          reason: 'index_incompatible',
        });
      });
    });

    describe('the state of the index', () => {
      it('is index_missing without an index', async () => {
        const expected = { code: 'BACKEND_UNAVAILABLE', reason: 'index_missing' };
        await expect(subject.index.stamp()).rejects.toMatchObject(expected);
        await expect(subject.index.search(aQuery('kestrel'))).rejects.toMatchObject(expected);
        await expect(subject.index.facts(EVERYTHING, 1)).rejects.toMatchObject(expected);
      });

      it('is index_missing while the index is removed, and valid again when it is back', async () => {
        await subject.publish(anIndexedDocument());
        await subject.index.stamp();
        await subject.remove();
        await expect(subject.index.stamp()).rejects.toMatchObject({ reason: 'index_missing' });
        await subject.publish(anIndexedDocument({ path: 'back.md', texts: ['kestrel'] }));
        expect(await find('kestrel')).toEqual(['back.md']);
      });

      it('is index_incompatible if another version built it', async () => {
        await subject.publish(anIndexedDocument());
        await subject.ageIdentity();
        const expected = { code: 'BACKEND_UNAVAILABLE', reason: 'index_incompatible' };
        await expect(subject.index.stamp()).rejects.toMatchObject(expected);
        await expect(subject.index.search(aQuery('kestrel'))).rejects.toMatchObject(expected);
        await expect(subject.index.facts(EVERYTHING, 1)).rejects.toMatchObject(expected);
      });

      it('is index_incompatible if another embedder built it', async () => {
        await subject.publish(anIndexedDocument());
        const index = subject.openWithOtherEmbedder();
        const expected = { code: 'BACKEND_UNAVAILABLE', reason: 'index_incompatible' };
        await expect(index.stamp()).rejects.toMatchObject(expected);
        await expect(index.search(aQuery('kestrel'))).rejects.toMatchObject(expected);
        await index.close();
      });

      it('is index_incompatible for a file that is not an index', async () => {
        await subject.putGarbage();
        await expect(subject.index.stamp()).rejects.toMatchObject({ reason: 'index_incompatible' });
      });

      it('reflects every publish', async () => {
        await subject.publish(anIndexedDocument({ path: 'a.md', texts: ['kestrel'] }));
        const before = await subject.index.search(aQuery('kestrel'));
        await subject.publish(anIndexedDocument({ path: 'b.md', texts: ['kestrel', 'an owl'] }));
        const after = await subject.index.search(aQuery('kestrel'));
        expect(idsOf(after)).toEqual(['b.md#s1']);
        expect(after.sectionCount).toBe(2);
        expect(after.generation).not.toBe(before.generation);
        expect((await subject.index.stamp()).generation).toBe(after.generation);
      });

      it('is that of the new index after a replacement', async () => {
        await subject.publish(anIndexedDocument({ path: 'a.md', texts: ['kestrel'] }));
        const before = await subject.index.search(aQuery('kestrel'));
        await subject.replace(anIndexedDocument({ path: 'b.md', texts: ['kestrel', 'an owl'] }));
        const after = await subject.index.search(aQuery('kestrel owl'));
        expect(idsOf(after).sort()).toEqual(['b.md#s1', 'b.md#s2']);
        expect(after.documentFrequency).toEqual({ kestrel: 1, owl: 1 });
        expect(after.generation).not.toBe(before.generation);
      });

      it('answers running reads before it closes', async () => {
        await subject.publish(anIndexedDocument({ path: 'a.md', texts: ['kestrel'] }));
        const underWay = [find('kestrel'), find('kestrel'), find('kestrel')];
        await subject.index.close();
        expect(await Promise.all(underWay)).toEqual([['a.md'], ['a.md'], ['a.md']]);
      });
    });
  });
}
