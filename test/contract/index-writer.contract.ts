import type { IndexedDocument } from '../../src/core/indexed-document.js';
import type { IndexWriter } from '../../src/core/ports/index-writer.port.js';
import type { SectionIndex } from '../../src/core/ports/section-index.port.js';
import type { Scope } from '../../src/core/scope.js';
import {
  anIndexedDocument,
  ANOTHER,
  aQuery,
  EVERYTHING,
  presentOf,
  SETTINGS,
} from '../support/indexed-documents.js';

/** A location for one index, with the adapter's writers and reader. */
export interface IndexWriterSubject {
  /** A separate writer, as another process would have it. */
  readonly openWriter: () => IndexWriter;
  readonly index: SectionIndex;
  /** Reads the index of another project, if that is a different one; it keeps nothing open. */
  readonly openProject?: (projectId: string) => SectionIndex;
  /** A writer with another embedder, and a reader with the same. */
  readonly openOther: () => { readonly writer: IndexWriter; readonly index: SectionIndex };
  /** Changes its version to an unknown one. */
  readonly ageIdentity: () => void;
  readonly dispose: () => Promise<void>;
}

const one = anIndexedDocument({ path: 'one.md', texts: ['The kestrel.'], hash: 'one-1' });
const two = anIndexedDocument({ path: 'two.md', texts: ['The owl.', 'The heron.'], hash: 'two-1' });
const newTwo = anIndexedDocument({ path: 'two.md', texts: ['The lapwing.'], hash: 'two-2' });

/** The behaviour of every `IndexWriter`, on any engine. */
export function indexWriterContract(name: string, make: () => Promise<IndexWriterSubject>): void {
  describe(`${name} is an IndexWriter`, () => {
    let subject: IndexWriterSubject;
    let writer: IndexWriter;
    const ids = async (scope: Partial<Scope> = {}, index = subject.index): Promise<string[]> => {
      const { candidates } = await index.search(aQuery('kestrel owl heron lapwing', { scope }));
      return candidates.map(({ section }) => section.id).sort();
    };
    const write = async (documents: readonly IndexedDocument[], rebuild = false): Promise<string> => {
      const { published } = await writer.begin(SETTINGS, rebuild);
      await writer.stage(documents.filter(({ facts, hash }) => published.get(facts.path) !== hash));
      return (await writer.publish(presentOf(documents))).generation;
    };
    const drop = async (): Promise<void> => {
      await writer.close();
      writer = subject.openWriter();
    };

    beforeEach(async () => {
      subject = await make();
      writer = subject.openWriter();
    });

    afterEach(async () => {
      await writer.close();
      await subject.dispose();
    });

    describe('peek', () => {
      it('finds what is published, and leaves the index to other writers', async () => {
        expect(await writer.peek(SETTINGS)).toMatchObject({ root: null, published: new Map() });
        await write([one, two]);
        const other = subject.openWriter();
        const state = await other.peek(SETTINGS);
        expect(state).toMatchObject({
          published: presentOf([one, two]),
          staged: new Map(),
          rebuildReason: null,
        });
        await other.close();
        await write([one]);
      });

      it('finds nothing in an index that the next run builds again', async () => {
        await write([one]);
        await drop();
        subject.ageIdentity();
        const state = await writer.peek(SETTINGS);
        const rebuildReason = expect.any(String) as string;
        expect(state).toMatchObject({ published: new Map(), replaced: presentOf([one]), rebuildReason });
      });

      it('refuses another project', async () => {
        await write([one]);
        await expect(writer.peek({ ...SETTINGS, projectId: 'other' })).rejects.toMatchObject({
          reason: 'project_mismatch',
        });
      });
    });

    describe('begin', () => {
      it('starts empty if there is no index', async () => {
        const state = await writer.begin(SETTINGS, false);
        expect(state).toEqual({
          root: null,
          published: new Map(),
          replaced: new Map(),
          staged: new Map(),
          seen: new Map(),
          rebuildReason: null,
        });
      });

      it('returns path and hash of published documents', async () => {
        await write([one, two]);
        await drop();
        const state = await writer.begin(SETTINGS, false);
        expect(state).toMatchObject({
          published: presentOf([one, two]),
          staged: new Map(),
          rebuildReason: null,
        });
      });

      it('returns the files that the last run kept, but not to a rebuild', async () => {
        const remarks = [{ path: 'one.md:3', reason: 'has 2 invisible characters', isProblem: false }];
        const seen = (name: string) => ({
          stamp: `stamp of ${name}`,
          hash: `hash of ${name}`,
          remarks: name === 'one' ? remarks : [],
        });
        const again = async (rebuild = false) => {
          await drop();
          return (await writer.begin(SETTINGS, rebuild)).seen;
        };
        await write([one, two]);
        await writer.keepSeen(
          new Map([
            ['one.md', seen('one')],
            ['two.md', seen('two')],
          ]),
        );
        expect([...(await again())]).toEqual([
          ['one.md', seen('one')],
          ['two.md', seen('two')],
        ]);
        await writer.keepSeen(new Map([['two.md', seen('other')]]));
        expect([...(await again())]).toEqual([['two.md', seen('other')]]);
        expect([...(await again(true))]).toEqual([]);
      });

      it('finds documents that an unfinished run had staged', async () => {
        await writer.begin(SETTINGS, false);
        await writer.stage([one]);
        await writer.stage([two]);
        await drop();
        const state = await writer.begin(SETTINGS, false);
        expect(state.staged).toEqual(presentOf([one, two]));
        expect(state.published).toEqual(new Map());
      });

      it('refuses a second writer with index_busy while the first one is open', async () => {
        await writer.begin(SETTINGS, false);
        await writer.stage([one]);
        const second = subject.openWriter();
        const refused = { code: 'BACKEND_UNAVAILABLE', reason: 'index_busy' };
        await expect(second.begin(SETTINGS, false)).rejects.toMatchObject(refused);
        await second.close();
        await writer.publish(presentOf([one]));
        expect(await ids()).toEqual(['one.md']);
      }, 20_000);

      it('admits the next writer after the first one was closed', async () => {
        await write([one]);
        await drop();
        await expect(writer.begin(SETTINGS, false)).resolves.toMatchObject({ rebuildReason: null });
      });

      it.each([
        ['project', { ...SETTINGS, projectId: ANOTHER }],
        ['environment', { ...SETTINGS, environment: 'dev' }],
      ])('refuses the index of another %s and does not change it', async (_, settings) => {
        await write([one]);
        const refused = { code: 'INVALID_ARGUMENT', reason: 'project_mismatch' };
        await expect(writer.begin(settings, false)).rejects.toMatchObject(refused);
        expect(await ids()).toEqual(['one.md']);
        expect(await subject.index.stamp()).toMatchObject({
          projectId: SETTINGS.projectId,
          environment: 'prod',
        });
      });

      it('replaces the index of another project if told to rebuild', async () => {
        await write([one]);
        const { rebuildReason } = await writer.begin({ ...SETTINGS, projectId: ANOTHER }, true);
        await writer.stage([two]);
        await writer.publish(presentOf([two]));
        expect(rebuildReason).not.toBeNull();
        const index = subject.openProject?.(ANOTHER) ?? subject.index;
        expect(await index.stamp()).toMatchObject({ projectId: ANOTHER });
        expect(await ids({ projectId: ANOTHER }, index)).toEqual(['two.md#s1', 'two.md#s2']);
      });

      it('does not reuse documents that were staged for another project', async () => {
        await writer.begin({ ...SETTINGS, projectId: ANOTHER }, false);
        await writer.stage([one]);
        await drop();
        expect((await writer.begin(SETTINGS, false)).staged).toEqual(new Map());
      });

      it('rebuilds the index of another version and gives the reason', async () => {
        await write([one, two]);
        subject.ageIdentity();
        await drop();
        const state = await writer.begin(SETTINGS, false);
        expect(state.rebuildReason).toEqual(expect.stringMatching(/\S/));
        expect(state.published).toEqual(new Map());
        await writer.stage([one]);
        await writer.publish(presentOf([one]));
        expect(await ids()).toEqual(['one.md']);
      });
    });

    describe('an index of another embedder', () => {
      it('is rebuilt, with the reason', async () => {
        await write([one, two]);
        await writer.close();
        const other = subject.openOther();
        const state = await other.writer.begin(SETTINGS, false);
        await other.writer.stage([one]);
        await other.writer.publish(presentOf([one]));
        const { candidates } = await other.index.search(aQuery('kestrel owl'));
        await Promise.all([other.writer.close(), other.index.close()]);
        expect(state).toMatchObject({ published: new Map(), rebuildReason: expect.stringMatching(/\S/) });
        expect(candidates.map(({ section }) => section.id)).toEqual(['one.md']);
        await expect(subject.index.stamp()).rejects.toMatchObject({ reason: 'index_incompatible' });
      });

      it('does not get documents that were staged with this embedder', async () => {
        await writer.begin(SETTINGS, false);
        await writer.stage([one]);
        await writer.close();
        const other = subject.openOther();
        const { staged } = await other.writer.begin(SETTINGS, false);
        await Promise.all([other.writer.close(), other.index.close()]);
        expect(staged).toEqual(new Map());
      });
    });

    describe('stage', () => {
      it('is not visible to readers', async () => {
        await write([one]);
        const { generation } = await subject.index.stamp();
        await writer.begin(SETTINGS, false);
        await writer.stage([two]);
        expect(await ids()).toEqual(['one.md']);
        expect((await subject.index.stamp()).generation).toBe(generation);
      });

      it('leaves the index index_missing for readers until the first publish', async () => {
        await writer.begin(SETTINGS, false);
        await writer.stage([one]);
        await expect(subject.index.stamp()).rejects.toMatchObject({ reason: 'index_missing' });
      });

      it('replaces a document that is already staged', async () => {
        await writer.begin(SETTINGS, false);
        await writer.stage([two]);
        await writer.stage([newTwo]);
        await writer.publish(presentOf([newTwo]));
        expect(await ids()).toEqual(['two.md']);
      });
    });

    describe('publish', () => {
      it('shows all staged documents, and reports their number', async () => {
        await writer.begin(SETTINGS, false);
        await writer.stage([one]);
        await writer.stage([two]);
        const report = await writer.publish(presentOf([one, two]));
        expect(report).toMatchObject({ documents: 2, sections: 3, removed: 0 });
        expect(await ids()).toEqual(['one.md', 'two.md#s1', 'two.md#s2']);
        expect((await subject.index.stamp()).generation).toBe(report.generation);
      });

      it('publishes documents that an earlier run had staged, without staging them again', async () => {
        await writer.begin(SETTINGS, false);
        await writer.stage([one]);
        await drop();
        await writer.begin(SETTINGS, false);
        await writer.stage([two]);
        await writer.publish(presentOf([one, two]));
        expect(await ids()).toEqual(['one.md', 'two.md#s1', 'two.md#s2']);
      });

      it('omits staged documents that no longer exist', async () => {
        await writer.begin(SETTINGS, false);
        await writer.stage([one, two]);
        await drop();
        await writer.begin(SETTINGS, false);
        await writer.publish(presentOf([one]));
        expect(await ids()).toEqual(['one.md']);
        expect((await subject.index.facts(EVERYTHING, 1)).documents).toBe(1);
      });

      it('removes documents that no longer exist', async () => {
        await write([one, two]);
        await writer.begin(SETTINGS, false);
        const report = await writer.publish(presentOf([two]));
        expect(report).toMatchObject({ documents: 1, sections: 2, removed: 1 });
        expect(await ids()).toEqual(['two.md#s1', 'two.md#s2']);
        const { documentFrequency } = await subject.index.search(aQuery('kestrel owl'));
        expect(documentFrequency).toEqual({ kestrel: 0, owl: 1 });
      });

      it('replaces a document and does not change the others', async () => {
        await write([one, two]);
        const before = await subject.index.search(aQuery('kestrel'));
        await write([one, newTwo]);
        const after = await subject.index.search(aQuery('kestrel'));
        expect(await ids()).toEqual(['one.md', 'two.md']);
        expect(after.candidates[0]?.section).toEqual(before.candidates[0]?.section);
      });

      it('gives a new generation, and keeps it if nothing changed', async () => {
        const first = await write([one, two]);
        const again = await write([one, two]);
        const changed = await write([one, newTwo]);
        expect(again).toBe(first);
        expect(changed).not.toBe(first);
        expect((await subject.index.stamp()).generation).toBe(changed);
      });

      it('shows the repositories that are not trusted, and publishes a change of them', async () => {
        const trusting = await write([one]);
        expect(await subject.index.stamp()).not.toHaveProperty('untrusted');
        await writer.begin({ ...SETTINGS, untrusted: ['vendor'] }, false);
        const { generation } = await writer.publish(presentOf([one]));
        expect(generation).not.toBe(trusting);
        expect(await subject.index.stamp()).toMatchObject({ generation, untrusted: ['vendor'] });
      });

      it('keeps the date of an unchanged generation', async () => {
        await write([one]);
        const { indexedAt } = await subject.index.stamp();
        await drop();
        await write([one]);
        expect((await subject.index.stamp()).indexedAt).toBe(indexedAt);
      });

      it('never uses a generation name twice, rebuilds included', async () => {
        const names = [await write([one]), await write([two]), await write([one], true), await write([two])];
        expect(new Set(names).size).toBe(4);
      });

      it('keeps the old generation if it fails', async () => {
        const before = await write([one, two]);
        const clash = { ...anIndexedDocument({ path: 'new.md', hash: 'new' }), sections: one.sections };
        await writer.begin(SETTINGS, false);
        await writer.stage([newTwo, clash]);
        await expect(writer.publish(presentOf([one, newTwo, clash]))).rejects.toThrow();
        expect(await ids()).toEqual(['one.md', 'two.md#s1', 'two.md#s2']);
        expect((await subject.index.stamp()).generation).toBe(before);
      });

      it('leaves no staged documents', async () => {
        await write([one, two]);
        await drop();
        expect((await writer.begin(SETTINGS, false)).staged).toEqual(new Map());
      });

      it('can be repeated with one writer', async () => {
        await write([one]);
        await write([one, two]);
        await write([two]);
        expect(await ids()).toEqual(['two.md#s1', 'two.md#s2']);
      });
    });

    describe('rebuild', () => {
      it('starts without published documents and gives the reason', async () => {
        await write([one, two]);
        const state = await writer.begin(SETTINGS, true);
        expect(state.published).toEqual(new Map());
        expect(state.rebuildReason).toEqual(expect.stringMatching(/\S/));
      });

      it('keeps the old generation readable until it publishes', async () => {
        const before = await write([one]);
        await writer.begin(SETTINGS, true);
        await writer.stage([two]);
        expect(await ids()).toEqual(['one.md']);
        expect((await subject.index.stamp()).generation).toBe(before);
      });

      it('ends with only the staged documents', async () => {
        await write([one, two]);
        await write([newTwo], true);
        expect(await ids()).toEqual(['two.md']);
        const facts = await subject.index.facts(EVERYTHING, 1);
        expect(facts).toMatchObject({ documents: 1, sections: 1 });
      });
    });
  });
}
