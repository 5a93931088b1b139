import type { SearchAnswer } from '../../src/core/ports/section-index.port.js';
import { anIndexedDocument, aQuery, type QueryParts } from '../support/indexed-documents.js';
import type { SectionIndexSubject } from './section-index.contract.js';

/** A document with one section. */
const aPage = (path: string, text: string, docTag = 'seen') =>
  anIndexedDocument({ path, docTag, texts: [text] });

/** Sections without the tested words, so that those words are rare. */
const FILLERS = ['osprey', 'eagle', 'falcon', 'buzzard', 'kite', 'harrier'].map((bird, i) =>
  aPage(`filler-${i}.md`, `There is a ${bird} over there.`),
);

/** A text of 40 words with a version number. */
const notesOn = (version: string): string =>
  `Version ${version} of the kestrel ${Array.from({ length: 36 }, (_, i) => `word${i}`).join(' ')}`;

const SEEN = { scope: { docTags: ['seen'] } };

const idsOf = ({ candidates }: SearchAnswer): string[] => candidates.map(({ section }) => section.id);

/** How every `SectionIndex` handles identifiers, quotes, versions, typos, acronyms and variants. */
export function askedWordsContract(name: string, make: () => Promise<SectionIndexSubject>): void {
  describe(`${name} interprets the question`, () => {
    let subject: SectionIndexSubject;
    const search = (text: string, parts?: QueryParts): Promise<SearchAnswer> =>
      subject.index.search(aQuery(text, parts));
    const find = async (text: string, parts?: QueryParts): Promise<string[]> =>
      idsOf(await search(text, parts));

    beforeEach(async () => {
      subject = await make();
    });

    afterEach(() => subject.dispose());

    describe('a look-up', () => {
      const aSection = (path: string, headingPath: string[], text: string, kind?: string) =>
        anIndexedDocument({
          ...{ path, headingPath, title: headingPath[0] ?? '', texts: [text], docTag: 'seen' },
          metadata: kind === undefined ? {} : { page_kind: kind },
        });
      const mentions = aSection(
        'a-mentions.md',
        ['Guide'],
        'Use `--frost` and `--frost` or `--frost`, as `--frost` says.',
      );
      const term = aSection(
        'm-term.md',
        ['Freezer', 'Options'],
        `Some of them.\n\n- \`--frost\`: keeps the berries cold.\n- \`--thaw\`: warms them. ${'More words. '.repeat(40)}`,
      );
      const heading = aSection(
        'z-heading.md',
        ['Icebox', '--frost'],
        `Keeps it cold. ${'More. '.repeat(40)}`,
      );

      it.each(['--frost', 'what does --frost do', 'What is `--frost`?', '--frost option'])(
        'finds what defines the name before what mentions it: %s',
        async (question) => {
          await subject.publish(mentions, term, heading, ...FILLERS);
          expect(await find(question)).toEqual(['z-heading.md', 'm-term.md', 'a-mentions.md']);
        },
      );

      it('prefers the definition below the other name', async () => {
        await subject.publish(mentions, term, heading, ...FILLERS);
        expect((await find('what does --frost do in freezer'))[0]).toBe('m-term.md');
      });

      it('is not a question that asks for more than a definition', async () => {
        await subject.publish(mentions, term, ...FILLERS);
        expect((await find('Which kestrel may use --frost?'))[0]).toBe('a-mentions.md');
      });

      const guide = aSection(
        'a-guide.md',
        ['Guide'],
        'What changed? See 3.2, 3.2.1 or 3.2 for what changed.',
      );
      const older = aSection('b-older.md', ['News', 'Version 3.2.1'], 'The 3.2 series changed.', 'changes');
      const notes = aSection(
        'z-notes.md',
        ['Changes', 'v3.2 (2031-05-01)'],
        'Kestrels are new. '.repeat(20),
        'changes',
      );

      it.each(['what changed in 3.2', "What's new in v3.2?", 'release notes 3.2'])(
        'finds the notes of a version: %s',
        async (question) => {
          await subject.publish(guide, older, notes, ...FILLERS);
          expect((await find(question))[0]).toBe('z-notes.md');
        },
      );
    });

    describe('an identifier', () => {
      const whole = aPage('whole.md', 'Catch the RateLimitError there.');
      const inParts = aPage('in-parts.md', 'An error: the rate is over the limit.');

      it('finds the section that contains it whole before those that contain its parts', async () => {
        await subject.publish(inParts, whole, ...FILLERS);
        expect(await find('RateLimitError')).toEqual(['whole.md', 'in-parts.md']);
      });

      it('finds that section first even if others contain its parts often', async () => {
        const often = aPage('a-often.md', 'rate limit error rate limit error rate limit error');
        await subject.publish(often, whole, ...FILLERS);
        expect(await find('RateLimitError', { limit: 1 })).toEqual(['whole.md']);
      });

      it('is searched by its parts if no section contains it whole', async () => {
        await subject.publish(inParts, ...FILLERS);
        const answer = await search('RateLimitError');
        expect(idsOf(answer)).toEqual(['in-parts.md']);
        expect(answer.terms).toEqual(['rate', 'limit', 'error', 'ratelimiterror']);
      });

      it('is searched only as a whole if enough sections contain it', async () => {
        await subject.publish(inParts, whole, ...FILLERS);
        const answer = await search('RateLimitError', { limit: 1 });
        expect(answer.terms).toEqual(['ratelimiterror']);
        expect(answer.matched).toBe(1);
      });

      it('counts as one word', async () => {
        const other = aPage('other.md', 'Here the heron is.');
        const graph = aPage('graph.md', 'Here the GraphQL is.');
        const more = aPage('more.md', 'And there the GraphQL was.');
        await subject.publish(graph, other, more, ...FILLERS);
        expect((await find('GraphQL heron', { limit: 3 }))[0]).toBe('other.md');
      });

      it('is found by its parts inside the scope if only sections outside contain it whole', async () => {
        const hidden = aPage('hidden.md', 'Catch the RateLimitError there.', 'hidden');
        await subject.publish(inParts, hidden, ...FILLERS);
        expect(await find('RateLimitError', SEEN)).toEqual(['in-parts.md']);
        expect(await find('RateLimitError', { ...SEEN, limit: 1 })).toEqual(['in-parts.md']);
      });

      it('is found by its parts even if other words of the question already find enough sections', async () => {
        const hidden = aPage('hidden.md', 'Catch the RateLimitError there.', 'hidden');
        const others = ['sits', 'hunts', 'flies'].map((verb) => aPage(`${verb}.md`, `The kestrel ${verb}.`));
        await subject.publish(inParts, hidden, ...others, ...FILLERS);
        expect((await find('RateLimitError of a kestrel', { ...SEEN, limit: 2 }))[0]).toBe('in-parts.md');
      });

      it('is found whole in lower case', async () => {
        await subject.publish(inParts, whole, ...FILLERS);
        expect((await find('ratelimiterror'))[0]).toBe('whole.md');
      });
    });

    describe('quoted text', () => {
      const inOrder = aPage('z-in-order.md', 'Here is the request limit of today.');
      const apart = aPage('a-apart.md', 'Here is the limit that a request has today.');

      it.each([
        ['quotation marks', '"request limit"'],
        ['curly ones', '“request limit”'],
        ['backticks', '`request limit`'],
        ['other words around', 'what is the "request limit" of today'],
      ])('ranks sections higher that contain it verbatim: %s', async (_, text) => {
        await subject.publish(inOrder, apart, ...FILLERS);
        expect((await find(text))[0]).toBe('z-in-order.md');
      });

      it('still finds sections that contain the words separately', async () => {
        await subject.publish(inOrder, apart, ...FILLERS);
        expect(await find('"request limit"')).toEqual(['z-in-order.md', 'a-apart.md']);
        expect(await find('"limit request today"')).toHaveLength(2);
      });

      it('may contain stop words', async () => {
        await subject.publish(
          aPage('a-apart.md', 'The end of time is near and it is not to be missed.'),
          aPage('z-in-order.md', 'The time to be at the end is near and it is missed.'),
          ...FILLERS,
        );
        expect((await find('"time to be at the end"'))[0]).toBe('z-in-order.md');
      });

      it('may contain identifiers', async () => {
        await subject.publish(
          aPage('a-apart.md', 'Set it again: rate_limit, then use.'),
          aPage('z-in-order.md', 'Again: then use rate_limit and set.'),
          ...FILLERS,
        );
        expect((await find('`use rate_limit`'))[0]).toBe('z-in-order.md');
      });

      it('may be part of a text without spaces', async () => {
        await subject.publish(
          aPage('a-apart.md', '定設 と 設定 と イル と ファ と ァイ と 定フ です'),
          aPage('z-in-order.md', '新しい設定ファイルを保存する です。'),
          ...FILLERS,
        );
        const plain = await search('設定ファイル');
        const quoted = await search('"設定ファイル"');
        const scoreOf = ({ candidates }: SearchAnswer, id: string) =>
          candidates.find(({ section }) => section.id === id)?.lexical ?? 0;
        expect(scoreOf(quoted, 'z-in-order.md')).toBeGreaterThan(scoreOf(plain, 'z-in-order.md'));
      });

      it('is matched literally, with any characters', async () => {
        await subject.publish(inOrder, ...FILLERS);
        const phrases = [
          ['requ"est', 'limit'],
          ['request', '*'],
          ['NEAR', '('],
          ['', ''],
          ['\0', 'a'],
        ];
        expect(await find('request', { asked: { phrases } })).toEqual(['z-in-order.md']);
      });

      it('stays within the scope', async () => {
        await subject.publish(aPage('hidden.md', 'The request limit.', 'hidden'), apart, ...FILLERS);
        expect(await find('"request limit"', SEEN)).toEqual(['a-apart.md']);
      });
    });

    describe('a version', () => {
      it.each([
        ['4.4.5', '4.4.5', '4.4.6'],
        ['4.4.5', '4.4.5', '4.5.4'],
        ['4.4.5', 'v4.4.5', 'v4.4.6'],
        ['v2.0.0-rc1', 'v2.0.0-rc1', 'v2.0.0-rc2'],
        ['10.0', '10.0', '1.10'],
      ])('%s finds %s before %s', async (asked, written, other) => {
        await subject.publish(
          aPage('a-other.md', `It was mended in ${other}.`),
          aPage('z-hit.md', `It was mended in ${written}.`),
          ...FILLERS,
        );
        expect((await find(`What was mended in ${asked}?`))[0]).toBe('z-hit.md');
      });

      it('does not match a similar version', async () => {
        await subject.publish(aPage('other.md', 'It was mended in release12345.'), ...FILLERS);
        expect((await search('release12346')).rewrites).toEqual([]);
      });
    });

    describe('an error message', () => {
      it.each([
        ['Error: connect ECONNREFUSED 127.0.0.1:5432', 'Error on connect: a port 5432 is refused by 127'],
        [
          "TypeError: Cannot read properties of undefined (reading 'map')",
          'Read the properties of a map type',
        ],
        ['ERR_TLS_CERT_ALTNAME_INVALID', 'An invalid err of a tls cert with an altname: cert, tls'],
        ['fatal: not a git repository (or any of the parent directories): .git', 'A repository has a parent'],
      ])('finds its section: %s', async (message, words) => {
        await subject.publish(
          aPage('a-words.md', `${words} and then there is some more of it.`),
          aPage('z-hit.md', `You may see this: ${message}. Then start again.`),
          ...FILLERS,
        );
        expect((await find(`I get ${message}, what now?`))[0]).toBe('z-hit.md');
      });
    });

    describe('a word of another language', () => {
      it('finds another form of it if no section contains the word as written', async () => {
        await subject.publish(aPage('konto.md', 'Rechnungen kommen mit der Post.'), ...FILLERS);
        const answer = await search('Wo ist die Rechnung?');
        expect(idsOf(answer)).toEqual(['konto.md']);
        expect(answer.rewrites).toEqual([{ from: 'rechnung', to: 'rechnungen', why: 'inflected' }]);
        expect(idsOf(await search('the rechnung'))).toEqual([]);
      });
    });

    describe('a typo', () => {
      const kestrels = ['sits', 'hunts'].map((verb) => aPage(`${verb}.md`, `The kestrel ${verb}.`));

      it.each([['kestral'], ['kesstrel'], ['kesterl']])(
        'finds the sections with kestrel for %s',
        async (asked) => {
          await subject.publish(...kestrels, ...FILLERS);
          const answer = await search(asked);
          expect(idsOf(answer).sort()).toEqual(['hunts.md', 'sits.md']);
          expect(answer.rewrites).toEqual([{ from: asked, to: 'kestrel', why: 'misspelt' }]);
          expect(answer.documentFrequency).toEqual({ kestrel: 2 });
          expect(answer.terms).toEqual(['kestrel']);
        },
      );

      it('scores like the correct spelling', async () => {
        await subject.publish(...kestrels, ...FILLERS);
        expect((await search('kestral')).candidates).toEqual((await search('kestrel')).candidates);
      });

      it('is not corrected if any section contains the word', async () => {
        await subject.publish(...kestrels, aPage('name.md', 'Mr Kestral came by.'), ...FILLERS);
        const answer = await search('kestral');
        expect(idsOf(answer)).toEqual(['name.md']);
        expect(answer.rewrites).toEqual([]);
      });

      it.each([
        ['in quotation marks', '"kestral"'],
        ['in backticks', '`kestral`'],
        ['within an identifier', 'kestral_kind'],
        ['within a path', '/etc/kestral'],
        ['within a flag', '--kestral'],
        ['in capitals within', 'kestraL'],
      ])('is not corrected %s', async (_, text) => {
        await subject.publish(...kestrels, ...FILLERS);
        expect((await search(text)).rewrites).toEqual([]);
      });

      it('is not corrected if rewriting is off', async () => {
        await subject.publish(...kestrels, ...FILLERS);
        expect(await search('kestral', { rewrite: false })).toMatchObject({ candidates: [], rewrites: [] });
      });

      it('is never corrected to a word that only sections outside the scope contain', async () => {
        await subject.publish(aPage('hidden.md', 'The kestrel.', 'hidden'), ...FILLERS);
        expect((await search('kestral', SEEN)).rewrites).toEqual([]);
      });

      it('is corrected even if sections outside the scope contain it', async () => {
        await subject.publish(...kestrels, aPage('hidden.md', 'Mr Kestral.', 'hidden'), ...FILLERS);
        expect((await find('kestral', SEEN)).sort()).toEqual(['hunts.md', 'sits.md']);
      });
    });

    describe('a question of which no section contains a word', () => {
      const papers = [aPage('bird.md', 'A Sandpiper wades.'), aPage('tool.md', 'Use sandpaper.')];
      const hidden = aPage('hidden.md', 'The SANDPIPER in the sandpit. The SANDPAPER.', 'hidden');

      it('is answered with the nearest words, as the sections write them', async () => {
        await subject.publish(...papers, ...FILLERS);
        expect(await search('sandp')).toMatchObject({ candidates: [], nearest: ['sandpaper', 'Sandpiper'] });
      });

      it('is answered with at most three words', async () => {
        const named = ['cranberry', 'cranefly', 'cranking', 'crannogs', 'cranial'].map((word) =>
          aPage(`${word}.md`, `Here ${word} stands.`),
        );
        await subject.publish(...named, ...FILLERS);
        expect((await search('cran')).nearest).toHaveLength(3);
      });

      it('is answered with one word for each of several', async () => {
        await subject.publish(...papers, ...FILLERS);
        expect((await search('sandp buzzing')).nearest).toEqual(['sandpaper', 'buzzard']);
      });

      it('is never answered with words of sections outside the scope, nor as those write them', async () => {
        await subject.publish(hidden, ...papers, ...FILLERS);
        expect((await search('sandp')).nearest).toHaveLength(3);
        expect((await search('sandp', SEEN)).nearest).toEqual(['sandpaper', 'Sandpiper']);
      });

      it('is never answered with words of sections outside the filter', async () => {
        await subject.publish(hidden, ...papers, ...FILLERS);
        const filter = { docTags: ['seen'], pathPrefix: null, updatedAfter: null };
        expect((await search('sandp', { filter })).nearest).toEqual(['sandpaper', 'Sandpiper']);
      });

      it('is not needed to offer the word of which one word may be a slip', async () => {
        await subject.publish(aPage('loop.md', 'Recurring tasks.'), ...papers, ...FILLERS);
        const { candidates, nearest } = await search('osprey reccuring');
        expect([candidates.length > 0, nearest]).toEqual([true, ['Recurring']]);
        expect((await search('osprey recurrences')).nearest ?? []).toEqual([]);
      });

      it.each([['osprey sandp'], ['sandpaper'], ['zzyzx']])('has no nearest words for %s', async (text) => {
        await subject.publish(...papers, ...FILLERS);
        expect((await search(text)).nearest ?? []).toEqual([]);
      });
    });

    describe('an acronym', () => {
      const told = aPage('a-told.md', 'We rank by latent semantic analysis (LSA) here.');
      const spelled = aPage('z-spelled.md', 'What latent semantic analysis finds is told below.');
      const READING = { from: 'LSA', to: 'latent semantic analysis', why: 'acronym' };

      it('finds sections that spell it out, after those that contain it', async () => {
        await subject.publish(told, spelled, ...FILLERS);
        const answer = await search('What does LSA find?');
        expect(idsOf(answer)).toEqual(['a-told.md', 'z-spelled.md']);
        expect(answer.rewrites).toEqual([READING]);
      });

      it('is also recognised if the long form follows in brackets', async () => {
        const other = aPage('a-told.md', 'LSA (latent semantic analysis) ranks here.');
        await subject.publish(other, spelled, ...FILLERS);
        expect(await find('LSA')).toEqual(['a-told.md', 'z-spelled.md']);
      });

      it('finds the long form as a phrase, not its separate words', async () => {
        const apart = aPage('apart.md', 'A semantic error, an analysis, a latent fault.');
        await subject.publish(told, apart, ...FILLERS);
        expect(await find('LSA')).toEqual(['a-told.md']);
      });

      it('has the meaning that most sections give it; ties are broken by alphabet', async () => {
        const other = (path: string) => aPage(path, `About ${path} and local storage areas (LSA) it is.`);
        const third = aPage('third.md', 'The lunar start algorithm (LSA).');
        await subject.publish(told, third, ...FILLERS);
        expect((await search('LSA')).rewrites).toEqual([READING]);
        await subject.publish(told, third, other('b.md'), other('c.md'), ...FILLERS);
        expect((await search('LSA')).rewrites).toMatchObject([{ to: 'local storage areas' }]);
      });

      it.each([
        ['in lower case', 'lsa', {}],
        ['within an identifier', 'LSA_RANK', {}],
        ['when rewriting is off', 'LSA', { rewrite: false }],
      ])('is an ordinary word %s', async (_, text, parts) => {
        await subject.publish(told, spelled, ...FILLERS);
        expect((await search(text, parts)).rewrites).toEqual([]);
      });

      it('is recognised as a keyword, too', async () => {
        await subject.publish(told, spelled, ...FILLERS);
        expect((await search('How are pages found?', { keywords: ['LSA'] })).rewrites).toEqual([READING]);
      });

      it('changes nothing if only sections outside the scope define it', async () => {
        const hidden = aPage('hidden.md', 'We rank by latent semantic analysis (LSA).', 'hidden');
        const named = aPage('named.md', 'The LSA is not for us.');
        await subject.publish(hidden, named, spelled, ...FILLERS);
        const answer = await search('LSA', SEEN);
        expect(answer.rewrites).toEqual([]);
        expect(idsOf(answer)).toEqual(['named.md']);
        expect(answer.terms).toEqual(['lsa']);
      });

      it('has the meaning inside the scope, whatever most sections outside say', async () => {
        const hidden = ['b.md', 'c.md'].map((path) =>
          aPage(path, `About ${path} and local storage areas (LSA).`, 'hidden'),
        );
        await subject.publish(told, ...hidden, ...FILLERS);
        expect((await search('LSA', SEEN)).rewrites).toEqual([READING]);
      });

      it('is forgotten with the section that defined it', async () => {
        await subject.publish(told, spelled, ...FILLERS);
        await subject.publish(aPage('a-told.md', 'We rank by LSA.'), spelled, ...FILLERS);
        expect((await search('LSA')).rewrites).toEqual([]);
        await subject.publish(told, spelled, ...FILLERS);
        expect((await search('LSA')).rewrites).toEqual([READING]);
        await subject.publish(spelled, ...FILLERS);
        expect((await search('LSA')).rewrites).toEqual([]);
      });

      it('matches special characters literally', async () => {
        await subject.publish(told, ...FILLERS);
        const acronyms = ["' OR 1 --", 'L%', '"', ''];
        expect(await search('LSA', { asked: { acronyms } })).toMatchObject({ rewrites: [] });
      });
    });

    describe('variants of one section', () => {
      const old = aPage('v4.4.5/notes.md', notesOn('4.4.5'));
      const recent = aPage('v4.4.6/notes.md', notesOn('4.4.6'));

      it('are listed once, with the number of the others', async () => {
        await subject.publish(recent, old, ...FILLERS);
        const answer = await search('kestrel');
        expect(idsOf(answer)).toEqual(['v4.4.6/notes.md']);
        expect(answer.dropped).toEqual({ sameDocument: 0, nearDuplicate: 1 });
        expect(answer.matched).toBe(2);
      });

      it('are represented by the requested version', async () => {
        await subject.publish(recent, old, ...FILLERS);
        expect((await find('kestrel in 4.4.6'))[0]).toBe('v4.4.6/notes.md');
        expect((await find('kestrel in 4.4.5'))[0]).toBe('v4.4.5/notes.md');
      });

      it('need the same title', async () => {
        const titled = anIndexedDocument({ path: 'b.md', title: 'Other', texts: [notesOn('4.4.6')] });
        await subject.publish(old, titled, ...FILLERS);
        expect(await find('kestrel')).toHaveLength(2);
      });

      it('need the same words', async () => {
        const other = aPage('b.md', `${notesOn('4.4.6')} and eight more words that it has not`);
        await subject.publish(old, other, ...FILLERS);
        expect(await find('kestrel')).toHaveLength(2);
      });

      it('need more than a few words', async () => {
        const short = ['4.4.5', '4.4.6'].map((version) => aPage(version, `Kestrel: version ${version}.`));
        await subject.publish(...short, ...FILLERS);
        expect(await find('kestrel')).toHaveLength(2);
      });

      it('leave space for other sections', async () => {
        const oldest = aPage('v4.4.4/notes.md', notesOn('4.4.4'));
        const other = aPage(
          'z.md',
          'Something else besides is said of a kestrel in this place, and at length.',
        );
        await subject.publish(old, oldest, recent, other, ...FILLERS);
        const ids = await find('kestrel version word1', { limit: 2 });
        expect(ids).toEqual(['v4.4.6/notes.md', 'z.md']);
      });

      it('leave space for other sections, for any number of variants', async () => {
        const copies = Array.from({ length: 80 }, (_, i) =>
          aPage(`v${i}/notes.md`, `kestrel kestrel kestrel ${notesOn('1')}`),
        );
        const other = aPage(
          'z.md',
          `Something else is said of a kestrel in this place. ${'more '.repeat(60)}`,
        );
        await subject.publish(...copies, other, ...FILLERS);
        expect(await find('kestrel', { limit: 2 })).toEqual(['v79/notes.md', 'z.md']);
      });

      it('outside the scope do not hide any inside', async () => {
        const hidden = aPage('a/notes.md', notesOn('4.4.5'), 'hidden');
        await subject.publish(hidden, recent, ...FILLERS);
        const answer = await search('kestrel', SEEN);
        expect(idsOf(answer)).toEqual(['v4.4.6/notes.md']);
        expect(answer.dropped.nearDuplicate).toBe(0);
      });
    });
  });
}
