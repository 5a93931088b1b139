import { EvidenceConfig } from '../../../../src/config/settings/evidence.config.js';
import type { Reranker } from '../../../../src/core/ports/reranker.port.js';
import type { RetrieveInput } from '../../../../src/kb/evidence.schemas.js';
import { EvidenceService } from '../../../../src/kb/evidence/evidence.service.js';
import type { Question } from '../../../../src/kb/search/plan-query.js';
import { extractEvidenceTool } from '../../../../src/kb/tools/extract-evidence.tool.js';
import { retrieveEvidenceTool } from '../../../../src/kb/tools/retrieve-evidence.tool.js';
import type { PassagesService } from '../../../../src/scratch/passages.service.js';
import { anIndex, type TestIndex } from '../../../support/an-index.js';
import { aCall, aCandidate } from '../../../support/builders.js';
import { keepPassage, somePassages } from '../../../support/some-passages.js';
import { WordReranker } from '../../../support/word-model.js';

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

/** Quotes without context. */
interface Quoting {
  readonly maxQuotes?: number;
  readonly contextTokens?: number;
}
interface Asked extends Quoting {
  readonly question?: Partial<Question>;
  readonly maxPerDoc?: number;
  readonly includeDebug?: boolean;
  readonly skipSeen?: boolean;
  readonly mode?: RetrieveInput['options']['mode'];
  readonly filters?: RetrieveInput['filters'];
}
const quoting = ({ maxQuotes, contextTokens = 0 }: Quoting) => ({
  max_quotes: maxQuotes,
  include_context_tokens: contextTokens,
});
const anInput = (asked: Asked = {}): RetrieveInput => {
  const { text = 'disk', rewrite, keywords, parts } = asked.question ?? {};
  const { maxPerDoc: max_per_doc, includeDebug: include_debug, skipSeen: skip_seen, mode, filters } = asked;
  const options = { rewrite, max_per_doc, include_debug, mode, skip_seen };
  return retrieveEvidenceTool.input.parse({
    question: text,
    keywords,
    parts,
    filters,
    options,
    ...quoting(asked),
  });
};
const service = (
  passages = somePassages(),
  config: Partial<EvidenceConfig> = {},
  reranker: Reranker | null = null,
) =>
  new EvidenceService(
    { index: docs.index, graph: null },
    passages,
    Object.assign(new EvidenceConfig(), config),
    reranker,
  );
const retrieve = async (
  asked: Asked = {},
  call = aCall({ scope: SCOPE }),
  config?: Partial<EvidenceConfig>,
) => (await service(somePassages(), config).retrieve(call, anInput(asked))).output;
const quotesFor = async (
  asked: Asked = {},
  call = aCall({ scope: SCOPE }),
  config?: Partial<EvidenceConfig>,
) => (await retrieve(asked, call, config)).quotes.map(({ quote }) => quote);
const BY_OVERLAP = { spanReranker: 'none' } as const;
const EITHER_WAY = [['coverage'], ['none']] as const;

const keep = (passages: PassagesService, text: string, id = 'a.md') =>
  keepPassage(passages, aCandidate({ section: { id, text } }));
const toExtract = ({
  question,
  passageIds,
  ...asked
}: Quoting & { question: string; passageIds: string[] }) =>
  extractEvidenceTool.input.parse({ question, passage_ids: passageIds, ...quoting(asked) });
const extract = async (
  passages: PassagesService,
  input: Parameters<typeof toExtract>[0],
  config?: Partial<EvidenceConfig>,
) => (await service(passages, config).extract(aCall(), toExtract(input))).output;

describe('retrieve', () => {
  it.each(EITHER_WAY)(
    'returns quotes with their citations, and each source once, by %s',
    async (spanReranker) => {
      const asked = { question: { text: 'ship berth' }, maxQuotes: 6 };
      const found = await retrieve(asked, aCall({ scope: SCOPE }), { spanReranker });
      const [quote] = found.quotes;
      expect(found.quotes).toMatchObject([
        { quote: 'A ship lies at a berth.' },
        { quote: 'A ship has no disk.' },
      ]);
      expect(quote).toEqual({
        quote: 'A ship lies at a berth.',
        passage_id: expect.stringMatching(/^[\w-]{22,}$/),
        section_id: 'guides/ship.md',
        confidence: expect.any(Number),
        start_char: 0,
      });
      expect(found.passage_uri).toBe('wekadocs://scratch/session/{passage_id}');
      expect(found.sources).toEqual([
        {
          section_id: 'guides/ship.md',
          title: 'Ships',
          doc_tag: 'guides',
          url: 'https://example.org/ship#ships',
        },
      ]);
    },
  );

  it('by overlap, fills up with spans without a word of the question', async () => {
    const found = await retrieve({ question: { text: 'berth mount' } }, aCall({ scope: SCOPE }), BY_OVERLAP);
    expect(found.quotes.map(({ quote, confidence }) => [quote, confidence])).toEqual([
      ['Mount the disk.', 0.5],
      ['A ship lies at a berth.', 0.5],
      ['A ship has no disk.', 0],
    ]);
  });

  it('by coverage, adds neighbours to a quote, unless no context is requested', async () => {
    const question = { text: 'What stops on a full disk?' };
    const [bare] = await quotesFor({ question, maxQuotes: 1 });
    const [grown] = await quotesFor({ question, maxQuotes: 1, contextTokens: 20 });
    expect([bare, grown]).toEqual(['A full disk stops it.', 'Harbour keeps files. A full disk stops it.']);
  });

  it('by overlap, adds the requested context', async () => {
    const asked = { question: { text: 'What stops on a full disk?' }, maxQuotes: 1 };
    const [bare] = await quotesFor(asked, aCall({ scope: SCOPE }), BY_OVERLAP);
    const [wide] = await quotesFor({ ...asked, contextTokens: 20 }, aCall({ scope: SCOPE }), BY_OVERLAP);
    expect([bare, wide]).toEqual(['A full disk stops it.', 'Harbour keeps files. A full disk stops it.']);
  });

  it.each(EITHER_WAY)(
    'quotes verbatim by %s: each quote is the slice between its offsets',
    async (spanReranker) => {
      const passages = somePassages();
      const call = aCall({ scope: SCOPE });
      const { quotes } = (await service(passages, { spanReranker }).retrieve(call, anInput())).output;
      const texts = await Promise.all(quotes.map(({ passage_id }) => passages.read(call, passage_id)));
      const slices = quotes.map(({ quote, start_char }, i) =>
        texts[i]?.passage.text.slice(start_char, start_char + quote.length),
      );
      expect(quotes.map(({ quote }) => quote)).toEqual(slices);
      expect(quotes.length).toBeGreaterThan(3);
    },
  );

  it.each(EITHER_WAY)('gives the same answer to the same call by %s', async (spanReranker) => {
    const passages = somePassages();
    const once = await service(passages, { spanReranker }).retrieve(aCall({ scope: SCOPE }), anInput());
    const again = await service(passages, { spanReranker }).retrieve(aCall({ scope: SCOPE }), anInput());
    expect(again.output).toEqual(once.output);
  });

  it('uses more sections of a document than the limit if few documents match', async () => {
    const sections = (await retrieve({ maxQuotes: 12 })).sources.map(({ section_id }) => section_id);
    expect(sections.filter((id) => id.startsWith('guides/disk.md'))).toHaveLength(4);
  });

  it('respects the limit of the operator', async () => {
    const { sources } = await retrieve({ maxQuotes: 12 }, aCall({ scope: SCOPE }), { pool: '9x3' });
    const ids = sources.map(({ section_id }) => section_id);
    expect(ids.filter((id) => id.startsWith('guides/disk.md'))).toHaveLength(3);
  });

  it('respects the limit of the call', async () => {
    expect((await retrieve({ maxPerDoc: 1 })).sources).toHaveLength(2);
  });

  it('uses the configured pool, such as 5x1', async () => {
    expect((await retrieve({}, aCall({ scope: SCOPE }), { pool: '5x1' })).sources).toHaveLength(2);
  });

  it.each(EITHER_WAY)(
    'gives every part of a question its share of the quotes by %s',
    async (spanReranker) => {
      const parts = ['What stops on a full disk?', 'Which ship is at a berth?'];
      const asked = { question: { text: 'Both?', parts }, maxQuotes: 2 };
      expect(await quotesFor(asked, aCall({ scope: SCOPE }), { spanReranker })).toEqual([
        'A full disk stops it.',
        'A ship lies at a berth.',
      ]);
    },
  );

  it.each(EITHER_WAY)('finds a section that contains only a keyword, by %s', async (spanReranker) => {
    const asked = { question: { text: 'vessel', keywords: ['berth'] }, maxQuotes: 1 };
    expect(await quotesFor(asked, aCall({ scope: SCOPE }), { spanReranker })).toEqual([
      'A ship lies at a berth.',
    ]);
  });

  it.each(EITHER_WAY)('returns nothing outside scope and filters by %s', async (spanReranker) => {
    const outside = aCall({ scope: { ...SCOPE, docTags: ['reference'] } });
    expect(await quotesFor({}, outside, { spanReranker })).toEqual([]);
    const filters = { path_prefix: 'guides/ship' };
    const { sources } = await retrieve({ filters }, aCall({ scope: SCOPE }), { spanReranker });
    expect(sources).toMatchObject([{ section_id: 'guides/ship.md' }]);
  });

  it('reports unavailable stages, and debug facts on request', async () => {
    const found = await retrieve({ mode: 'hybrid_local', includeDebug: true });
    expect(found).toMatchObject({ degraded: ['graph'], debug: { parts: [{ terms: ['disk'] }] } });
  });

  it('reports on request how it interpreted the question', async () => {
    const { debug } = await retrieve({ question: { text: 'harbuor' }, includeDebug: true });
    expect(debug).toMatchObject({
      parts: [{ terms: ['harbour'], rewrites: [{ from: 'harbuor', to: 'harbour', why: 'misspelt' }] }],
    });
  });

  it('stores the quoted sections, with the quote as the window to expand', async () => {
    const passages = somePassages();
    const call = aCall({ scope: SCOPE });
    const input = anInput({ question: { text: 'berth' }, maxQuotes: 1 });
    const { output } = await service(passages).retrieve(call, input);
    const { passage } = await passages.read(call, output.quotes[0]?.passage_id ?? '');
    expect(passage).toMatchObject({ sectionId: 'guides/ship.md', window: { start: 0, end: 23 } });
  });

  it('stores only sections that it quotes', async () => {
    const passages = somePassages();
    const call = aCall({ scope: SCOPE });
    await service(passages).retrieve(call, anInput({ maxQuotes: 1 }));
    expect(await passages.list(call, 50)).toHaveLength(1);
  });

  it('chooses again if it is over budget', async () => {
    const asked = anInput({ question: { text: 'ship 8443' } });
    const reply = await service().retrieve(aCall({ scope: SCOPE }), asked);
    const smaller = reply.build({ ...reply, count: 1, reason: 'token_cap' });
    const [best] = reply.output.quotes;
    expect(smaller).toMatchObject({ partial: true, limit_reason: 'token_cap' });
    expect(smaller.quotes.map(({ section_id }) => section_id)).toEqual([best?.section_id]);
  });

  it('clips the last quote to a shorter verbatim slice', async () => {
    const passages = somePassages();
    const text = `${'The disk is full and nobody may write. '.repeat(3).trim().replaceAll('. ', ', ')} Stop.`;
    const { id } = await keep(passages, text);
    const input = toExtract({ maxQuotes: 1, question: 'disk full', passageIds: [id] });
    const reply = await service(passages).extract(aCall(), input);
    const [quote] = reply.build({
      count: 1,
      maxChars: Math.floor(reply.maxChars / 2),
      reason: 'byte_cap',
    }).quotes;
    expect(quote?.quote.length).toBeLessThan(reply.output.quotes[0]?.quote.length ?? 0);
    expect(text.slice(quote?.start_char, quote?.end_char)).toBe(quote?.quote);
  });
});

describe('answerable', () => {
  it('is likely, without a hint, if one section contains all words', async () => {
    const others = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`page-${i}.md`, `Page ${i} tells of other things.\n`]),
    );
    const said = '# Moor the frigate\n\nMoor the frigate at the northern pier with hawsers.\n';
    const own = await anIndex({ ...others, 'moor.md': said });
    const sources = { index: own.index, graph: null };
    const evidence = new EvidenceService(sources, somePassages(), new EvidenceConfig(), null);
    const text = 'How do I moor a frigate at the northern pier with hawsers?';
    const { output } = await evidence.retrieve(aCall({ scope: SCOPE }), anInput({ question: { text } }));
    await own.remove();
    expect(output).toMatchObject({ answerable: 'likely', partial: false, limit_reason: 'none' });
    expect(output).not.toHaveProperty('hint');
  });

  it('is unlikely, with a hint, without results', async () => {
    expect(await retrieve({ question: { text: 'zzz yyy' } })).toEqual({
      answerable: 'unlikely',
      diagnostic_id: 'call-1',
      quotes: [],
      sources: [],
      partial: false,
      limit_reason: 'none',
      hint: expect.any(String),
    });
  });

  it('is unlikely, with a hint, if a named thing was not found', async () => {
    const found = await retrieve({ question: { text: 'Does a disk of Prisma use ZFS or XFS?' } });
    expect(found).toMatchObject({ answerable: 'unlikely', hint: expect.any(String) });
  });

  it('names headings that are near the question if it is unsure, unless keywords were sent', async () => {
    const text = 'Does the disk rust when painted?';
    const { answerable, hint } = await retrieve({ question: { text } });
    expect(answerable).toBe('unsure');
    expect(hint).toMatch(/ keywords \("\w+", "\w+" or "\w+" if one fits\)\. /);
    expect(hint).toContain('"Mount"');
    const sent = await retrieve({ question: { text, keywords: ['partition'] } });
    expect(sent.hint).not.toContain('"');
    const other = await retrieve({ question: { text: 'Does a disk of Prisma use ZFS or XFS?' } });
    expect(other).toMatchObject({ answerable: 'unlikely', hint: expect.not.stringContaining('"') });
  });

  it('names no headings of documents that are not trusted', async () => {
    const call = aCall({ scope: SCOPE });
    call.trace.untrusted = new Set(['docs']);
    const { hint } = await retrieve({ question: { text: 'Does the disk rust when painted?' } }, call);
    expect(hint).toMatch(/^Uncertain\. Try keywords\. [^"]+$/);
  });

  it('is unlikely only if no part is likely', async () => {
    const answerableOf = async (...parts: string[]) =>
      (await retrieve({ question: { text: 'Both?', parts } })).answerable;
    expect(await answerableOf('ship berth')).not.toBe('unlikely');
    expect(await answerableOf('ship berth', 'zzz yyy')).toBe('unsure');
    expect(await answerableOf('zzz yyy', 'ship berth')).toBe('unsure');
    expect(await answerableOf('zzz yyy', 'xxx www')).toBe('unlikely');
  });

  it.each(EITHER_WAY)('returns nothing to a caller who may see nothing, by %s', async (spanReranker) => {
    const outside = aCall({ scope: { ...SCOPE, repositories: ['other'] } });
    expect(await retrieve({}, outside, { spanReranker })).toMatchObject({
      answerable: 'unlikely',
      quotes: [],
    });
  });
});

describe('retrieve, without limits', () => {
  const ask = async (text: string, over: Partial<RetrieveInput> = {}, config: Partial<EvidenceConfig> = {}) =>
    (
      await service(somePassages(), config).retrieve(
        aCall({ scope: SCOPE }),
        retrieveEvidenceTool.input.parse({ question: text, ...over }),
      )
    ).output;

  it('quotes a short section whole', async () => {
    const { quotes } = await ask('Where does a ship lie?');
    expect(quotes[0]).toMatchObject({ quote: 'A ship lies at a berth. A ship has no disk.', start_char: 0 });
  });

  it('is not likely to answer if much that could answer is not quoted', async () => {
    const text = 'the crane lifts containers, but only in fair weather and by day';
    const berths = [1, 2, 3, 4, 5, 6, 7, 8].map((i) => [
      `${i}.md`,
      `# Berth ${i}\n\nAt berth ${i}, ${text}.\n`,
    ]);
    const port = await anIndex(Object.fromEntries(berths));
    const input = anInput({ question: { text: 'crane lifts containers at a berth' } });
    const within = async (tokens: number) => {
      const config = Object.assign(new EvidenceConfig(), { tokens });
      const asking = new EvidenceService({ index: port.index, graph: null }, somePassages(), config, null);
      return (await asking.retrieve(aCall({ scope: SCOPE }), input)).output;
    };
    expect(await within(2_000)).toMatchObject({ answerable: 'likely' });
    expect(await within(100)).toMatchObject({
      answerable: 'unsure',
      hint: expect.stringMatching(/keywords/),
    });
    await port.remove();
  });

  it('groups quotes by section, the sections of a page together', async () => {
    const { quotes, sources } = await ask('disk');
    const pages = quotes.map(({ section_id }) => section_id.replace(/#.*/, ''));
    expect(pages).toEqual(pages.toSorted());
    expect(sources.map(({ section_id }) => section_id)).toEqual([
      ...new Set(quotes.map(({ section_id }) => section_id)),
    ]);
  });

  it.each([[{ max_quotes: 6 }], [{ max_quote_tokens: 80 }], [{ max_quotes: 6, max_quote_tokens: 80 }]])(
    'takes 6 quotes, 80 tokens and 20 tokens of context for what a call leaves out: %j',
    async (limits) => {
      const all = { max_quotes: 6, max_quote_tokens: 80, include_context_tokens: 20 };
      expect(await ask('disk', limits)).toEqual(await ask('disk', all));
    },
  );

  it('takes the same limits by overlap, which has no budget', async () => {
    const all = { max_quotes: 6, max_quote_tokens: 80, include_context_tokens: 20 };
    expect(await ask('disk', {}, BY_OVERLAP)).toEqual(await ask('disk', all, BY_OVERLAP));
  });

  it('names the parts of a question that have no evidence', async () => {
    const { parts_without_evidence, hint } = await ask('Both?', {
      parts: ['Where does a ship lie, at a berth?', 'zzz yyy'],
    });
    expect(parts_without_evidence).toEqual(['zzz yyy']);
    expect(hint).toContain('"zzz yyy"');
  });

  it('answers two questions of one sentence as it answers parts', async () => {
    const parts = ['Where does a ship lie at a berth', 'what does zzz do with the yyy?'];
    const found = await ask(parts.join(', and '));
    expect(found.parts_without_evidence).toEqual([parts[1]]);
    expect(found).toEqual(await ask('Both?', { parts }));
  });

  it('does not divide a question that has parts, nor a call with limits', async () => {
    const two = 'Where does a ship lie at a berth, and what does zzz do with the yyy?';
    const missing = async (more: Partial<RetrieveInput>) => (await ask(two, more)).parts_without_evidence;
    expect(await missing({})).toHaveLength(1);
    expect(await missing({ parts: [two] })).toBeUndefined();
    expect(await missing({ max_quotes: 6 })).toBeUndefined();
    expect(await missing({ max_quote_tokens: 80 })).toBeUndefined();
  });

  it('names a part that contains half a character without it', async () => {
    const { parts_without_evidence } = await ask('Both?', {
      parts: ['Where does a ship lie, at a berth?', 'zzz \ud800'],
    });
    expect(parts_without_evidence).toEqual(['zzz \ufffd']);
  });

  it('names no part of a question that was asked as one', async () => {
    expect(await ask('zzz yyy')).not.toHaveProperty('parts_without_evidence');
  });
});

describe('extract', () => {
  it.each(EITHER_WAY)('quotes only from the given passages by %s', async (spanReranker) => {
    const passages = somePassages();
    const { id } = await keep(passages, 'A disk. A ship.');
    const input = { question: 'ship', passageIds: [id], maxQuotes: 1 };
    expect(await extract(passages, input, { spanReranker })).toEqual({
      quotes: [
        {
          quote: 'A ship.',
          passage_id: id,
          section_id: 'a.md',
          title: expect.any(String),
          uri: `wekadocs://scratch/session/${id}`,
          confidence: expect.any(Number),
          start_char: 8,
          end_char: 15,
        },
      ],
      sources: [expect.objectContaining({ section_id: 'a.md' })],
      partial: false,
      limit_reason: 'none',
    });
  });

  it.each(EITHER_WAY)('chooses the best of all passages by %s', async (spanReranker) => {
    const passages = somePassages();
    const first = await keep(passages, 'A disk.', 'a.md');
    const second = await keep(passages, 'The full disk.', 'b.md');
    const input = { question: 'full disk', passageIds: [first.id, second.id], maxQuotes: 6 };
    const { quotes, sources } = await extract(passages, input, { spanReranker });
    expect(quotes).toMatchObject([
      { quote: 'The full disk.', passage_id: second.id, section_id: 'b.md' },
      { quote: 'A disk.', passage_id: first.id, section_id: 'a.md' },
    ]);
    expect(sources).toMatchObject([{ section_id: 'b.md' }, { section_id: 'a.md' }]);
  });

  it('by overlap, reports the score of each span, 0 included', async () => {
    const passages = somePassages();
    const { id } = await keep(passages, 'A disk. The full disk. A ship.');
    const { quotes } = await extract(passages, { question: 'full disk', passageIds: [id] }, BY_OVERLAP);
    expect(quotes.map(({ quote, confidence }) => [quote, confidence])).toEqual([
      ['The full disk.', 1],
      ['A disk.', 0.5],
      ['A ship.', 0],
    ]);
  });

  it('by coverage, has no quotes if the question has other words', async () => {
    const passages = somePassages();
    const { id } = await keep(passages, 'A disk.');
    expect(await extract(passages, { question: 'ship', passageIds: [id] })).toMatchObject({
      quotes: [],
      sources: [],
    });
  });

  it('by coverage, quotes a row of a table below its header, and code with its neighbours', async () => {
    const passages = somePassages();
    const table = await keep(passages, '| Name | Size |\n|---|---|\n| anchor | 2 |\n| disk | 4 |', 'a.md');
    const code = await keep(passages, '```sh\ncd app\nnpm run ship\nnpm test\n```', 'b.md');
    const passageIds = [table.id, code.id];
    const wide = { contextTokens: 20, maxQuotes: 1 };
    expect((await extract(passages, { question: 'disk', passageIds, ...wide })).quotes).toMatchObject([
      { quote: '| Name | Size |\n|---|---|\n| anchor | 2 |\n| disk | 4 |' },
    ]);
    expect((await extract(passages, { question: 'ship', passageIds, ...wide })).quotes).toMatchObject([
      { quote: '```sh\ncd app\nnpm run ship\nnpm test\n```' },
    ]);
  });

  it.each(EITHER_WAY)('reads a passage that is given twice only once, by %s', async (spanReranker) => {
    const passages = somePassages();
    const { id } = await keep(passages, 'A disk.');
    const input = { question: 'disk', passageIds: [id, id] };
    expect((await extract(passages, input, { spanReranker })).quotes).toHaveLength(1);
  });

  it('refuses a passage of another session like an unknown one', async () => {
    const passages = somePassages();
    const { id } = await keep(passages, 'A disk.');
    const refused = { code: 'INVALID_ARGUMENT', reason: 'passage_not_found' };
    const stranger = aCall({ sessionId: 'other' });
    const input = toExtract({ question: 'disk', passageIds: [id] });
    await expect(service(passages).extract(stranger, input)).rejects.toMatchObject(refused);
    await expect(extract(passages, { question: 'disk', passageIds: [id, 'unknown'] })).rejects.toMatchObject(
      refused,
    );
  });

  it('makes the best quote of each passage the window to expand', async () => {
    const passages = somePassages();
    const { id } = await keep(passages, 'A disk. A ship. A ship on a disk.');
    await extract(passages, { question: 'ship', passageIds: [id], maxQuotes: 6 });
    expect((await passages.read(aCall(), id)).passage.window).toEqual({ start: 8, end: 15 });
  });
});

describe('retrieve, with a reranker', () => {
  const withReranker = (reranker: WordReranker): EvidenceService => service(somePassages(), {}, reranker);

  it('quotes only the sentence with the highest reranker score if one is wanted', async () => {
    const call = aCall({ scope: SCOPE });
    const { output } = await withReranker(new WordReranker('Buy a disk')).retrieve(
      call,
      anInput({ maxQuotes: 1 }),
    );
    expect(output.quotes.map(({ quote }) => quote)).toEqual([expect.stringContaining('Buy a disk.')]);
    expect(call.trace.stages.rerank).toBeGreaterThanOrEqual(0);
  });

  it('reranks at most 24 sentences per part, with the question as written', async () => {
    const reranker = new WordReranker();
    const question = { text: 'disk?', keywords: ['mount'], parts: [] };
    await withReranker(reranker).retrieve(aCall({ scope: SCOPE }), anInput({ question }));
    expect(reranker.asked.map((asked) => asked.question)).toEqual(['disk?']);
    expect(reranker.asked[0]?.texts.length).toBeLessThanOrEqual(24);
  });

  it('keeps the order without the reranker if it fails, and is marked degraded', async () => {
    const reranker = new WordReranker('Buy a disk');
    reranker.isDown = true;
    const { output } = await withReranker(reranker).retrieve(aCall({ scope: SCOPE }), anInput());
    expect(output.quotes.map(({ quote }) => quote)).toEqual(await quotesFor());
    expect(output.degraded).toEqual(['rerank']);
  });
});

describe('skip_seen', () => {
  const SKIPPING = { question: { text: 'disk' }, maxQuotes: 1, skipSeen: true };
  /** The quotes of a call, and how it answers. */
  const ask = async (
    asking: EvidenceService,
    asked: Asked = SKIPPING,
    call: Parameters<typeof aCall>[0] = {},
  ) => (await shownBy(asking, asked, { scope: SCOPE, ...call })).quotes.map(({ quote }) => quote);
  const shownBy = async (asking: EvidenceService, asked: Asked, call: Parameters<typeof aCall>[0]) => {
    const { output, shown } = await asking.retrieve(aCall(call), anInput(asked));
    shown?.(output);
    return output;
  };

  it.each(EITHER_WAY)('returns the next best evidence until there is nothing more, by %s', async (by) => {
    const asking = service(somePassages(), { spanReranker: by });
    const quotes = [];
    for (let i = 0; i < 5; i++) quotes.push(...(await ask(asking)));
    expect(quotes.toSorted()).toEqual([
      'A full disk stops it.',
      'A ship has no disk.',
      'Buy a disk.',
      'Empty the disk.',
      'Mount the disk.',
    ]);
  });

  it('says when there is nothing more, with the verdict as before', async () => {
    const asking = service();
    const first = await shownBy(asking, { question: { text: 'port' } }, { scope: SCOPE });
    const more = await shownBy(asking, { question: { text: 'port' }, skipSeen: true }, { scope: SCOPE });
    expect(more).toMatchObject({
      quotes: [],
      answerable: first.answerable,
      hint: expect.stringMatching(/^Nothing more/),
    });
  });

  it('quotes again what another run was shown', async () => {
    const asking = service();
    const first = await ask(asking, SKIPPING, { run: 'a' });
    expect(await ask(asking, SKIPPING, { run: 'b' })).toEqual(first);
  });

  it('leaves out what was read as an excerpt or extracted', async () => {
    const passages = somePassages();
    const asking = service(passages);
    const { quotes } = await shownBy(asking, { question: { text: 'ship' } }, { scope: SCOPE });
    const input = toExtract({ question: 'ship', passageIds: [quotes[0]?.passage_id ?? ''], maxQuotes: 6 });
    const { output, shown } = await service(passages).extract(aCall({ scope: SCOPE, run: 'x' }), input);
    shown?.(output);
    const asked = { question: { text: 'ship' }, skipSeen: true };
    expect(await ask(asking, asked, { run: 'x' })).toEqual([]);
  });

  it('is refused over HTTP without a run', async () => {
    await expect(ask(service(), SKIPPING, { caller: { isLocal: false } })).rejects.toMatchObject({
      reason: 'no_conversation',
    });
  });
});
