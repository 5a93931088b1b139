import fc from 'fast-check';
import {
  type CorpusDeclaration,
  type DeclaredKey,
  NOTHING_DECLARED,
} from '../../src/core/corpus-declaration.js';
import type { SectionIndex } from '../../src/core/ports/section-index.port.js';
import type { Scope } from '../../src/core/scope.js';
import { anIndexedDocument, aQuery, type DocumentParts, EVERYTHING } from '../support/indexed-documents.js';
import type { SectionIndexSubject } from './section-index.contract.js';

const aKey = (given: Partial<DeclaredKey> = {}): DeclaredKey => ({
  ...{ description: null, collapse: null, isResource: false, resourceValues: [] },
  ...given,
});

const declaring = (taxonomy: CorpusDeclaration['taxonomy']): CorpusDeclaration => ({
  ...NOTHING_DECLARED,
  taxonomy,
});

const aPage = (path: string, metadata: Readonly<Record<string, string>>, more: DocumentParts = {}) =>
  anIndexedDocument({
    path,
    metadata,
    texts: [`A kestrel at ${path}.`],
    hash: `${path} ${JSON.stringify([metadata, more])}`,
    ...more,
  });

const within = (docTag: string): Scope => ({ ...EVERYTHING, docTags: [docTag] });

/** How every `SectionIndex` describes its corpus: taxonomy, prompts, offered documents, neighbours. */
export function corpusContract(name: string, make: () => Promise<SectionIndexSubject>): void {
  describe(`${name} describes its corpus`, () => {
    let subject: SectionIndexSubject;
    let index: SectionIndex;

    beforeEach(async () => {
      subject = await make();
      ({ index } = subject);
    });

    afterEach(() => subject.dispose());

    describe('metadata', () => {
      const find = async (metadata: Readonly<Record<string, string>>): Promise<string[]> => {
        const { candidates } = await index.search(aQuery('kestrel', { filter: { metadata } }));
        return candidates.map(({ document }) => document.path);
      };

      beforeEach(() =>
        subject.publish(
          aPage('a.md', { version: '7.10', language: 'go' }),
          aPage('b.md', { version: '7.1', language: 'go' }),
          aPage('c.md', { language: 'Go' }),
          aPage('d.md', {}),
        ),
      );

      it('are returned with each document', async () => {
        const { sections } = await index.sections(EVERYTHING, ['a.md', 'd.md']);
        expect(sections.map(({ document }) => document.metadata)).toEqual([
          { version: '7.10', language: 'go' },
          {},
        ]);
      });

      it.each<[string, Readonly<Record<string, string>>, string[]]>([
        ['a value', { language: 'go' }, ['a.md', 'b.md']],
        ['a value in that case only', { language: 'Go' }, ['c.md']],
        ['every one of several values', { language: 'go', version: '7.1' }, ['b.md']],
        ['a value that none has', { version: '7' }, []],
        ['a key that none has', { scope: 'go' }, []],
        ['no value', {}, ['a.md', 'b.md', 'c.md', 'd.md']],
        ['a quotation mark', { language: "go' OR 1" }, []],
      ])('restrict a search to %s', async (_, metadata, expected) => {
        expect(await find(metadata)).toEqual(expected);
      });

      it('change with their document, and are removed with it', async () => {
        await subject.publish(aPage('a.md', { version: '8' }), aPage('d.md', {}));
        expect(await find({ version: '8' })).toEqual(['a.md']);
        expect(await find({ language: 'go' })).toEqual([]);
        expect((await index.corpus(EVERYTHING)).taxonomy).toEqual([
          { key: 'version', description: null, values: ['8'] },
        ]);
      });
    });

    describe('synonyms', () => {
      it('stand for a word that no visible section contains', async () => {
        const synonyms = { hawk: ['kestrel', 'merlin'] };
        const pages = [aPage('a.md', {}), aPage('b.md', {}, { docTag: 'two', texts: ['A hawk.'] })];
        await subject.declare({ ...NOTHING_DECLARED, synonyms }, ...pages);
        const find = async (scope: Scope) => {
          const { candidates, rewrites } = await index.search(aQuery('hawk', { scope }));
          return [candidates.map(({ document }) => document.path), rewrites];
        };
        expect(await find(EVERYTHING)).toEqual([['b.md'], []]);
        expect(await find(within('docs'))).toEqual([
          ['a.md'],
          [{ from: 'hawk', to: 'kestrel', why: 'synonym' }],
        ]);
      });
    });

    describe('the taxonomy', () => {
      it('lists keys and values by code point, each once', async () => {
        await subject.publish(
          aPage('a.md', { version: '7.5', language: 'go' }),
          aPage('b.md', { version: '7.10', language: 'go' }),
          aPage('c.md', { version: '\u{1F600}', Audience: 'all' }),
          aPage('d.md', { version: '\uff21' }),
        );
        expect((await index.corpus(EVERYTHING)).taxonomy).toEqual([
          { key: 'Audience', description: null, values: ['all'] },
          { key: 'language', description: null, values: ['go'] },
          { key: 'version', description: null, values: ['7.10', '7.5', '\uff21', '\u{1F600}'] },
        ]);
      });

      it('describes keys as the manifest does, and omits those without documents', async () => {
        await subject.declare(
          declaring({ version: aKey({ description: 'Of the shell.' }), language: aKey() }),
          aPage('a.md', { version: '7.5' }),
        );
        expect((await index.corpus(EVERYTHING)).taxonomy).toEqual([
          { key: 'version', description: 'Of the shell.', values: ['7.5'] },
        ]);
      });

      it('lists only visible values', async () => {
        await subject.publish(
          aPage('a.md', { version: '1', secret: 'x' }, { docTag: 'one' }),
          aPage('b.md', { version: '2' }, { docTag: 'two' }),
        );
        expect((await index.corpus(within('two'))).taxonomy).toEqual([
          { key: 'version', description: null, values: ['2'] },
        ]);
        expect((await index.corpus(within('none'))).taxonomy).toEqual([]);
      });

      it('is limited to 512 values per key and 64 keys; declared keys come first', async () => {
        const pages = Array.from({ length: 513 }, (_, i) => aPage(`${i}.md`, { n: String(1000 + i) }));
        const keys = Array.from({ length: 63 }, (_, i) => [`p${100 + i}`, 'x'] as const);
        await subject.declare(
          declaring({ zeta: aKey() }),
          ...pages,
          aPage('keys.md', Object.fromEntries(keys)),
          aPage('z.md', { zeta: 'y', yotta: 'y' }),
        );
        const { taxonomy } = await index.corpus(EVERYTHING);
        expect(taxonomy).toHaveLength(64);
        expect(taxonomy.map(({ key }) => key)).toContain('zeta');
        expect(taxonomy.map(({ key }) => key)).not.toContain('yotta');
        const values = taxonomy.find(({ key }) => key === 'n')?.values ?? [];
        expect([values.length, values.at(-1)]).toEqual([512, '1511']);
      });

      it('has the same descriptions for another scope and after another publish', async () => {
        await subject.publish(aPage('a.md', { version: '1' }));
        const before = await index.corpus(EVERYTHING);
        expect(await index.corpus(EVERYTHING)).toEqual(before);
        await subject.publish(aPage('a.md', { version: '2' }));
        const after = await index.corpus(EVERYTHING);
        expect(after.generation).not.toBe(before.generation);
        expect(after.taxonomy[0]?.values).toEqual(['2']);
      });
    });

    describe('the declaration of a corpus', () => {
      const prompt = {
        name: 'compare',
        title: 'Compare',
        description: null,
        arguments: [{ name: 'what', description: 'Which command.', isRequired: true }],
        messages: [{ role: 'user' as const, template: 'Compare {{what}}.' }],
      };

      it('is returned as it was declared', async () => {
        const declaration = { description: 'The handbook', instructions: 'Search first.', prompts: [prompt] };
        await subject.declare({ ...NOTHING_DECLARED, ...declaration }, anIndexedDocument());
        const { generation } = await index.stamp();
        expect(await index.corpus(EVERYTHING)).toEqual({ generation, taxonomy: [], ...declaration });
      });

      it('is null if nothing was declared', async () => {
        await subject.publish(anIndexedDocument());
        const nothing = { description: null, instructions: null, taxonomy: [], prompts: [] };
        expect(await index.corpus(EVERYTHING)).toMatchObject(nothing);
      });

      it('can change without any document, and gives a new generation', async () => {
        const page = anIndexedDocument();
        await subject.publish(page);
        const before = await index.stamp();
        await subject.declare({ ...NOTHING_DECLARED, description: 'The handbook' }, page);
        const after = await index.corpus(EVERYTHING);
        expect(after.description).toBe('The handbook');
        expect(after.generation).not.toBe(before.generation);
      });
    });

    describe('documents', () => {
      const pathsOf = async (scope = EVERYTHING, offset = 0, limit = 10) =>
        (await index.documents(scope, offset, limit)).documents.map(({ path }) => path);

      it('are listed by path, in pages, if they are visible and have text', async () => {
        await subject.publish(
          aPage('b b.md', {}, { texts: ['One.', 'Two.'] }),
          aPage('a.md', {}, { docTag: 'other' }),
          aPage('ä.md', {}),
          aPage('c.md', {}, { texts: [] }),
        );
        expect(await pathsOf()).toEqual(['a.md', 'b b.md', 'ä.md']);
        expect(await pathsOf(EVERYTHING, 1, 1)).toEqual(['b b.md']);
        expect(await pathsOf(EVERYTHING, 3)).toEqual([]);
        expect(await pathsOf(within('docs'))).toEqual(['b b.md', 'ä.md']);
        expect(await pathsOf({ ...EVERYTHING, docTags: [] })).toEqual([]);
      });
    });

    describe('documents offered as resources', () => {
      const pathsOf = async (scope = EVERYTHING, after: string | null = null, limit = 10) =>
        (await index.resources(scope, after, limit)).documents.map(({ path }) => path);
      const pages = [
        aPage('b b.md', { kind: 'guide' }, { texts: ['One.', 'Two.'] }),
        aPage('a.md', { kind: 'guide', version: '2' }, { docTag: 'other' }),
        aPage('c.md', { kind: 'note', version: '1' }),
        aPage('d.md', {}),
      ];

      it('are those with a value that the manifest names, by path', async () => {
        await subject.declare(declaring({ kind: aKey({ resourceValues: ['guide', 'none'] }) }), ...pages);
        expect(await pathsOf()).toEqual(['a.md', 'b b.md']);
      });

      it('are those with any value of a key that the manifest names', async () => {
        await subject.declare(declaring({ version: aKey({ isResource: true }) }), ...pages);
        expect(await pathsOf()).toEqual(['a.md', 'c.md']);
      });

      it('are all with text if the manifest names none, even if an earlier one did', async () => {
        await subject.declare(declaring({ kind: aKey({ isResource: true }) }), ...pages);
        await subject.publish(...pages, aPage('empty.md', {}, { texts: [] }));
        expect(await pathsOf()).toEqual(['a.md', 'b b.md', 'c.md', 'd.md']);
        expect(await pathsOf(within('docs'), 'b b.md', 1)).toEqual(['c.md']);
        expect((await index.resource(EVERYTHING, 'd.md'))?.sections).toHaveLength(1);
        expect(await index.resource(EVERYTHING, 'empty.md')).toBeNull();
        expect(await index.resource(within('docs'), 'a.md')).toBeNull();
      });

      it('do not exist if no document has the values that the manifest names', async () => {
        await subject.declare(declaring({ kind: aKey({ resourceValues: ['none'] }) }), ...pages);
        expect(await pathsOf()).toEqual([]);
        expect(await index.resource(EVERYTHING, 'a.md')).toBeNull();
      });

      it('have the size of their texts, if the engine knows it', async () => {
        await subject.declare(
          declaring({ kind: aKey({ resourceValues: ['guide'] }) }),
          aPage('a.md', { kind: 'guide' }, { texts: ['Ä.', 'Two.'] }),
        );
        const { textBytes = [7] } = await index.resources(EVERYTHING, null, 10);
        expect(textBytes).toEqual([7]);
      });

      it('are listed in pages, only visible ones', async () => {
        await subject.declare(declaring({ kind: aKey({ isResource: true }) }), ...pages);
        expect(await pathsOf(EVERYTHING, null, 2)).toEqual(['a.md', 'b b.md']);
        expect(await pathsOf(EVERYTHING, 'b b.md', 2)).toEqual(['c.md']);
        expect(await pathsOf(within('docs'))).toEqual(['b b.md', 'c.md']);
      });

      it.each([['b b.md'], ['b%20b.md']])('are read completely, in reading order: %s', async (path) => {
        await subject.declare(declaring({ kind: aKey({ isResource: true }) }), ...pages);
        const whole = await index.resource(EVERYTHING, path);
        expect(whole?.sections.map(({ section }) => section.text)).toEqual(['One.', 'Two.']);
      });

      it.each([1_000, 1_001])('are read completely at any length: %i sections', async (count) => {
        const texts = Array.from({ length: count }, (_, i) => `Number ${i}.`);
        await subject.declare(
          declaring({ kind: aKey({ isResource: true }) }),
          aPage('long.md', { kind: 'guide' }, { texts }),
        );
        const whole = await index.resource(EVERYTHING, 'long.md');
        expect(whole?.sections.map(({ section }) => section.text)).toEqual(texts);
      });

      it.each([
        ['unknown', 'x.md'],
        ['not offered', 'd.md'],
        ['invisible', 'a.md'],
      ])('are read as null if the document is %s', async (_, path) => {
        await subject.declare(declaring({ kind: aKey({ isResource: true }) }), ...pages);
        expect(await index.resource(within('docs'), path)).toBeNull();
      });
    });

    describe('the same section with several values', () => {
      const COMMON = 'The kestrel opens a pipe and reads from it line by line.';
      const FEW = 'A kestrel shuts every pipe.';
      const always = declaring({ version: aKey({ collapse: true }), scope: aKey({ collapse: false }) });
      const page = (path: string, metadata: Readonly<Record<string, string>>, text = COMMON) =>
        aPage(path, metadata, { texts: [text, `${text} A kestrel sleeps at ${path.slice(-4)}.`] });
      const find = async (filter = {}): Promise<string[]> => {
        const { candidates } = await index.search(aQuery('kestrel', { filter }));
        return candidates.map(({ section }) => section.id).filter((id) => id.endsWith('#s1'));
      };

      it.each([
        ['7.4/a.md', '7.5/a.md', '7.4', '7.5'],
        ['docs/v7.4/x/a.md', 'docs/v7.5/x/a.md', '7.4', '7.5'],
        ['V1/a.md', 'V2/a.md', 'v1', 'v2'],
        ['version-7.4/a.md', 'version-7.5/a.md', '7.4', '7.5'],
        ['v7.4/7.5/a.md', 'v7.5/7.5/a.md', '7.4', '7.5'],
        ['7.4/7.4/a.md', '7.5/7.5/a.md', '7.4', '7.5'],
      ])('is found once if the manifest says so: %s and %s', async (one, two, low, high) => {
        await subject.declare(always, page(one, { version: low }), page(two, { version: high }, FEW));
        expect(await find()).toHaveLength(1);
      });

      it('is found in the requested version', async () => {
        await subject.declare(
          always,
          page('7.4/a.md', { version: '7.4' }),
          page('7.5/a.md', { version: '7.5' }),
        );
        expect(await find({ metadata: { version: '7.4' } })).toEqual(['7.4/a.md#s1']);
        expect(await find({ metadata: { version: '7.5' } })).toEqual(['7.5/a.md#s1']);
      });

      it('is represented by the better of them', async () => {
        await subject.declare(
          always,
          page('7.4/a.md', { version: '7.4' }, FEW),
          page('7.5/a.md', { version: '7.5' }, 'Kestrel: a kestrel.'),
        );
        expect(await find()).toEqual(['7.5/a.md#s1']);
      });

      it('counts as a near-duplicate among the omitted sections', async () => {
        await subject.declare(
          always,
          page('7.4/a.md', { version: '7.4' }),
          page('7.5/a.md', { version: '7.5' }, FEW),
        );
        const { dropped, candidates } = await index.search(aQuery('kestrel'));
        expect([candidates.length, dropped.nearDuplicate]).toEqual([2, 2]);
      });

      it('is found once by default if the texts are very similar', async () => {
        const edited = COMMON.replace('line by line', 'in one go');
        await subject.publish(
          page('7.4/a.md', { version: '7.4' }),
          page('7.5/a.md', { version: '7.5' }, edited),
          page('7.4/b.md', { version: '7.4' }),
          page('7.5/b.md', { version: '7.5' }, FEW),
        );
        expect((await find()).filter((id) => id.includes('a.md'))).toHaveLength(1);
        expect((await find()).filter((id) => id.includes('b.md'))).toContain('7.5/b.md#s1');
      });

      it('is found for every value if the manifest keeps them separate, however similar', async () => {
        await subject.declare(always, page('go/a.md', { scope: 'go' }), page('java/a.md', { scope: 'java' }));
        expect((await find()).sort()).toEqual(['go/a.md#s1', 'java/a.md#s1']);
      });

      it.each<[string, string, Readonly<Record<string, string>>, Readonly<Record<string, string>>]>([
        ['7.4/a.md', '7.5/b.md', { version: '7.4' }, { version: '7.5' }],
        ['7.4/a.md', '7.5/x/a.md', { version: '7.4' }, { version: '7.5' }],
        ['left/a.md', 'right/a.md', { version: '7.4' }, { version: '7.5' }],
        ['7.4/a.md', '7.5/a.md', { version: '7.4' }, {}],
        ['7.4/go/a.md', '7.5/java/a.md', { version: '7.4', scope: 'go' }, { version: '7.5', scope: 'java' }],
      ])(
        'is a different section if the paths also differ elsewhere: %s and %s',
        async (one, two, left, right) => {
          await subject.declare(always, page(one, left), page(two, right, FEW));
          expect(await find()).toHaveLength(2);
        },
      );
    });

    it('gives the same answer within a scope as an index of only the visible documents', async () => {
      const value = fc.constantFrom('a', 'b', 'c');
      const aDocument = fc.record({
        docTag: fc.constantFrom('docs', 'hidden'),
        repository: fc.constantFrom('left', 'right'),
        metadata: fc.dictionary(fc.constantFrom('x', 'y', 'z'), value, { maxKeys: 3 }),
      });
      const corpus = {
        ...{ description: 'All of it', instructions: null, prompts: [] },
        taxonomy: {
          x: aKey({ resourceValues: ['a', 'b'] }),
          y: aKey({ isResource: true, description: 'Y.' }),
        },
      };
      const scope: Scope = { ...EVERYTHING, docTags: ['docs'], repositories: ['left'] };
      const readAll = async () => {
        const { documents } = await index.resources(scope, null, 100);
        return [{ ...(await index.corpus(scope)), generation: '' }, documents];
      };
      await fc.assert(
        fc.asyncProperty(fc.array(aDocument, { maxLength: 8 }), async (parts) => {
          const own = { docTag: 'docs', repository: 'left', metadata: {} };
          const pages = [own, ...parts].map((part, i) => aPage(`${i}.md`, part.metadata, part));
          const seen = pages.filter(({ facts }) => facts.docTag === 'docs' && facts.repository === 'left');
          await subject.declare(corpus, ...pages);
          const within = await readAll();
          await subject.declare(corpus, ...seen);
          expect(within).toEqual(await readAll());
        }),
        { numRuns: 15 },
      );
    });

    describe('neighbours', () => {
      const around = async (id: string, context: number, scope = EVERYTHING) => {
        const found = await index.neighbours(scope, id, context);
        return found && { ...found, sections: found.sections.map(({ section }) => section.text) };
      };

      beforeEach(() =>
        subject.publish(
          anIndexedDocument({ path: 'a b.md', texts: ['One.', 'Two.', 'Three.', 'Four.'] }),
          anIndexedDocument({ path: 'other.md', texts: ['Else.'], docTag: 'other' }),
        ),
      );

      it.each<[string, number, string[], number]>([
        ['a%20b.md#s2', 0, ['Two.'], 0],
        ['a%20b.md#s2', 1, ['One.', 'Two.', 'Three.'], 1],
        ['a%20b.md#s1', 1, ['One.', 'Two.'], 0],
        ['a%20b.md#s4', 2, ['Two.', 'Three.', 'Four.'], 2],
        ['a%20b.md#s3', 5, ['One.', 'Two.', 'Three.', 'Four.'], 2],
        ['a b.md#s3', 0, ['Three.'], 0],
        ['a b.md', 1, ['One.', 'Two.'], 0],
        ['a%20b.md', 0, ['One.'], 0],
      ])('of %s include up to %i sections on either side', async (id, context, sections, target) => {
        expect(await around(id, context)).toMatchObject({ sections, target, total: 4 });
      });

      it('are returned with their positions, counted from 1, and their document', async () => {
        const found = await index.neighbours(EVERYTHING, 'a b.md#s3', 1);
        expect(found?.sections.map(({ position }) => position)).toEqual([2, 3, 4]);
        expect(found?.document.path).toBe('a b.md');
        expect(found?.generation).toBe((await index.stamp()).generation);
      });

      it('are null for unknown or invisible sections', async () => {
        expect(await around('a b.md#s9', 1)).toBeNull();
        expect(await around('', 1)).toBeNull();
        expect(await around('other.md', 1, within('docs'))).toBeNull();
      });
    });
  });
}
