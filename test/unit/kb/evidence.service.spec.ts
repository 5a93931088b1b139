import { EvidenceConfig } from '../../../src/config/evidence.config.js';
import { EvidenceService } from '../../../src/kb/evidence.service.js';
import type { RetrieveInput } from '../../../src/kb/evidence.service.js';
import type { Question } from '../../../src/kb/plan-query.js';
import type { PassagesService } from '../../../src/scratch/passages.service.js';
import { aCall, aCandidate, NO_FILTER } from '../../support/builders.js';
import { anIndex } from '../../support/an-index.js';
import { somePassages } from '../../support/some-passages.js';
import type { TestIndex } from '../../support/an-index.js';

const FILES = {
  'guides/disk.md': [
    '# Disks\n\nHarbour keeps files. A full disk stops it.',
    '## Mount\n\nMount the disk.',
    '## Empty\n\nEmpty the disk.',
    '## Buy\n\nBuy a disk.',
  ].join('\n\n'),
  'guides/ship.md':
    '---\nurl: https://example.org/ship\n---\n# Ships\n\nA ship lies at a berth. A ship has no disk.\n',
  'reference/port.md': '# Ports\n\nThe port is 8443.\n',
};
const SCOPE = { projectId: 'docs', environment: 'prod' };

let docs: TestIndex;
beforeAll(async () => {
  docs = await anIndex(FILES);
});
afterAll(() => docs.remove());

const QUOTES = { maxQuotes: 6, maxQuoteTokens: 80, contextTokens: 0 };
interface Asked extends Partial<Omit<RetrieveInput, 'question'>> {
  readonly question?: Partial<Question>;
}
const anInput = ({ question, ...overrides }: Asked = {}): RetrieveInput => ({
  ...QUOTES,
  question: { text: 'disk', keywords: [], parts: [], rewrite: true, ...question },
  filter: NO_FILTER,
  maxPerDoc: null,
  includeDebug: false,
  mode: 'auto',
  ...overrides,
});
const service = (passages = somePassages(), pool = '8x3') =>
  new EvidenceService(docs.index, passages, Object.assign(new EvidenceConfig(), { pool }));
const retrieve = async (asked: Asked = {}, call = aCall({ scope: SCOPE })) =>
  (await service().retrieve(call, anInput(asked))).output;
const quotesFor = async (asked: Asked = {}, call = aCall({ scope: SCOPE })) =>
  (await retrieve(asked, call)).quotes.map(({ quote }) => quote);

async function keep(passages: PassagesService, text: string, id = 'a.md') {
  const seen = { generation: 'index:1', window: { start: 0, end: 1 } };
  return passages.keep(aCall(), aCandidate({ section: { id, text } }), seen);
}
const extract = async (passages: PassagesService, question: string, passageIds: string[], call = aCall()) =>
  (await service(passages).extract(call, { ...QUOTES, question, passageIds })).output;

describe('retrieve', () => {
  it('returns quotes with their citations, and every source once', async () => {
    const found = await retrieve({ question: { text: 'ship berth' } });
    const [quote] = found.quotes;
    expect(found.quotes).toMatchObject([
      { quote: 'A ship lies at a berth.' },
      { quote: 'A ship has no disk.' },
    ]);
    expect(quote).toEqual({
      quote: 'A ship lies at a berth.',
      passage_id: expect.stringMatching(/^[\w-]{22,}$/),
      section_id: 'guides/ship.md',
      title: 'Ships',
      uri: `wekadocs://scratch/session/${quote?.passage_id}`,
      confidence: 1,
      start_char: 0,
      end_char: 23,
    });
    expect(found.sources).toEqual([
      {
        section_id: 'guides/ship.md',
        title: 'Ships',
        doc_tag: 'guides',
        uri: quote?.uri,
        url: 'https://example.org/ship',
      },
    ]);
  });

  it('says that an answer is likely, without a hint, where all was found', async () => {
    const found = await retrieve({
      question: { text: 'disk', keywords: ['ship', 'berth', 'mount', 'full'] },
    });
    expect(found).toMatchObject({ partial: false, limit_reason: 'none' });
    expect(found.hint === undefined).toBe(found.answerable === 'likely');
  });

  it('says that an answer is unlikely, with a hint, where nothing was found', async () => {
    expect(await retrieve({ question: { text: 'zzz yyy' } })).toEqual({
      answerable: 'unlikely',
      quotes: [],
      sources: [],
      partial: false,
      limit_reason: 'none',
      hint: expect.any(String),
    });
  });

  it('quotes verbatim: each quote is the slice that its offsets name', async () => {
    const passages = somePassages();
    const call = aCall({ scope: SCOPE });
    const { quotes } = (await service(passages).retrieve(call, anInput())).output;
    const texts = await Promise.all(quotes.map(({ passage_id }) => passages.read(call, passage_id)));
    const slices = quotes.map(({ start_char, end_char }, i) =>
      texts[i]?.passage.text.slice(start_char, end_char),
    );
    expect(quotes.map(({ quote }) => quote)).toEqual(slices);
    expect(quotes).toHaveLength(4);
  });

  it('draws on three sections of a document', async () => {
    const sections = (await retrieve({ maxQuotes: 12 })).sources.map(({ section_id }) => section_id);
    expect(sections.filter((id) => id.startsWith('guides/disk.md'))).toHaveLength(3);
  });

  it('draws on as many as the call says', async () => {
    expect((await retrieve({ maxPerDoc: 1 })).sources).toHaveLength(2);
  });

  it('draws on the configured pool: 5x1 is the literal pipeline of the plan', async () => {
    const reply = await service(somePassages(), '5x1').retrieve(aCall({ scope: SCOPE }), anInput());
    expect(reply.output.sources).toHaveLength(2);
  });

  it('gives every part of a question its share of the quotes', async () => {
    const parts = ['What stops on a full disk?', 'Where does a ship lie?'];
    expect(await quotesFor({ question: { text: 'Both?', parts }, maxQuotes: 2 })).toEqual([
      'A full disk stops it.',
      'A ship lies at a berth.',
    ]);
  });

  it.each([
    [['ship berth'], 'likely'],
    [['ship berth', 'zzz yyy'], 'unlikely'],
    [['zzz yyy', 'ship berth'], 'unlikely'],
  ])('is as sure of the parts %j as of the one that it knows least of: %s', async (parts, answerable) => {
    expect(await retrieve({ question: { text: 'Both?', parts } })).toMatchObject({ answerable });
  });

  it('finds what only a keyword names', async () => {
    expect(await quotesFor({ question: { text: 'vessel', keywords: ['berth'] } })).toEqual([
      'A ship lies at a berth.',
    ]);
  });

  it('sees nothing outside scope and filters', async () => {
    expect(await quotesFor({}, aCall({ scope: { ...SCOPE, docTags: ['reference'] } }))).toEqual([]);
    expect(await quotesFor({ filter: { ...NO_FILTER, pathPrefix: 'guides/ship' } })).toEqual([
      'A ship has no disk.',
    ]);
  });

  it('says what it could not do, and how it came about when asked', async () => {
    const found = await retrieve({ mode: 'hybrid_local', includeDebug: true });
    expect(found).toMatchObject({ degraded: ['graph'], debug: { parts: [{ terms: ['disk'] }] } });
  });

  it('keeps the sections that it quotes, with the quote as the window to expand', async () => {
    const passages = somePassages();
    const call = aCall({ scope: SCOPE });
    const { output } = await service(passages).retrieve(call, anInput({ question: { text: 'berth' } }));
    const { passage } = await passages.read(call, output.quotes[0]?.passage_id ?? '');
    expect(passage).toMatchObject({ sectionId: 'guides/ship.md', window: { start: 0, end: 23 } });
  });

  it('keeps nothing that it does not quote', async () => {
    const passages = somePassages();
    const call = aCall({ scope: SCOPE });
    await service(passages).retrieve(call, anInput({ maxQuotes: 1 }));
    expect(await passages.list(call, 50)).toHaveLength(1);
  });

  it('drops the weakest quote and its source first when it is over budget', async () => {
    const reply = await service().retrieve(
      aCall({ scope: SCOPE }),
      anInput({ question: { text: 'ship 8443' } }),
    );
    const whole = reply.output;
    const smaller = reply.build({ ...reply, count: reply.count - 1, reason: 'token_cap' });
    expect(smaller).toMatchObject({ partial: true, limit_reason: 'token_cap' });
    expect(smaller.quotes).toEqual(whole.quotes.slice(0, -1));
  });

  it('clips the last quote to a shorter verbatim slice', async () => {
    const passages = somePassages();
    const text = `${'The disk is full and nobody may write. '.repeat(3).trim().replaceAll('. ', ', ')} Stop.`;
    const { id } = await keep(passages, text);
    const reply = await service(passages).extract(aCall(), {
      ...QUOTES,
      maxQuotes: 1,
      question: 'disk full',
      passageIds: [id],
    });
    const [quote] = reply.build({
      count: 1,
      maxChars: Math.floor(reply.maxChars / 2),
      reason: 'byte_cap',
    }).quotes;
    expect(quote?.quote.length).toBeLessThan(reply.output.quotes[0]?.quote.length ?? 0);
    expect(text.slice(quote?.start_char, quote?.end_char)).toBe(quote?.quote);
  });
});

describe('extract', () => {
  it('quotes from the given passages alone', async () => {
    const passages = somePassages();
    const { id } = await keep(passages, 'A disk. A ship.');
    expect(await extract(passages, 'ship', [id])).toEqual({
      quotes: [
        expect.objectContaining({
          quote: 'A ship.',
          passage_id: id,
          section_id: 'a.md',
          start_char: 8,
          end_char: 15,
        }),
      ],
      sources: [expect.objectContaining({ section_id: 'a.md' })],
      partial: false,
      limit_reason: 'none',
    });
  });

  it('takes the best spans across all passages', async () => {
    const passages = somePassages();
    const first = await keep(passages, 'A disk.', 'a.md');
    const second = await keep(passages, 'The full disk.', 'b.md');
    const { quotes } = await extract(passages, 'full disk', [first.id, second.id]);
    expect(quotes).toMatchObject([
      { quote: 'The full disk.', confidence: 1 },
      { quote: 'A disk.', confidence: 0.5 },
    ]);
  });

  it('reads a passage once that is given twice', async () => {
    const passages = somePassages();
    const { id } = await keep(passages, 'A disk.');
    expect((await extract(passages, 'disk', [id, id])).quotes).toHaveLength(1);
  });

  it('has no quotes for a question of other words', async () => {
    const passages = somePassages();
    const { id } = await keep(passages, 'A disk.');
    expect(await extract(passages, 'ship', [id])).toMatchObject({ quotes: [], sources: [] });
  });

  it('refuses a passage of another session as an unknown one', async () => {
    const passages = somePassages();
    const { id } = await keep(passages, 'A disk.');
    const refused = { code: 'INVALID_ARGUMENT', reason: 'passage_not_found' };
    await expect(extract(passages, 'disk', [id], aCall({ sessionId: 'other' }))).rejects.toMatchObject(
      refused,
    );
    await expect(extract(passages, 'disk', [id, 'unknown'])).rejects.toMatchObject(refused);
  });

  it('makes the quote the window to expand', async () => {
    const passages = somePassages();
    const { id } = await keep(passages, 'A disk. A ship.');
    await extract(passages, 'ship', [id]);
    expect((await passages.read(aCall(), id)).passage.window).toEqual({ start: 8, end: 15 });
  });
});
