import fc from 'fast-check';
import { codePoints } from './code-points.js';
import { HOSTILE_METADATA, HOSTILE_TAGS, HOSTILE_WORDS } from './hostile-documents.js';
import { MEMORY_TAGS, PRIVATE_MARK } from './hostile-memory.js';

/**
 * A call; `@passage:7`, `@chunk:7` and `@cursor:7` stand for values that the server returned earlier, and a query of
 * `@next:7` stands for the next page of a list.
 */
export interface HostileCall {
  readonly tool: string;
  readonly args: Record<string, unknown>;
}

const halves = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  minLength: 1,
  maxLength: 200,
});

const text = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .array(fc.constantFrom(...HOSTILE_WORDS, 'the', 'how', 'does'), { minLength: 1, maxLength: 12 })
      .map((words) => words.join(' ')),
  },
  { weight: 2, arbitrary: fc.string({ unit: codePoints, minLength: 1, maxLength: 300 }) },
  { weight: 1, arbitrary: halves },
  fc.constantFrom(
    '"',
    'NEAR(kestrel valve)',
    'kestrel* OR ^valve',
    "'; DROP TABLE section; --",
    'kestrel\0valve',
    '__proto__ constructor hasOwnProperty toString valueOf',
    '\u{1F600}',
    ' ',
    'kestrel '.repeat(500).slice(0, 4_000),
    'a'.repeat(4_000),
    '. '.repeat(2_000),
    '-_.'.repeat(1_333),
    'aA'.repeat(2_000),
    '\u0301'.repeat(4_000),
  ),
);

const names = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...HOSTILE_TAGS) },
    fc.string({ minLength: 1, maxLength: 20 }),
  ),
  {
    minLength: 1,
    maxLength: 4,
  },
);

const anyScope = fc.record(
  {
    project_id: fc.constantFrom('hostile', 'hostile', 'hostile', 'other'),
    environment: fc.constantFrom('prod', 'prod', 'dev'),
    doc_tags: names,
    repositories: fc.array(fc.constantFrom('left', 'right', 'corpus', 'hostile'), { maxLength: 3 }),
  },
  { requiredKeys: [] },
);

const scope = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ project_id: 'hostile', environment: 'prod' }) },
  { weight: 2, arbitrary: fc.record({ doc_tags: names }) },
  { weight: 1, arbitrary: anyScope },
);

const filters = fc.record(
  {
    doc_tag: names,
    path_prefix: fc.oneof(
      fc.constantFrom(
        'alpha/',
        'a b',
        'a%20b/',
        '100%',
        '%',
        '\uffff',
        '\ud800',
        '\u{10ffff}',
        '',
        '../',
        null,
      ),
      fc.string({ unit: codePoints, maxLength: 40 }),
    ),
    updated_after: fc.constantFrom('2025-01-01', '2024-06-01T00:00:00Z', '9999-12-31', '0001-01-01', null),
  },
  { requiredKeys: [] },
);

const passage = fc.oneof(
  { weight: 12, arbitrary: fc.nat(100_000).map((n) => `@passage:${n}`) },
  fc.constantFrom('x', '../../etc/passwd', 'AAAAAAAAAAAAAAAAAAAAAAAA', '__proto__'),
  halves,
);

const cursor = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 2, arbitrary: fc.nat(100_000).map((n) => `@cursor:${n}`) },
  fc.constantFrom('AAAA', 'MC4xLjIuMw', '....', '\0'),
);

const excerptOptions = fc.record(
  { format: fc.constantFrom('text', 'bullets'), include_citation: fc.boolean() },
  { requiredKeys: [] },
);

const mode = fc.constantFrom('auto', 'vector_only', 'hybrid_local');
const keywords = fc.array(fc.constantFrom(...HOSTILE_WORDS, '"', '\u{1F600}'), { maxLength: 8 });
const offset = fc.oneof({ weight: 4, arbitrary: fc.nat(600) }, fc.constantFrom(0, 2_500, 1_000_000_000));

const facets = Object.fromEntries(
  Object.entries(HOSTILE_METADATA).map(([key, values]) => [key, fc.constantFrom(...values)]),
);
const docsSearch = fc
  .tuple(
    fc.record(
      {
        query: text.map((query) => query.slice(0, 2_000)),
        limit: fc.integer({ min: 1, max: 50 }),
        cursor: fc.oneof(
          fc.nat(100_000).map((n) => `@cursor:${n}`),
          fc.constantFrom('AAAA', '....', '\0', 'x'.repeat(512)),
        ),
      },
      { requiredKeys: ['query'] },
    ),
    fc.oneof(
      { weight: 2, arbitrary: fc.constant({}) },
      { weight: 2, arbitrary: fc.record(facets, { requiredKeys: [] }) },
      { weight: 1, arbitrary: fc.record({ mark: fc.nat(250).map((n) => `mark-${n}-x`) }) },
    ),
    fc.integer({ min: 0, max: 9 }),
  )
  .map(([{ cursor: made, ...own }, filters, dice]) => ({
    ...own,
    ...filters,
    ...(dice === 0 && made !== undefined ? { cursor: made } : {}),
  }));

const chunk = fc.oneof(
  { weight: 12, arbitrary: fc.nat(100_000).map((n) => `@chunk:${n}`) },
  fc.constantFrom('', '#', ' ', '../../etc/passwd', 'alpha', '__proto__', 'a#b#c', 'x'.repeat(1_025)),
  fc.nat(250).map((n) => `alpha/page ${n}.md`),
  halves,
);

const tags = fc.array(fc.constantFrom(...MEMORY_TAGS, 'unknown'), { maxLength: 3 });
const moment = fc.constantFrom('2025-01-01', '2024-06-01T00:00:00Z', '9999-12-31', '0001-01-01');
const memoryQuestion = fc.record(
  {
    query: fc.oneof({ weight: 9, arbitrary: text }, { weight: 1, arbitrary: fc.constant(PRIVATE_MARK) }),
    top_k: fc.integer({ min: -5, max: 60 }),
    floor: fc.double({ min: -0.5, max: 1.5, noNaN: true }),
    mix: fc.double({ min: -0.5, max: 1.5, noNaN: true }),
    include_private: fc.boolean(),
    include_tags: tags,
    exclude_tags: tags,
    recency_half_life_days: fc.constantFrom(0.01, 30, 36_500),
    created_after: moment,
    created_before: moment,
  },
  { requiredKeys: ['query'] },
);

const valid: Readonly<Record<string, fc.Arbitrary<object>>> = {
  'kb.search': fc.record(
    {
      query: text,
      keywords,
      top_k: fc.integer({ min: 1, max: 50 }),
      page_size: fc.integer({ min: 1, max: 50 }),
      cursor,
      scope,
      filters,
      options: fc.record(
        {
          max_snippet_chars: fc.integer({ min: 60, max: 600 }),
          max_per_doc: fc.integer({ min: 1, max: 10 }),
          include_scores: fc.boolean(),
          include_debug: fc.boolean(),
          mode,
          rewrite: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: ['query'] },
  ),
  'kb.retrieve_evidence': fc.record(
    {
      question: text,
      keywords,
      parts: fc.array(
        text.filter((part) => part.length <= 1_000),
        { maxLength: 4 },
      ),
      max_quotes: fc.integer({ min: 1, max: 12 }),
      max_quote_tokens: fc.integer({ min: 10, max: 200 }),
      include_context_tokens: fc.integer({ min: 0, max: 200 }),
      scope,
      filters,
      options: fc.record(
        {
          mode,
          rewrite: fc.boolean(),
          max_per_doc: fc.integer({ min: 1, max: 10 }),
          include_debug: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: ['question'] },
  ),
  'kb.extract_evidence': fc.record(
    {
      question: text,
      passage_ids: fc.oneof(
        {
          weight: 5,
          arbitrary: fc.array(
            fc.nat(100_000).map((n) => `@passage:${n}`),
            { minLength: 1, maxLength: 20 },
          ),
        },
        fc.array(passage, { minLength: 1, maxLength: 4 }),
      ),
      max_quotes: fc.integer({ min: 1, max: 12 }),
      max_quote_tokens: fc.integer({ min: 10, max: 200 }),
      include_context_tokens: fc.integer({ min: 0, max: 200 }),
      scope,
    },
    { requiredKeys: ['question', 'passage_ids'] },
  ),
  'kb.read_excerpt': fc.record(
    {
      passage_id: passage,
      max_tokens: fc.integer({ min: 16, max: 800 }),
      start_char: offset,
      scope,
      options: excerptOptions,
    },
    { requiredKeys: ['passage_id'] },
  ),
  'kb.expand_excerpt': fc.record(
    {
      passage_id: passage,
      before_tokens: fc.integer({ min: 0, max: 800 }),
      after_tokens: fc.integer({ min: 0, max: 800 }),
      start_char: offset,
      end_char: offset,
      scope,
      options: excerptOptions,
    },
    { requiredKeys: ['passage_id'] },
  ),
  search_docs: fc.oneof(
    { weight: 5, arbitrary: docsSearch },
    { weight: 2, arbitrary: fc.nat(100_000).map((n) => ({ query: `@next:${n}` })) },
  ),
  get_doc: fc.record(
    { chunk_id: chunk, context: fc.integer({ min: 0, max: 5 }) },
    { requiredKeys: ['chunk_id'] },
  ),
  'inner_voice.retrieve': memoryQuestion,
  'scope.describe': fc.record({ scope }, { requiredKeys: [] }),
  'scratch.list': fc.constant({}),
};

/** Number of calls per tool; most for tools that compose text. */
const WEIGHTS: Readonly<Record<string, number>> = {
  'kb.search': 8,
  'kb.retrieve_evidence': 8,
  'kb.extract_evidence': 5,
  'kb.read_excerpt': 4,
  'kb.expand_excerpt': 4,
  search_docs: 8,
  get_doc: 5,
  'inner_voice.retrieve': 6,
  'scope.describe': 1,
  'scratch.list': 1,
};

const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(-1, 0, 51, 1.5, 1e300, '', 'x'.repeat(20_000), [], {}, null, true),
);

const spoilers = fc.constantFrom(
  'query',
  'question',
  'passage_id',
  'passage_ids',
  'top_k',
  'page_size',
  'max_quotes',
  'max_tokens',
  'limit',
  'chunk_id',
  'context',
  'floor',
  'include_tags',
  'version',
  'toString',
  'cursor',
  'scope',
  'filters',
  'options',
  'unknown_field',
  '__proto__',
  'constructor',
);

/** Arguments with one or two invalid fields: wrong types, wrong bounds, unknown names, missing fields. */
const spoiled = (args: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  fc
    .tuple(args, fc.array(fc.tuple(spoilers, junk), { minLength: 1, maxLength: 2 }), fc.boolean())
    .map(([good, bad, isBare]) => ({ ...(isBare ? {} : good), ...Object.fromEntries(bad) }));

/** A random call, mostly valid by schema. */
export const hostileCall: fc.Arbitrary<HostileCall> = fc.oneof(
  ...Object.entries(valid).flatMap(([tool, args]) => [
    { weight: (WEIGHTS[tool] ?? 1) * 4, arbitrary: args.map((good) => ({ tool, args: { ...good } })) },
    { weight: WEIGHTS[tool] ?? 1, arbitrary: spoiled(args).map((bad) => ({ tool, args: { ...bad } })) },
  ]),
);
