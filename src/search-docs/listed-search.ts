import { MAX_DESCRIPTION } from '../core/corpus-facts.js';
import type { CorpusFacts, TaxonomyKey } from '../core/corpus-facts.js';
import type { ListedForm } from '../mcp/define-tool.js';
import type { JsonSchema } from '../mcp/schema.js';
import { clipText } from '../text/clip-text.js';
import { estimateTokens } from '../text/estimate-tokens.js';

/** What a search takes beside the taxonomy; a key of the same name would take its place, so none is offered. */
export const OWN_FIELDS = ['query', 'limit', 'cursor'] as const;

export const MAX_QUERY = 2_000;
export const MAX_HITS = 50;
export const DEFAULT_HITS = 10;
export const MAX_CURSOR = 512;

/** Every agent reads the list in every conversation: what the values of one key may cost there, in estimated tokens. */
const MAX_KEY_TOKENS = 400;
/** The same for all keys together. */
const MAX_TOKENS = 1_500;
/** No token stands for so many characters, so longer lists need no estimate. */
const CHARS_PER_TOKEN = 16;
/** Shown of a key whose values are too many to list. */
const NAMED_VALUES = 8;

const OWN: JsonSchema = {
  query: {
    type: 'string',
    description: "The search query (e.g., 'how to paginate', 'RateLimitError').",
  },
  limit: {
    type: 'integer',
    description: 'Maximum number of results to return. Default is 10.',
    minimum: 1,
    maximum: MAX_HITS,
  },
  cursor: {
    type: 'string',
    description:
      'Opaque pagination token returned from a previous search. Omit for the first page. ' +
      'Returns an error if invalid or malformed.',
  },
};

/** The keys that a search can be filtered by. */
export function filterKeys({ taxonomy }: CorpusFacts): readonly TaxonomyKey[] {
  return taxonomy.filter(({ key }) => !OWN_FIELDS.some((own) => own === key));
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const describeKey = ({ key, description }: TaxonomyKey): string =>
  description ? clipText(oneLine(description), MAX_DESCRIPTION) : `Filter results by ${key}.`;

function costOf({ values }: TaxonomyKey): number {
  const json = JSON.stringify(values);
  return json.length > MAX_KEY_TOKENS * CHARS_PER_TOKEN ? Infinity : estimateTokens(json);
}

/** The keys whose values are listed: the cheapest ones, so that one long key leaves room for the others. */
function listedKeys(keys: readonly TaxonomyKey[]): ReadonlySet<string> {
  const byCost = keys
    .map((key) => ({ key: key.key, cost: costOf(key) }))
    .filter(({ cost }) => cost <= MAX_KEY_TOKENS)
    .sort((a, b) => a.cost - b.cost || (a.key < b.key ? -1 : 1));
  let left = MAX_TOKENS;
  return new Set(byCost.filter(({ cost }) => (left -= cost) >= 0).map(({ key }) => key));
}

function propertyOf(key: TaxonomyKey, isListed: boolean): JsonSchema {
  const description = describeKey(key);
  if (isListed) return { type: 'string', description, enum: key.values };
  const some = key.values.slice(0, NAMED_VALUES).map((value) => clipText(value, 32));
  const named = `${description} One of ${key.values.length} values, such as ${some.join(', ')}.`;
  return { type: 'string', description: clipText(named, MAX_DESCRIPTION) };
}

/** When to call this rather than its neighbours. */
const ADVICE =
  'Prefer this tool to kb.search when one of the filter fields listed here (such as product or language) applies. ' +
  'To answer a question, call kb.retrieve_evidence. To read a hit, call get_doc with its chunk_id.';

function describeSearch(description: string | null): string {
  const corpus = clipText(oneLine(description ?? ''), MAX_DESCRIPTION).replace(/\.$/, '');
  const named = corpus === '' ? 'documentation' : corpus;
  return `Search the ${named}. Use this to find relevant documentation, guides, or API references. ${ADVICE}`;
}

/**
 * How search_docs is listed: with one optional field for each key of the taxonomy. A key with too many values to list
 * is a bounded string that names some; the search itself knows them all.
 */
export function listedSearch(corpus: CorpusFacts | null): ListedForm {
  const keys = corpus ? filterKeys(corpus) : [];
  const listed = listedKeys(keys);
  const facets = Object.fromEntries(keys.map((key) => [key.key, propertyOf(key, listed.has(key.key))]));
  return {
    description: describeSearch(corpus?.description ?? null),
    inputSchema: {
      type: 'object',
      properties: { ...OWN, ...facets },
      required: ['query'],
    },
  };
}
