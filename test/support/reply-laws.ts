import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { ERROR_CODES } from '../../src/core/errors.js';
import { brokenDocsLaws, type World } from './docs-laws.js';
import type { HostileCall } from './hostile-calls.js';
import type { CallResult } from './mcp-clients.js';
import { passageUri } from './quote-laws.js';

/** Limits of a serialised result, as the tools declare them. */
export const CEILINGS: Readonly<Record<string, { readonly bytes: number; readonly tokens: number }>> = {
  'kb.search': { bytes: 24_576, tokens: 10_000 },
  'kb.retrieve_evidence': { bytes: 12_288, tokens: 6_000 },
  'kb.extract_evidence': { bytes: 12_288, tokens: 6_000 },
  'kb.read_excerpt': { bytes: 49_152, tokens: 5_000 },
  'kb.expand_excerpt': { bytes: 49_152, tokens: 5_000 },
  search_docs: { bytes: 49_152, tokens: 20_000 },
  get_doc: { bytes: 65_536, tokens: 30_000 },
  'inner_voice.retrieve': { bytes: 49_152, tokens: 20_000 },
  'scope.describe': { bytes: 16_384, tokens: 6_000 },
  'scratch.list': { bytes: 12_288, tokens: 5_000 },
};

/** The laws of replies; tests refer to them by name. */
export const LAWS = {
  answered: 'is answered by a result, never by a broken protocol',
  bytes: 'stays under its byte ceiling',
  errorBytes: 'stays under its byte ceiling when it is an error',
  tokens: 'stays under its token ceiling, counted with o200k',
  codes: 'fails with one of the six codes only',
  internal: 'never fails with INTERNAL_ERROR',
  fits: 'fits at least one item at the default ceilings, whatever stands in the documents',
  verbatim: 'quotes and excerpts verbatim slices of what the resource holds',
  quoteTokens: 'keeps quotes under max_quote_tokens, counted with o200k',
  excerptTokens: 'keeps excerpts under max_tokens, counted with o200k',
  counts: 'returns no more items than were asked for, and previews no longer than asked for',
  scope: 'shows nothing outside the scope and the filters',
  private: 'shows nothing private unless asked to',
  order: 'is ordered by score, and holds nothing twice',
  delimited: 'of get_doc has one target among sections of one document, told apart by delimiters',
  content: 'has content that says something and is no longer than the structured form',
  wellFormed: 'holds no half of a character',
  repeatable: 'is the same for the same call, apart from ids and times',
  prompt: 'takes less than two seconds of the processor',
} as const;

export type Law = keyof typeof LAWS;

export const realTokens = (text: string): number => encode(text, { disallowedSpecial: new Set() }).length;

interface Quote {
  readonly quote: string;
  readonly passage_id: string;
  readonly start_char: number;
  /** Of kb.extract_evidence; replies of other tools have a template. */
  readonly uri?: string;
  readonly end_char?: number;
}

interface Output {
  readonly error?: { readonly code: string };
  readonly quotes?: readonly Quote[];
  readonly passage_uri?: string;
  readonly sources?: readonly { readonly doc_tag: string }[];
  readonly results?: readonly {
    readonly doc_tag: string;
    readonly preview: string;
    readonly scratch_uri: string;
    readonly passage_id: string;
  }[];
  readonly doc_tags?: readonly { readonly name: string }[];
  readonly excerpt?: string;
  readonly start_char?: number;
  readonly end_char?: number;
  readonly truncated?: boolean;
  readonly next_start_char?: number | null;
  readonly passage_id?: string;
  readonly citation?: { readonly doc_tag: string; readonly uri: string };
}

/** A call, its result, and the data for checking it. */
export interface Exchange {
  readonly call: HostileCall;
  readonly result: CallResult;
  readonly maxResponseBytes: number;
  /** Doc tags in the configured scope of the server; null for all. */
  readonly serverTags: readonly string[] | null;
  readonly serverRepositories: readonly string[] | null;
  readonly world: World;
  /** Reads the text of a resource from the server. */
  readonly textOf: (uri: string) => Promise<string>;
}

export type Broken = readonly [Law, string];

function numberAt(args: Record<string, unknown>, key: string, fallback: number): number {
  const value = args[key];
  return typeof value === 'number' ? value : fallback;
}

function optionAt(args: Record<string, unknown>, key: string): unknown {
  const { options } = args as { options?: Record<string, unknown> };
  return options?.[key];
}

/** Tools whose contract requires plain text instead of JSON without structured output. */
const PLAIN = new Set(['search_docs', 'get_doc']);

function parsed(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    return {};
  }
}

export const outputOf = ({ structuredContent, content }: CallResult): Output =>
  (structuredContent ?? parsed(content[0]?.text ?? '')) as Output;

function sizes({ call, result, maxResponseBytes }: Exchange): Broken[] {
  const ceiling = CEILINGS[call.tool] ?? { bytes: 0, tokens: 0 };
  const json = JSON.stringify(result);
  const bytes = Buffer.byteLength(json);
  const most = Math.min(ceiling.bytes, maxResponseBytes);
  const tokens = bytes > ceiling.tokens ? realTokens(json) : 0;
  const law: Law = result.isError ? 'errorBytes' : 'bytes';
  return [
    ...(bytes > most ? [[law, `${bytes} bytes, not ${most}`] as const] : []),
    ...(tokens > ceiling.tokens ? [['tokens', `${tokens} tokens, not ${ceiling.tokens}`] as const] : []),
  ];
}

function failures({ call, result, maxResponseBytes }: Exchange, { error }: Output): Broken[] {
  if (!result.isError || (!error && PLAIN.has(call.tool) && !result.structuredContent)) return [];
  const code = error?.code ?? 'none';
  const isDefault = maxResponseBytes === 524_288;
  if (code === 'BUDGET_EXCEEDED' && isDefault) return [['fits', JSON.stringify(error)]];
  if (code === 'INTERNAL_ERROR') return [['internal', JSON.stringify(error)]];
  return ERROR_CODES.some((known) => known === code) ? [] : [['codes', code]];
}

async function slices(exchange: Exchange, output: Output): Promise<Broken[]> {
  const broken: Broken[] = [];
  const { call, textOf } = exchange;
  for (const placed of output.quotes ?? []) {
    const { quote, start_char, end_char = start_char + quote.length } = placed;
    const text = await textOf(placed.uri ?? passageUri(output, placed));
    if (text.slice(start_char, end_char) !== quote || quote === '')
      broken.push(['verbatim', JSON.stringify(quote)]);
  }
  const { excerpt, citation, start_char = 0, end_char = 0, next_start_char = null } = output;
  if (excerpt === undefined || !citation) return broken;
  const text = await textOf(citation.uri);
  const isText = optionAt(call.args, 'format') !== 'bullets';
  if (isText && text.slice(start_char, end_char) !== excerpt)
    broken.push(['verbatim', JSON.stringify(excerpt)]);
  const isRest = end_char < text.length;
  if (output.truncated !== isRest || next_start_char !== (isRest ? end_char : null)) {
    broken.push(['verbatim', `says ${String(next_start_char)} follows ${end_char} of ${text.length}`]);
  }
  return broken;
}

function pieces({ call }: Exchange, output: Output): Broken[] {
  const { args } = call;
  // Without limits of its own, a call gets quotes of any number and length within a budget.
  const hasLimits = args['max_quotes'] !== undefined || args['max_quote_tokens'] !== undefined;
  const maxQuote = numberAt(args, 'max_quote_tokens', hasLimits ? 80 : Infinity);
  const costs = (output.quotes ?? []).map(({ quote }) => [realTokens(quote), JSON.stringify(quote)] as const);
  const maxExcerpt = call.tool === 'kb.read_excerpt' ? numberAt(args, 'max_tokens', 300) : 800;
  const excerpt = output.excerpt === undefined ? 0 : realTokens(output.excerpt);
  return [
    ...costs
      .filter(([tokens]) => tokens > maxQuote)
      .map(([tokens, quote]) => ['quoteTokens', `${tokens} tokens, not ${maxQuote}: ${quote}`] as const),
    ...(excerpt > maxExcerpt
      ? [
          [
            'excerptTokens',
            `${excerpt} tokens, not ${maxExcerpt}: ${JSON.stringify(output.excerpt)}`,
          ] as const,
        ]
      : []),
  ];
}

function counts({ call }: Exchange, output: Output): Broken[] {
  const { args } = call;
  const { results = [] } = output;
  const most = !output.results ? 0 : Math.min(numberAt(args, 'page_size', 5), numberAt(args, 'top_k', 5));
  const asked = optionAt(args, 'max_snippet_chars');
  const maxChars = typeof asked === 'number' ? asked : 280;
  const tooLong = results.filter(({ preview }) => preview.length > maxChars);
  const quotes = (output.quotes ?? []).length;
  return [
    ...(results.length > most ? [['counts', `${results.length} results, not ${most}`] as const] : []),
    ...tooLong.map(({ preview }) => ['counts', `${preview.length} characters, not ${maxChars}`] as const),
    ...(quotes > numberAt(args, 'max_quotes', args['max_quote_tokens'] === undefined ? Infinity : 6)
      ? [['counts', `${quotes} quotes`] as const]
      : []),
  ];
}

function tagsAllowed({ call, serverTags }: Exchange): (tag: string) => boolean {
  const { scope, filters } = call.args as {
    scope?: { doc_tags?: string[] };
    filters?: { doc_tag?: string[] };
  };
  const lists = [serverTags, scope?.doc_tags, filters?.doc_tag].filter((list) => list && list.length > 0);
  return (tag) => lists.every((list) => list?.includes(tag));
}

function visibility(exchange: Exchange, output: Output): Broken[] {
  const tags = [
    ...(output.results ?? []).map(({ doc_tag }) => doc_tag),
    ...(output.sources ?? []).map(({ doc_tag }) => doc_tag),
    ...(output.doc_tags ?? []).map(({ name }) => name),
    ...(output.citation ? [output.citation.doc_tag] : []),
  ];
  const isAllowed = tagsAllowed(exchange);
  return tags.filter((tag) => !isAllowed(tag)).map((tag) => ['scope', tag] as const);
}

function texts({ result }: Exchange): Broken[] {
  const said = result.content.filter(({ type }) => type === 'text').map(({ text = '' }) => text);
  const text = said.join('');
  const whole = JSON.stringify(result.structuredContent ?? null);
  const isLonger =
    result.structuredContent !== undefined && Buffer.byteLength(text) > Buffer.byteLength(whole);
  // JSON escapes half a surrogate pair with \ud.
  const half = /(?<!\\)(?:\\\\)*\\ud[89a-f][0-9a-f]{2}/.exec(JSON.stringify(result));
  return [
    ...(text.trim() === '' ? [['content', 'no text'] as const] : []),
    ...(isLonger
      ? [['content', `${Buffer.byteLength(text)} bytes of text for ${Buffer.byteLength(whole)}`] as const]
      : []),
    ...(half
      ? [['wellFormed', JSON.stringify(result).slice(Math.max(0, half.index - 80), half.index + 20)] as const]
      : []),
  ];
}

/** The broken laws of a reply, with the errors. */
export async function brokenLaws(exchange: Exchange): Promise<Broken[]> {
  const output = outputOf(exchange.result);
  const always = [...sizes(exchange), ...failures(exchange, output), ...texts(exchange)];
  always.push(...brokenDocsLaws(exchange));
  if (exchange.result.isError) return always;
  return [
    ...always,
    ...(await slices(exchange, output)),
    ...pieces(exchange, output),
    ...counts(exchange, output),
    ...visibility(exchange, output),
  ];
}

/** A reply without values that differ between servers or over time: ids, sessions, times, ports. */
export function comparable(result: CallResult): string {
  return (
    JSON.stringify({ ...result, _meta: null })
      .replace(/wekadocs:\/\/scratch\/[\w-]+\/(?:[\w-]+|\{passage_id\})/g, 'URI')
      .replace(/127\.0\.0\.1:\d+/g, 'HOST')
      .replace(/"(passage_id|session_id|diagnostic_id)":"[^"]*"/g, '"$1":"ID"')
      // The same within JSON that is sent as text.
      .replace(/\\"diagnostic_id\\":\\"[^"\\]*\\"/g, 'ID')
      .replace(/"(lastModified)":"[^"]*"/g, '"$1":"TIME"')
      .replace(/(passage_id:? )[\w-]{22}/g, '$1ID')
      // At the end of the line of a source.
      .replace(/ [\w-]{22}(?=\\n|")/g, ' ID')
      .replace(/(latency_ms\\?":)\d+/g, '$10')
      .replace(/"expires_in_s":\d+/g, '"expires_in_s":0')
      .replace(/[\w-]{22}( .*?bytes), \d+ s left/g, 'ID$1')
  );
}
