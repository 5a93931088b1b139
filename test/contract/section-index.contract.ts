import type { CorpusDeclaration } from '../../src/core/corpus-declaration.js';
import type { IndexedDocument } from '../../src/core/indexed-document.js';
import type { SearchAnswer, SectionIndex } from '../../src/core/ports/section-index.port.js';
import type { Scope } from '../../src/core/scope.js';
import { anIndexedDocument, aQuery, EVERYTHING, PROJECT } from '../support/indexed-documents.js';
import type { QueryParts } from '../support/indexed-documents.js';

/** An index of one adapter that a test can fill, damage and read. */
export interface SectionIndexSubject {
  /** Reads it; stays open until the subject is disposed of. */
  readonly index: SectionIndex;
  /** Publishes exactly these documents as the next generation. */
  readonly publish: (...documents: readonly IndexedDocument[]) => Promise<void>;
  /** The same, of a corpus that says something of itself. */
  readonly declare: (corpus: CorpusDeclaration, ...documents: readonly IndexedDocument[]) => Promise<void>;
  /** Puts another index, with these documents, in its place. */
  readonly replace: (...documents: readonly IndexedDocument[]) => Promise<void>;
  /** Puts something there that is no index. */
  readonly putGarbage: () => void | Promise<void>;
  /** Makes it the index of another version. */
  readonly ageIdentity: () => void | Promise<void>;
  /** Reads it as a server with another embedder would; to be closed by the test. */
  readonly openWithOtherEmbedder: () => SectionIndex;
  /** Takes the index away. */
  readonly remove: () => void | Promise<void>;
  readonly dispose: () => Promise<void>;
}

/** Sections without the words that tests ask for, so that these are rare. */
const FILLERS = ['An osprey.', 'An eagle.', 'A falcon.', 'A buzzard.', 'A kite.', 'A harrier.'].map(
  (text, i) => anIndexedDocument({ path: `filler-${i}.md`, texts: [text] }),
);

const idsOf = ({ candidates }: SearchAnswer): string[] => candidates.map(({ section }) => section.id);

/** What every `SectionIndex` does, whichever engine stands behind it. */
export function sectionIndexContract(name: string, make: () => Promise<SectionIndexSubject>): void {
  describe(`${name} is a SectionIndex`, () => {
    let subject: SectionIndexSubject;
    const find = async (text: string, parts?: QueryParts): Promise<string[]> =>
      idsOf(await subject.index.search(aQuery(text, parts)));

    beforeEach(async () => {
      subject = await make();
    });

    afterEach(() => subject.dispose());

    describe('ranking', () => {
      it('puts the section first that says a word more often', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'a-once.md', texts: ['The kestrel flies over the wide meadow today.'] }),
          anIndexedDocument({
            path: 'z-often.md',
            texts: ['A kestrel met a kestrel near the kestrel nest.'],
          }),
          ...FILLERS,
        );
        expect(await find('kestrel')).toEqual(['z-often.md', 'a-once.md']);
      });

      it('does so for a word that most sections hold, too', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'a-once.md', texts: ['The kestrel flies over the wide meadow today.'] }),
          anIndexedDocument({
            path: 'z-often.md',
            texts: ['A kestrel met a kestrel near the kestrel nest.'],
          }),
          anIndexedDocument({ path: 'never.md', texts: ['The osprey hunts above the quiet lake.'] }),
        );
        expect(await find('kestrel')).toEqual(['z-often.md', 'a-once.md']);
      });

      it('puts the section first that holds the rarer of two words', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'common-1.md', texts: ['The harbour is open.'] }),
          anIndexedDocument({ path: 'common-2.md', texts: ['The harbour is shut.'] }),
          anIndexedDocument({ path: 'rare.md', texts: ['The kestrel is open.'] }),
          anIndexedDocument({ path: 'other-1.md', texts: ['Nothing to see here at all.'] }),
          anIndexedDocument({ path: 'other-2.md', texts: ['Nor is there over there.'] }),
        );
        expect((await find('kestrel harbour'))[0]).toBe('rare.md');
      });

      it('weighs a heading more than the body', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'a.md', title: 'Page', texts: ['Notes on kestrel and on meadow.'] }),
          anIndexedDocument({ path: 'z.md', title: 'Kestrel', texts: ['Notes on other and on meadow.'] }),
          ...FILLERS,
        );
        expect(await find('kestrel')).toEqual(['z.md', 'a.md']);
      });

      it('finds a section by the headings above it and by its file name', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'a.md', headingPath: ['Kestrels', 'Food'], texts: ['They eat voles.'] }),
          anIndexedDocument({ path: 'kestrel-nests.md', texts: ['High up.'] }),
          anIndexedDocument({ path: 'other.md', texts: ['Nothing.'] }),
        );
        expect((await find('kestrel')).sort()).toEqual(['a.md', 'kestrel-nests.md']);
      });

      it('breaks ties by section id', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'm.md', texts: ['The kestrel sits.'] }),
          anIndexedDocument({ path: 'z.md', texts: ['The kestrel hunts.'] }),
          anIndexedDocument({ path: 'a.md', texts: ['The kestrel flies.'] }),
        );
        expect(await find('kestrel')).toEqual(['a.md', 'm.md', 'z.md']);
      });

      it('breaks ties by section id before it cuts the list, in whatever order documents came', async () => {
        const late = anIndexedDocument({ path: 'a.md', texts: ['The kestrel sits.'] });
        const early = anIndexedDocument({ path: 'z.md', texts: ['The kestrel hunts.'] });
        await subject.publish(early);
        await subject.publish(early, late);
        expect(await find('kestrel', { limit: 1 })).toEqual(['a.md']);
        const filtered = { limit: 1, filter: { docTags: ['docs'] } };
        expect(await find('kestrel', filtered)).toEqual(['a.md']);
      });

      it('scores best first, rounded to four places, higher for better', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'once.md', texts: ['The kestrel flies over the wide meadow today.'] }),
          anIndexedDocument({ path: 'often.md', texts: ['A kestrel met a kestrel near the kestrel nest.'] }),
          ...FILLERS,
        );
        const { candidates } = await subject.index.search(aQuery('kestrel'));
        const scores = candidates.map(({ lexical }) => lexical);
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
        expect(scores.map((score) => Number(score.toFixed(4)))).toEqual(scores);
        expect(Math.min(...scores)).toBeGreaterThan(0);
      });

      it('gives the same answer to the same query', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'a.md', texts: ['kestrel one', 'kestrel two', 'kestrel kestrel'] }),
        );
        const first = {
          ...(await subject.index.search(aQuery('kestrel one two'))),
          timings: expect.anything(),
        };
        expect(await subject.index.search(aQuery('kestrel one two'))).toEqual(first);
      });

      it('answers the same whether it was built at once or bit by bit', async () => {
        const a = anIndexedDocument({
          path: 'a.md',
          texts: ['A kestrel in the meadow.', 'A kestrel at sea.'],
        });
        const b = anIndexedDocument({ path: 'b.md', texts: ['The kestrel kestrel eats.', 'An owl sleeps.'] });
        const old = anIndexedDocument({
          path: 'a.md',
          texts: ['The kestrel meadow was other.'],
          hash: 'old',
        });
        await subject.publish(b, anIndexedDocument({ path: 'gone.md', texts: ['kestrel kestrel owl'] }));
        await subject.publish(b, old);
        await subject.publish(b, a);
        const grown = await subject.index.search(aQuery('kestrel meadow owl'));
        await subject.replace(a, b);
        const built = await subject.index.search(aQuery('kestrel meadow owl'));
        expect(idsOf(grown)).toEqual(idsOf(built));
        expect(grown.documentFrequency).toEqual(built.documentFrequency);
      });

      it('scores the same however often documents were changed before', async () => {
        const hit = anIndexedDocument({ path: 'a.md', texts: ['A kestrel in the meadow.'] });
        const changed = (hash: string): IndexedDocument =>
          anIndexedDocument({ path: 'b.md', texts: ['An owl in the meadow.'], hash });
        await subject.publish(hit, changed('1'), ...FILLERS);
        const before = await subject.index.search(aQuery('kestrel'));
        await subject.publish(hit, changed('2'), ...FILLERS);
        await subject.publish(hit, changed('3'), ...FILLERS);
        const after = await subject.index.search(aQuery('kestrel'));
        expect(after.candidates).toEqual(before.candidates);
      });

      it('gives the section and its document back as they were written', async () => {
        const written = anIndexedDocument({
          path: 'a folder/ä#b.md',
          texts: ['Text with "quotes",\n\n| a | b |\n|---|---|\nand \u{1F600} kestrel.'],
          headingPath: ['Top', 'A "b" > c'],
          docTag: 'täg',
        });
        await subject.publish(written);
        const [candidate] = (await subject.index.search(aQuery('kestrel'))).candidates;
        expect(candidate?.section).toEqual(written.sections[0]);
        expect(candidate?.document).toEqual(written.facts);
      });
    });

    describe('words', () => {
      it.each([
        ['RateLimitError', 'RateLimitError'],
        ['RateLimitError', 'ratelimiterror'],
        ['RateLimitError', 'rate limit'],
        ['RateLimitError', 'limit error'],
        ['RateLimitError', 'rate_limit_error'],
        ['rate_limit', 'rate_limit'],
        ['rate_limit', 'limit'],
        ['rate_limit', 'RateLimit'],
        ['rate_limit', 'rate-limit'],
        ['--max-retries', '--max-retries'],
        ['--max-retries', 'max-retries'],
        ['--max-retries', 'retries'],
        ['--max-retries', 'maxRetries'],
        ['Get-ChildItem', 'Get-ChildItem'],
        ['Get-ChildItem', 'get-childitem'],
        ['Get-ChildItem', 'ChildItem'],
        ['Get-ChildItem', 'child item'],
        ['kb.search', 'kb.search'],
        ['std::vector', 'std::vector'],
        ['std::vector', 'vector'],
        ['XMLHttpRequest', 'http request'],
        ['version 4.4.5', '4.4.5'],
        ['C++', 'C++'],
        ['C#', 'C#'],
        ['ERR_HTTP2_STREAM', 'http2'],
        ['$env:PATH', 'PATH'],
        ['@nestjs/common', 'nestjs'],
      ])('finds the identifier %s by %s', async (written, asked) => {
        await subject.publish(
          anIndexedDocument({ path: 'hit.md', texts: [`Here ${written} stands.`] }),
          anIndexedDocument({ path: 'miss.md', texts: ['Here stands none of them.'] }),
          anIndexedDocument({ path: 'more.md', texts: ['Still more prose without it.'] }),
        );
        expect(await find(asked)).toEqual(['hit.md']);
      });

      it.each([
        ['C++', 'C#'],
        ['C#', 'C++'],
      ])('tells %s from %s', async (written, asked) => {
        await subject.publish(
          anIndexedDocument({ path: 'hit.md', texts: [`Here ${asked} stands.`] }),
          anIndexedDocument({ path: 'miss.md', texts: [`Here ${written} stands.`] }),
          anIndexedDocument({ path: 'more.md', texts: ['Still more prose without it.'] }),
        );
        expect((await find(asked))[0]).toBe('hit.md');
      });

      it.each([
        ['The server retries a request.', 'retry requests'],
        ['We are indexing.', 'indexed'],
        ['Connections', 'connection'],
        ['Configuring the proxies', 'configure proxy'],
      ])('finds "%s" by "%s"', async (written, asked) => {
        await subject.publish(anIndexedDocument({ path: 'hit.md', texts: [written] }));
        expect(await find(asked)).toEqual(['hit.md']);
      });

      it.each([
        ['Der Schlüssel öffnet die Tür.', 'schlüssel'],
        ['Der Schlüssel öffnet die Tür.', 'SCHLÜSSEL'],
        ['Der Schlüssel öffnet die Tür.', 'Schlussel'],
        ['Der Schlu\u0308ssel.', 'Schlüssel'],
        ['Die Größe der Straße', 'größe'],
        ['Un café noir', 'cafe'],
        ['Un cafe noir', 'CAFÉ'],
        ['設定ファイルを保存する', '設定'],
        ['設定ファイルを保存する', 'ファイル'],
        ['設定ファイルを保存する', '保存'],
        ['サーバーを再起動してください。', 'サーバー'],
        ['ｻｰﾊﾞｰ', 'サーバー'],
        ['重新启动服务器', '服务器'],
        ['서버를 다시 시작합니다', '서버'],
        ['تغيير إعدادات الخادم', 'الخادم'],
        ['הפעל מחדש את השרת', 'השרת'],
        ['Перезапустите сервер', 'СЕРВЕР'],
        ['Ο διακομιστής', 'ΔΙΑΚΟΜΙΣΤΉΣ'],
        ['सर्वर को पुनः आरंभ करें', 'सर्वर'],
        ['รีสตาร์ทเซิร์ฟเวอร์', 'เซิร์ฟเวอร์'],
        ['İstanbul', 'istanbul'],
        ['ﬁle ＡＢＣ', 'file'],
      ])('finds %s by %s', async (written, asked) => {
        await subject.publish(
          anIndexedDocument({ path: 'hit.md', texts: [written] }),
          anIndexedDocument({ path: 'miss.md', texts: ['Nothing of the kind.'] }),
        );
        expect(await find(asked)).toEqual(['hit.md']);
      });

      it('leaves stop words out of a question', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'hit.md', texts: ['The kestrel.'] }),
          anIndexedDocument({
            path: 'miss.md',
            texts: ['What is the matter with it and how do they do that?'],
          }),
        );
        expect(await find('What is the kestrel and how does it do that?')).toEqual(['hit.md']);
      });

      it('still asks for stop words when there is nothing else', async () => {
        await subject.publish(anIndexedDocument({ path: 'who.md', texts: ['The Who'] }));
        expect(await find('the who')).toEqual(['who.md']);
      });
    });

    describe('terms', () => {
      it('finds nothing for no terms', async () => {
        await subject.publish(anIndexedDocument());
        const answer = await subject.index.search(aQuery('', { terms: [] }));
        expect(answer).toMatchObject({ candidates: [], sectionCount: 1, documentFrequency: {} });
      });

      it.each([
        ['a quotation mark', '"'],
        ['quoted operators', 'kestrel" OR "a'],
        ['an apostrophe', "'; DROP TABLE section; --"],
        ['AND', 'kestrel AND'],
        ['OR', 'OR'],
        ['NOT', 'NOT'],
        ['NEAR', 'NEAR(kestrel, 2)'],
        ['a caret', '^kestrel'],
        ['a star', 'kest*'],
        ['a column', 'title:kestrel'],
        ['a bracket', '{title}:'],
        ['NUL', 'kes\0trel'],
        ['only NUL', '\0'],
        ['an empty term', ''],
        ['half a character', '\ud83d'],
        ['the other half', '\ude00kestrel'],
        ['a prototype key', '__proto__'],
        ['a property of every object', 'constructor'],
        ['64 KB', 'kestrel'.repeat(9_400)],
        ['64 KB of quotation marks', '"'.repeat(65_536)],
      ])('takes %s as a word like any other', async (_, term) => {
        await subject.publish(
          anIndexedDocument({ path: 'hit.md', texts: ['The kestrel.'] }),
          anIndexedDocument({ path: 'miss.md', texts: ['Nothing.'] }),
        );
        expect(await find('', { terms: [term] })).toEqual([]);
        expect(await find('', { terms: [term, 'kestrel'] })).toEqual(['hit.md']);
      });

      it('takes 2,000 terms', async () => {
        await subject.publish(anIndexedDocument({ path: 'hit.md', texts: ['The kestrel.'] }));
        const terms = Array.from({ length: 2_000 }, (_, i) => `word${i}`);
        expect(await find('', { terms: [...terms, 'kestrel'] })).toEqual(['hit.md']);
      });

      it('counts the sections of the whole index that hold each term, and none for a term that no visible one holds', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'a.md', texts: ['A kestrel, a kestrel.', 'A kestrel.', 'An owl.'] }),
          anIndexedDocument({ path: 'b.md', docTag: 'other', texts: ['The kestrel.'] }),
        );
        const answer = await subject.index.search(
          aQuery('kestrel owl heron', { scope: { docTags: ['other'] } }),
        );
        expect(answer.documentFrequency).toEqual({ kestrel: 3, owl: 0, heron: 0 });
        expect(answer.sectionCount).toBe(4);
      });

      it('counts a section once, whatever part of it holds the term', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'kestrel.md', title: 'Kestrel', texts: ['The kestrel.'] }),
          anIndexedDocument({ path: 'b.md', texts: ['Nothing.'] }),
        );
        expect((await subject.index.search(aQuery('kestrel'))).documentFrequency).toEqual({ kestrel: 1 });
      });

      it('counts no more what was changed or removed', async () => {
        const kept = anIndexedDocument({ path: 'kept.md', texts: ['The kestrel.'] });
        await subject.publish(
          kept,
          anIndexedDocument({ path: 'gone.md', texts: ['The kestrel.'] }),
          anIndexedDocument({ path: 'changed.md', texts: ['The kestrel.', 'kestrel'] }),
        );
        await subject.publish(kept, anIndexedDocument({ path: 'changed.md', texts: ['The owl.'] }));
        const answer = await subject.index.search(aQuery('kestrel owl'));
        expect(answer.documentFrequency).toEqual({ kestrel: 1, owl: 1 });
        expect(answer.sectionCount).toBe(2);
      });
    });

    describe('limit', () => {
      it('returns the best ones and no more', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'a.md', texts: ['A kestrel and so much else besides it here.'] }),
          anIndexedDocument({ path: 'b.md', texts: ['kestrel kestrel kestrel'] }),
          anIndexedDocument({ path: 'c.md', texts: ['kestrel kestrel and more'] }),
          ...FILLERS,
        );
        expect(await find('kestrel', { limit: 2 })).toEqual(['b.md', 'c.md']);
      });

      it('returns no more of one document than asked for, the best of it, and counts the rest', async () => {
        await subject.publish(
          anIndexedDocument({
            path: 'a.md',
            texts: ['kestrel and more', 'kestrel kestrel', 'kestrel too so'],
          }),
          anIndexedDocument({ path: 'b.md', texts: ['A kestrel and so much else besides it here.'] }),
          ...FILLERS,
        );
        const answer = await subject.index.search(aQuery('kestrel', { perDocument: 1, limit: 2 }));
        expect(idsOf(answer)).toEqual(['a.md#s2', 'b.md']);
        expect(answer.dropped).toEqual({ sameDocument: 2, nearDuplicate: 0 });
        expect(answer.matched).toBe(4);
      });

      it('takes more of a document where few match, until the list is filled', async () => {
        const texts = (word: string, count: number) =>
          Array.from({ length: count }, (_, i) => `${word} ${i} kestrel`);
        await subject.publish(
          anIndexedDocument({ path: 'large.md', texts: texts('One', 9) }),
          anIndexedDocument({ path: 'small.md', texts: texts('Other', 2) }),
          ...FILLERS,
        );
        const countOf = async (parts: QueryParts): Promise<number> =>
          (await subject.index.search(aQuery('kestrel', { perDocument: 2, ...parts }))).candidates.length;
        expect(await countOf({})).toBe(4);
        expect(await countOf({ fillTo: 4 })).toBe(4);
        expect(await countOf({ fillTo: 5 })).toBe(6);
        expect(await countOf({ fillTo: 100 })).toBe(11);
        expect(await countOf({ fillTo: 100, limit: 7 })).toBe(7);
      });

      it('counts only visible sections against it', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'a.md', docTag: 'hidden', texts: ['kestrel kestrel kestrel'] }),
          anIndexedDocument({ path: 'b.md', docTag: 'seen', texts: ['A kestrel and so much else besides.'] }),
        );
        expect(await find('kestrel', { limit: 1, scope: { docTags: ['seen'] } })).toEqual(['b.md']);
      });
    });

    describe('filters', () => {
      it('keeps to documents with one of the tags', async () => {
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
      ])('keeps to paths that start with %s', async (_, pathPrefix, expected) => {
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

      it('keeps to documents with the paths that are named, as if no others matched', async () => {
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

      it('keeps to documents that were updated at a time or after it', async () => {
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
      ])('keeps to the sections that are named: %s', async (_, sectionIds, expected) => {
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

      it('applies all filters at once', async () => {
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

      it('never returns a row outside', async () => {
        expect(await find('kestrel', { scope: { docTags: ['two'] } })).toEqual(['b.md']);
        expect(await find('kestrel', { scope: { repositories: ['right'] } })).toEqual(['c.md']);
        expect(await find('kestrel', { scope: { docTags: ['two'], repositories: ['right'] } })).toEqual([]);
        expect(await find('kestrel', { scope: { docTags: [] } })).toEqual([]);
      });

      it.each([['projectId'], ['environment']])('never answers for another %s', async (field) => {
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

      it('bounds what is counted', async () => {
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

      it('shows nothing when nothing lies within', async () => {
        const facts = await subject.index.facts({ ...EVERYTHING, repositories: ['none'] }, 10);
        expect(facts).toMatchObject({ documents: 0, sections: 0, docTags: [], repositories: [] });
      });
    });

    describe('facts', () => {
      it('says what the index is and how large', async () => {
        await subject.publish(anIndexedDocument());
        const stamp = await subject.index.stamp();
        const facts = await subject.index.facts(EVERYTHING, 10);
        expect(facts).toMatchObject({ ...stamp, projectId: PROJECT, environment: 'prod', documents: 1 });
        expect(facts.bytes).toBeGreaterThan(0);
        expect(new Date(facts.indexedAt).toISOString()).toBe(facts.indexedAt);
      });

      it('lists values with most sections first, ties by value, as many as asked for', async () => {
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

    describe('sections by id', () => {
      const idsFor = async (ids: readonly string[], scope: Partial<Scope> = {}): Promise<string[]> =>
        (await subject.index.sections({ ...EVERYTHING, ...scope }, ids)).sections.map(
          ({ section }) => section.id,
        );

      beforeEach(() =>
        subject.publish(
          anIndexedDocument({ path: 'a.md', texts: ['One.', 'Two.', 'Three.'] }),
          anIndexedDocument({ path: 'b.md', texts: ['Four.'], docTag: 'other', repository: 'elsewhere' }),
          anIndexedDocument({ path: 'my c#.md', texts: ['Five.', 'Six.'] }),
        ),
      );

      it('come in the order asked for, each once', async () => {
        expect(await idsFor(['b.md', 'a.md#s3', 'a.md#s1', 'b.md', 'a.md#s3'])).toEqual([
          'b.md',
          'a.md#s3',
          'a.md#s1',
        ]);
      });

      it('come with their text and their document', async () => {
        const { sections } = await subject.index.sections(EVERYTHING, ['b.md']);
        const document = { path: 'b.md', title: 'Page', docTag: 'other', repository: 'elsewhere' };
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
            },
            document: { ...document, updatedAt: '2025-12-01T00:00:00.000Z', url: null, metadata: {} },
          },
        ]);
      });

      it('are the first of a document by its path alone, still each once', async () => {
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

      it('leave out what is not there', async () => {
        expect(await idsFor(['a.md#s9', 'nothing.md', '', 'a.md#s2', 'a'])).toEqual(['a.md#s2']);
        expect(await idsFor([])).toEqual([]);
      });

      it.each([
        ['doc tag', { docTags: ['docs'] }],
        ['repository', { repositories: ['repo'] }],
        ['both', { docTags: ['docs', 'other'], repositories: ['repo'] }],
      ])('leave out what is of another %s', async (_, scope) => {
        expect(await idsFor(['b.md', 'a.md', 'a.md#s2'], scope)).toEqual(['a.md#s1', 'a.md#s2']);
      });

      it('come from the generation that they name', async () => {
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
      it('is index_missing where there is none', async () => {
        const expected = { code: 'BACKEND_UNAVAILABLE', reason: 'index_missing' };
        await expect(subject.index.stamp()).rejects.toMatchObject(expected);
        await expect(subject.index.search(aQuery('kestrel'))).rejects.toMatchObject(expected);
        await expect(subject.index.facts(EVERYTHING, 1)).rejects.toMatchObject(expected);
      });

      it('is index_missing once the index is taken away, and well again when it is back', async () => {
        await subject.publish(anIndexedDocument());
        await subject.index.stamp();
        await subject.remove();
        await expect(subject.index.stamp()).rejects.toMatchObject({ reason: 'index_missing' });
        await subject.publish(anIndexedDocument({ path: 'back.md', texts: ['kestrel'] }));
        expect(await find('kestrel')).toEqual(['back.md']);
      });

      it('is index_incompatible when another version built it', async () => {
        await subject.publish(anIndexedDocument());
        await subject.ageIdentity();
        const expected = { code: 'BACKEND_UNAVAILABLE', reason: 'index_incompatible' };
        await expect(subject.index.stamp()).rejects.toMatchObject(expected);
        await expect(subject.index.search(aQuery('kestrel'))).rejects.toMatchObject(expected);
        await expect(subject.index.facts(EVERYTHING, 1)).rejects.toMatchObject(expected);
      });

      it('is index_incompatible when another embedder is configured than the one that built it', async () => {
        await subject.publish(anIndexedDocument());
        const index = subject.openWithOtherEmbedder();
        const expected = { code: 'BACKEND_UNAVAILABLE', reason: 'index_incompatible' };
        await expect(index.stamp()).rejects.toMatchObject(expected);
        await expect(index.search(aQuery('kestrel'))).rejects.toMatchObject(expected);
        await index.close();
      });

      it('is index_incompatible when it is no index at all', async () => {
        await subject.putGarbage();
        await expect(subject.index.stamp()).rejects.toMatchObject({ reason: 'index_incompatible' });
      });

      it('follows every publish by itself', async () => {
        await subject.publish(anIndexedDocument({ path: 'a.md', texts: ['kestrel'] }));
        const before = await subject.index.search(aQuery('kestrel'));
        await subject.publish(anIndexedDocument({ path: 'b.md', texts: ['kestrel', 'an owl'] }));
        const after = await subject.index.search(aQuery('kestrel'));
        expect(idsOf(after)).toEqual(['b.md#s1']);
        expect(after.sectionCount).toBe(2);
        expect(after.generation).not.toBe(before.generation);
        expect((await subject.index.stamp()).generation).toBe(after.generation);
      });

      it('follows an index that is put in its place', async () => {
        await subject.publish(anIndexedDocument({ path: 'a.md', texts: ['kestrel'] }));
        const before = await subject.index.search(aQuery('kestrel'));
        await subject.replace(anIndexedDocument({ path: 'b.md', texts: ['kestrel', 'an owl'] }));
        const after = await subject.index.search(aQuery('kestrel owl'));
        expect(idsOf(after).sort()).toEqual(['b.md#s1', 'b.md#s2']);
        expect(after.documentFrequency).toEqual({ kestrel: 1, owl: 1 });
        expect(after.generation).not.toBe(before.generation);
      });

      it('answers what is under way before it closes', async () => {
        await subject.publish(anIndexedDocument({ path: 'a.md', texts: ['kestrel'] }));
        const underWay = [find('kestrel'), find('kestrel'), find('kestrel')];
        await subject.index.close();
        expect(await Promise.all(underWay)).toEqual([['a.md'], ['a.md'], ['a.md']]);
      });
    });
  });
}
