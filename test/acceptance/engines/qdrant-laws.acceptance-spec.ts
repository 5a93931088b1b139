import { QdrantClient } from '@qdrant/js-client-rest';
import { NOTHING_DECLARED } from '../../../src/core/corpus-declaration.js';
import type { IndexedDocument } from '../../../src/core/indexed-document.js';
import { aliasOf } from '../../../src/engines/qdrant/names.js';
import { type AskQdrant, QdrantConnection } from '../../../src/engines/qdrant/qdrant-connection.js';
import type { QdrantSectionIndex } from '../../../src/engines/qdrant/qdrant-section-index.js';
import { aConnection, aReader, publishTo, removeAlias } from '../../contract/qdrant-subjects.js';
import { testFolder } from '../../support/build-index.js';
import { describeEngines, engineUrl } from '../../support/engine.js';
import { anIndexedDocument, aQuery, EVERYTHING, PROJECT } from '../../support/indexed-documents.js';
import { ownProject } from '../../support/own-project.js';

const url = engineUrl('qdrant') ?? '';
const options = { url, apiKey: '', timeoutMs: 30_000, concurrency: 16 };

/** A connection that counts writes, and fails all writes after a number of them, like a killed process. */
class CountedConnection extends QdrantConnection {
  /** The first request of a run only checks that the key may write. */
  writes = -1;

  constructor(private readonly most = Infinity) {
    super(options);
  }

  override write<T>(ask: AskQdrant<T>): Promise<T> {
    this.writes++;
    if (this.writes > this.most) return Promise.reject(new Error('killed'));
    return super.write(ask);
  }
}

const idsIn = async (index: QdrantSectionIndex, text: string, projectId = PROJECT): Promise<string[]> => {
  const { candidates } = await index.search(aQuery(text, { scope: { projectId } }));
  return candidates.map(({ section }) => section.id).sort();
};

/** Words without numbers, which would be searched in parts. */
const DAYS = ['sunday', 'monday', 'tuesday', 'friday', 'saturday', 'payday', 'midday', 'today', 'doomsday'];
const dayOf = (text: string): string => /\w+day/.exec(text)?.[0] ?? '';

describeEngines(['qdrant'], 'an index in Qdrant', () => {
  const folder = testFolder();
  const client = new QdrantClient({ url, checkCompatibility: false });
  const connection = aConnection(url);
  let [file, files] = ['', 0];

  beforeEach(() => {
    file = folder.file(`${files++}.sqlite`);
  });

  afterEach(() => removeAlias(client, aliasOf(PROJECT, 'prod')));
  afterAll(() => folder.remove());

  const page = (path: string, ...texts: string[]): IndexedDocument =>
    anIndexedDocument({ path, texts, hash: JSON.stringify(texts) });

  it('is separate for each project and environment', async () => {
    const [lower, upper] = [ownProject('left'), ownProject('Left')];
    const left = aReader(connection, { projectId: lower });
    const right = aReader(connection, { projectId: upper });
    await publishTo(connection, { file, projectId: lower }, [
      page('a.md', 'A kestrel.'),
      page('b.md', 'An owl.'),
    ]);
    const before = await left.search(aQuery('kestrel', { scope: { projectId: lower } }));
    const other = folder.file('other.sqlite');
    await publishTo(connection, { file: other, projectId: upper }, [page('a.md', 'A kestrel, a kestrel.')]);
    const after = await left.search(aQuery('kestrel', { scope: { projectId: lower } }));
    expect({ ...after, timings: null }).toEqual({ ...before, timings: null });
    expect(await idsIn(right, 'kestrel owl', upper)).toEqual(['a.md']);
    await expect(left.search(aQuery('kestrel', { scope: { projectId: upper } }))).rejects.toMatchObject({
      reason: 'index_incompatible',
    });
    const elsewhere = aReader(connection, { projectId: lower, environment: 'dev' });
    await expect(elsewhere.stamp()).rejects.toMatchObject({ reason: 'index_missing' });
  });

  it('supports hostile names and hostile texts', async () => {
    const hostile = [
      '"; drop',
      '{"must":[]}',
      '../../etc',
      '\u0007',
      '\u{1F600}ü設定',
      '__proto__',
      "' OR 1",
    ];
    const documents = hostile.map((text, i) =>
      anIndexedDocument({
        path: `${text}/${i}.md`,
        title: text,
        texts: [`kestrel${i} ${text}`],
        docTag: text,
        metadata: { [text]: text },
      }),
    );
    const owner = { projectId: ownProject(hostile.slice(0, 3).join()), environment: hostile.join() };
    const declared = { ...NOTHING_DECLARED, description: hostile.join() };
    await publishTo(connection, { file, ...owner, corpus: declared }, documents);
    const index = aReader(connection, owner);
    const scope = { ...EVERYTHING, ...owner };
    for (const [i, text] of hostile.entries()) {
      const filter = { docTags: [text], metadata: { [text]: text }, pathPrefix: `${text}/` };
      const { candidates } = await index.search(aQuery(`kestrel${i}`, { scope, filter }));
      expect(candidates.map(({ document }) => document)).toEqual([documents[i]?.facts]);
    }
    const facts = await index.facts(scope, 100);
    expect(facts.docTags.map(({ value }) => value).sort()).toEqual([...hostile].sort());
    const { taxonomy, description } = await index.corpus(scope);
    expect(taxonomy.map(({ key }) => key).sort()).toEqual([...hostile].sort());
    expect(description).toBe(hostile.join());
  });

  it('contains nothing of deleted documents: sections, words, counts and values', async () => {
    const gone = anIndexedDocument({
      path: 'x/gone.md',
      texts: ['The kestrel.'],
      metadata: { version: '9' },
    });
    const index = aReader(connection);
    for (let i = 0; i < 3; i++) {
      await publishTo(connection, { file }, [page('kept.md', 'An owl.'), gone]);
      expect(await idsIn(index, 'kestrel owl')).toEqual(['kept.md', 'x/gone.md']);
      await publishTo(connection, { file }, [page('kept.md', 'An owl.')]);
      const answer = await index.search(aQuery('kestrel owl'));
      expect(answer.candidates.map(({ section }) => section.id)).toEqual(['kept.md']);
      expect(answer.documentFrequency).toEqual({ kestrel: 0, owl: 1 });
      expect((await index.sections(EVERYTHING, ['x/gone.md'])).sections).toEqual([]);
      expect((await index.corpus(EVERYTHING)).taxonomy).toEqual([]);
      expect(await index.facts(EVERYTHING, 9)).toMatchObject({ documents: 1, sections: 1 });
    }
  });

  it('pages through resources without a gap or a repeat, and ranks the same every time', async () => {
    const pages = Array.from({ length: 25 }, (_, i) =>
      anIndexedDocument({ path: `p${i}.md`, texts: [`A kestrel of ${i}.`], metadata: { kind: 'guide' } }),
    );
    const key = { description: null, collapse: null, isResource: true, resourceValues: [] };
    await publishTo(connection, { file, corpus: { ...NOTHING_DECLARED, taxonomy: { kind: key } } }, pages);
    const index = aReader(connection);
    const listed: string[] = [];
    for (let after: string | null = null; ; after = listed.at(-1) ?? null) {
      const { documents } = await index.resources(EVERYTHING, after, 4);
      if (documents.length === 0) break;
      listed.push(...documents.map(({ path }) => path));
    }
    expect(listed).toEqual(pages.map(({ facts }) => facts.path).sort());
    const rank = async () => (await index.search(aQuery('kestrel', { limit: 25 }))).candidates;
    expect(await rank()).toEqual(await rank());
  });

  it('shows every reader one generation, however fast indexes are published', async () => {
    const generation = (number: number): IndexedDocument[] =>
      Array.from({ length: 12 }, (_, i) =>
        page(`p${i}.md`, `A kestrel${i} of ${DAYS[number]}.`, `An owl${i} of ${DAYS[number]}.`),
      );
    await publishTo(connection, { file }, generation(0));
    let isOver = false;
    const seen = new Map<string, Set<string>>();
    const read = async (): Promise<number> => {
      const index = aReader(connection);
      let answers = 0;
      for (; !isOver; answers++) {
        const { generation: of, candidates } = await index.search(aQuery(DAYS.join(' ')));
        const days = new Set(candidates.map(({ section }) => dayOf(section.text)));
        expect(candidates).toHaveLength(24);
        expect(days.size).toBe(1);
        seen.set(of, new Set([...(seen.get(of) ?? []), ...days]));
        const { sections } = await index.sections(EVERYTHING, ['p0.md', 'p5.md#s2', 'p11.md']);
        expect(new Set(sections.map(({ section }) => dayOf(section.text))).size).toBe(1);
        expect(await index.facts(EVERYTHING, 1)).toMatchObject({ documents: 12, sections: 24 });
      }
      return answers;
    };
    const readers = [read(), read()];
    for (let number = 1; number < DAYS.length; number++)
      await publishTo(connection, { file }, generation(number));
    isOver = true;
    const answers = await Promise.all(readers);
    expect(Math.min(...answers)).toBeGreaterThan(3);
    expect([...seen.values()].map((days) => days.size)).toEqual([...seen.values()].map(() => 1));
    expect(seen.size).toBeGreaterThan(3);
  }, 120_000);

  it('stores 10,000 sections in one run, and then writes only changes', async () => {
    const words = ['harbour', 'meadow', 'lantern', 'river', 'stone', 'wind', 'nest'];
    const text = (i: number, j: number): string =>
      `Section ${i} ${j} ${words[(i * 7 + j) % 7]} ${words[(i + j * 3) % 7]} unique${i}x${j}.`;
    const documents = Array.from({ length: 100 }, (_, i) =>
      page(`d${i % 9}/p${i}.md`, ...Array.from({ length: 100 }, (__, j) => text(i, j))),
    );
    await publishTo(connection, { file }, documents);
    const index = aReader(connection);
    expect(await index.facts(EVERYTHING, 1)).toMatchObject({ documents: 100, sections: 10_000 });
    expect(await idsIn(index, 'unique42x17')).toEqual(['d6/p42.md#s18']);
    const all = await index.search(aQuery('section harbour', { limit: 1000, perDocument: 1000 }));
    expect(new Set(all.candidates.map(({ section }) => section.id)).size).toBe(all.candidates.length);
    const changed = [page('d0/p0.md', 'A kestrel.'), ...documents.slice(1)];
    // The second run fills the other collection, which is still empty; the third one finds both filled.
    await publishTo(connection, { file }, changed);
    const counted = new CountedConnection();
    await publishTo(counted, { file }, [page('d0/p0.md', 'An owl.'), ...documents.slice(1)]);
    expect(counted.writes).toBeLessThan(20);
    expect(await idsIn(index, 'owl kestrel')).toEqual(['d0/p0.md']);
    expect(await index.facts(EVERYTHING, 1)).toMatchObject({ documents: 100, sections: 9_901 });
  }, 300_000);

  it('writes nothing if nothing has changed', async () => {
    await publishTo(connection, { file }, [page('a.md', 'A kestrel.')]);
    const counted = new CountedConnection();
    await publishTo(counted, { file }, [page('a.md', 'A kestrel.')]);
    expect(counted.writes).toBe(0);
  });

  it('stays unchanged if a run is killed at any point, and the next run completes it', async () => {
    const before = [page('a.md', 'A kestrel.', 'A vole.'), page('b.md', 'An owl.')];
    const after = [page('a.md', 'A heron.', 'A stork.'), page('c.md', 'An owl.', 'An osprey.')];
    const index = aReader(connection);
    let isWhole = false;
    for (let most = 0; !isWhole; most++) {
      await publishTo(connection, { file }, before);
      try {
        await publishTo(new CountedConnection(most), { file }, after);
        isWhole = true;
      } catch (error) {
        expect(error).toMatchObject({ message: 'killed' });
        expect(await idsIn(index, 'kestrel owl heron stork')).toEqual(['a.md#s1', 'b.md']);
      }
      await publishTo(connection, { file }, after);
      expect(await idsIn(index, 'kestrel owl heron vole osprey stork')).toEqual([
        'a.md#s1',
        'a.md#s2',
        'c.md#s1',
        'c.md#s2',
      ]);
      expect(await index.facts(EVERYTHING, 1)).toMatchObject({ documents: 2, sections: 4 });
    }
  }, 120_000);

  it('is restored by a run without changed documents', async () => {
    await publishTo(connection, { file }, [page('a.md', 'A kestrel.')]);
    const killed = publishTo(new CountedConnection(0), { file }, [page('a.md', 'An owl.')]);
    await expect(killed).rejects.toThrow('killed');
    await publishTo(connection, { file }, [page('a.md', 'An owl.')]);
    expect(await idsIn(aReader(connection), 'owl')).toEqual(['a.md']);
  });

  it('refuses a filter on a field without a payload index', async () => {
    await publishTo(connection, { file }, [page('a.md', 'A kestrel.')]);
    const filter = { must: [{ key: 'text', match: { value: 'A kestrel.' } }] };
    await expect(client.scroll(aliasOf(PROJECT, 'prod'), { filter })).rejects.toMatchObject({
      status: 400,
    });
  });
});
