import { type CorpusFacts, MAX_DESCRIPTION, type TaxonomyKey } from '../core/corpus-facts.js';
import type { ListedForm } from '../mcp/define-tool.js';
import type { JsonSchema } from '../mcp/schema.js';
import { estimateTokens } from '../text/estimate-tokens.js';
import { clipText } from '../text/span.js';
import { MAX_HITS } from './search-docs.schemas.js';

/** The search's own fields. Taxonomy keys of the same name are not offered as filters. */
export const OWN_FIELDS = ['query', 'limit', 'cursor'] as const;

/** Maximum estimated tokens for the values of one key. Every agent reads the list in every conversation. */
const MAX_KEY_TOKENS = 400;
/** The same for all keys together. */
const MAX_TOKENS = 1_500;
/** Tokens are shorter than this, so longer lists need no estimate. */
const CHARS_PER_TOKEN = 16;
/** Number of values to name if there are too many to list. */
const NAMED_VALUES = 8;

const OWN: JsonSchema = {
  query: { type: 'string', description: "The search query (e.g., 'how to paginate', 'RateLimitError')." },
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

/** The keys that a search can filter by. */
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

/** When to call this tool instead of similar ones. */
const ADVICE =
  'Prefer this tool to kb.search when one of the filter fields listed here (such as product or language) applies. ' +
  'To answer a question, call kb.retrieve_evidence. To read a hit, call get_doc with its chunk_id.';

function describeSearch(description: string | null): string {
  const corpus = clipText(oneLine(description ?? ''), MAX_DESCRIPTION).replace(/\.$/, '');
  const named = corpus === '' ? 'documentation' : corpus;
  return `Search the ${named}. Use this to find relevant documentation, guides, or API references. ${ADVICE}`;
}

/** The listed form of search_docs. A taxonomy key with too many values names some of them; the search accepts all. */
export function listedSearch(corpus: CorpusFacts | null): ListedForm {
  const keys = corpus ? filterKeys(corpus) : [];
  const listed = listedKeys(keys);
  const facets = Object.fromEntries(keys.map((key) => [key.key, propertyOf(key, listed.has(key.key))]));
  return {
    description: describeSearch(corpus?.description ?? null),
    inputSchema: { type: 'object', properties: { ...OWN, ...facets }, required: ['query'] },
  };
}
