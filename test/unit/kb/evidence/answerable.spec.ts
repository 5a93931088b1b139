import {
  answerableFrom,
  confidenceInQuotes,
  confidenceOf,
  confidenceOfParts,
} from '../../../../src/kb/evidence/answerable.js';
import { readTexts } from '../../../../src/kb/evidence/choose-evidence.js';
import { aCandidate, aRanking, withStructure } from '../../../support/builders.js';

interface Asked {
  /** The words without keywords; default: all terms. */
  readonly question?: string;
  /** The words with keywords; default: the question. */
  readonly text?: string;
  readonly terms: readonly string[];
  /** Number of sections with the term; default 1. */
  readonly found?: Readonly<Record<string, number>>;
  readonly sectionCount?: number;
  /** Score of the best section; the default is the highest that counts. */
  readonly lexical?: number;
  /** The text of each section, best section first. */
  readonly held: readonly (string | readonly string[])[];
}
// The weights of the shares are tuned, so the tests check only the direction of their effects.
function confidence({ terms, found, lexical = 60, held, sectionCount = 1000, ...said }: Asked): number {
  const { question = said.text ?? terms.join(' '), text = question } = said;
  const documentFrequency = found ?? Object.fromEntries(terms.map((term) => [term, 1]));
  const candidates = [aCandidate({ lexical })];
  const ranking = aRanking({ part: { question, text }, terms, documentFrequency, candidates, sectionCount });
  const texts = held.map((words, i) =>
    withStructure({
      id: `${i}`,
      text: typeof words === 'string' ? words : words.join(' '),
      headingPath: ['Guide'],
      share: 1 / (i + 1),
    }),
  );
  return confidenceOf(ranking, readTexts(ranking, texts).sections);
}

describe('confidenceOf', () => {
  it('is 0 without results', () => {
    expect(confidenceOf(aRanking({ candidates: [] }), [])).toBe(0);
  });

  it('is 1 if one section contains every term and has a high score', () => {
    expect(confidence({ terms: ['disk', 'ship'], held: [['disk', 'ship']] })).toBeCloseTo(1, 10);
  });

  it.each([1, 25, 99])('is from 0 to 1 for a score of %d', (lexical) => {
    const sure = confidence({ terms: ['disk'], held: [['disk']], lexical });
    expect(sure).toBeGreaterThan(0);
    expect(sure).toBeLessThanOrEqual(1);
  });

  it('is higher if rare terms are found than if common terms are found', () => {
    const asked = { terms: ['disk', 'ship'], found: { disk: 1, ship: 3 } };
    expect(confidence({ ...asked, held: [['disk']] })).toBeGreaterThan(
      confidence({ ...asked, held: [['ship']] }),
    );
  });

  it('is lowest if the missing term is in no section of the index', () => {
    const terms = ['disk', 'ship'];
    const nowhere = confidence({ terms, found: { disk: 3 }, held: [['disk']] });
    expect(nowhere).toBeLessThan(confidence({ terms, found: { disk: 3, ship: 1 }, held: [['disk']] }));
  });

  it('is higher if one passage contains all terms than if several do together', () => {
    const terms = ['disk', 'ship'];
    const together = confidence({ terms, held: [['disk'], ['ship']] });
    expect(confidence({ terms, held: [['disk', 'ship'], []] })).toBeGreaterThan(together);
  });

  it('uses only the six best sections', () => {
    const terms = ['disk', 'ship'];
    const sixth = confidence({ terms, held: [['disk'], [], [], [], [], ['disk', 'ship']] });
    const seventh = confidence({ terms, held: [['disk'], [], [], [], [], [], ['disk', 'ship']] });
    expect(sixth).toBeGreaterThan(seventh);
    expect(seventh).toBe(confidence({ terms, held: [['disk']] }));
  });

  it.each([
    ['an acronym', 'does a disk use ZFS', 'zf'],
    ['mixed case', 'does a disk use eBay', 'ebai'],
    ['a digit', 'does a disk use raid5', 'raid5'],
    ['a capital within a sentence', 'does a disk use Prisma', 'prisma'],
  ])('is lower if a named thing is missing than if another word is missing: %s', (_, text, name) => {
    const asked = { terms: ['disk', name], found: { disk: 1 }, held: [['disk']] };
    expect(confidence({ ...asked, text })).toBeLessThan(
      confidence({ ...asked, text: text.toLowerCase().replace(/\d/, '') }),
    );
  });

  it.each([
    ['the first word', 'Prisma on a disk'],
    ['the first word of a sentence', 'A disk. Prisma on it'],
  ])('does not treat %s as a name', (_, text) => {
    const asked = { terms: ['disk', 'prisma'], held: [['disk']] };
    expect(confidence({ ...asked, text })).toBe(confidence({ ...asked, text: 'prisma disk' }));
  });

  it('rises with the best score, up to a maximum', () => {
    const asked = { terms: ['disk', 'ship'], held: [['disk', 'ship']] };
    const [low, high, highest] = [0.5, 60, 99].map((lexical) => confidence({ ...asked, lexical }));
    expect(low).toBeLessThan(high ?? 0);
    expect(highest).toBe(high);
  });

  it('is unlikely if the sections contain no word of the question, whatever the score', () => {
    expect(answerableFrom(confidence({ text: 'use ZFS', terms: ['zf'], lexical: 99, held: [[]] }))).toBe(
      'unlikely',
    );
  });

  it('is higher if the documents contain a missing name elsewhere than if they do not', () => {
    const asked = { text: 'does a disk use ZFS', terms: ['disk', 'zf'], held: [['disk']] };
    expect(confidence({ ...asked, found: { disk: 1, zf: 1 } })).toBeGreaterThan(
      confidence({ ...asked, found: { disk: 1 } }),
    );
  });

  it('does not count a joined word that no document contains, because its parts count', () => {
    const parts = { terms: ['long', 'live'], found: { long: 1, live: 1 }, held: [['long', 'live']] };
    const joined = { ...parts, terms: [...parts.terms, 'longliv'] };
    expect(confidence({ ...joined, text: 'long-lived' })).toBe(confidence({ ...parts, text: 'long lived' }));
  });

  describe('of a question for a quantity', () => {
    const terms = ['copi', 'kept'];
    const question = 'How long are copies kept?';
    it.each([
      ['How long are copies kept?', 'Copies are kept for thirty days.', 'Copies are kept in a safe.'],
      ['How many copies are kept?', 'Seven copies are kept.', 'The copies are kept.'],
      ['In which version are copies kept?', 'Copies are kept since v2.', 'The copies are kept.'],
      ['What does it cost for copies to be kept?', 'Copies are kept for $3.', 'The copies are kept.'],
      ['How large are copies kept?', 'Copies of 20 MB are kept.', 'The copies are kept.'],
    ])('is lower without a sentence that states one: %s', (asked, stated, other) => {
      const of = (text: string): number => confidence({ question: asked, terms, held: [text] });
      expect(answerableFrom(of(stated))).toBe('likely');
      expect(of(other)).toBeLessThan(of(stated));
    });

    it('is not unlikely in a corpus of three sections', () => {
      const found = { copi: 1, kept: 1 };
      const asked = { question, terms: ['long', ...terms], found, sectionCount: 3, lexical: 0 };
      expect(answerableFrom(confidence({ ...asked, held: ['Copies are kept for thirty days.'] }))).not.toBe(
        'unlikely',
      );
    });
  });

  it.each([
    ['German', 'Wie lange werden die Sicherungen der GraphQL-Dienste im Archiv aufgehoben?', 'graphql'],
    ['Russian', 'Как настроить подписки GraphQL в приложении и сервере?', 'graphql'],
    ['Chinese', '如何配置 GraphQL 订阅', 'graphql'],
    ['French', 'Comment est-ce que je configure les Abonnements avec le Serveur GraphQL ?', 'graphql'],
  ])(
    'is not unlikely if the top sections contain what the documents know of a question in %s',
    (_, question, term) => {
      const unknown = question.toLowerCase().match(/[\p{L}]{4,}/gu) ?? [];
      const terms = [...new Set([...unknown, term])];
      expect(
        answerableFrom(
          confidence({ question, terms, found: { [term]: 5 }, held: ['A GraphQL server.'], lexical: 6 }),
        ),
      ).not.toBe('unlikely');
    },
  );

  it('counts an absent word of another language half, and only for sections in this language', () => {
    const question = 'Wie werden die Rechnungen nach Brasilien verschickt?';
    const asked = { question, terms: ['rechnungen', 'brasilien', 'verschickt'], found: { rechnungen: 5 } };
    const [german, english] = [
      confidence({ ...asked, held: ['Die Rechnungen werden auf Papier gedruckt.'] }),
      confidence({ ...asked, held: ['Rechnungen are printed.'] }),
    ];
    expect(german).toBeLessThan(english);
    expect(english).toBe(1);
    const translated = 'How are invoices sent to brazil?';
    const inEnglish = { question: translated, terms: ['invoic', 'brazil', 'sent'], found: { invoic: 5 } };
    expect(confidence({ ...inEnglish, held: ['The invoices are on paper.'] })).toBeLessThan(german);
  });

  it('is not made unlikely by keywords that no document contains', () => {
    const question = 'where do ships berth';
    const own = ['ship', 'berth'];
    const found = { ship: 1, berth: 1 };
    const held = ['Ships berth here.'];
    const guesses = Array.from({ length: 12 }, (_, i) => `Guess${i}Word`);
    const terms = [...own, ...guesses.map((guess) => guess.toLowerCase())];
    const alone = confidence({ question, terms: own, found, held });
    expect(answerableFrom(alone)).toBe('likely');
    const text = [question, ...guesses].join(' ');
    expect(answerableFrom(confidence({ question, text, terms, found, held }))).not.toBe('unlikely');
  });
});

describe('confidenceOfParts', () => {
  it('is that of the worst part', () => {
    expect(confidenceOfParts([0.8, 0.6])).toBe(0.6);
    expect(confidenceOfParts([0.4, 0.3])).toBe(0.3);
  });

  it.each([0.9, 0.6])('is unsure if one part is unlikely and the other has %d', (other) => {
    expect(answerableFrom(confidenceOfParts([other, 0.1]))).toBe('unsure');
  });
});

describe('answerableFrom', () => {
  it.each([
    [1, 'likely'],
    [0.5, 'unsure'],
    [0.49, 'unlikely'],
    [0, 'unlikely'],
    [0.69, 'unsure'],
    [0.7, 'likely'],
  ])('calls %d %s', (confidence, answerable) => {
    expect(answerableFrom(confidence)).toBe(answerable);
  });
});

describe('confidenceInQuotes', () => {
  it('is that of the sections if the quotes hold most of the chance of an answer', () => {
    expect(confidenceInQuotes(0.9, 0.8)).toBe(0.9);
  });

  it('is at most unsure if the chance is spread over more than is quoted', () => {
    expect(answerableFrom(confidenceInQuotes(0.9, 0.2))).toBe('unsure');
    expect(confidenceInQuotes(0.4, 0.2)).toBe(0.4);
  });
});
