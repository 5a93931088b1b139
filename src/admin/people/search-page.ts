import { decodePath, pagePath, readerAddress, sectionReaderAddress } from '../../core/section-id.js';
import { formatPlural } from '../../diagnostics/report/format.js';
import type { Answerable, CitedSource, Quote, RetrievedEvidence } from '../../kb/evidence.schemas.js';
import type { ScopeDescription } from '../../scope/describe-scope.schemas.js';
import { clipText } from '../../text/span.js';
import { type Html, html, type Part } from '../views/html.js';
import { documentLinks } from './document-links.js';
import { connectPart, peoplePage, type PersonAtPage } from './page-frame.js';
import { markQuotes, type Piece } from './pieces.js';
import { renderMarkdown } from './render-markdown.js';

/** Question and filters as in the address; '' for no filter. */
export interface SearchAddress {
  readonly q: string;
  readonly tag: string;
  readonly repository: string;
  readonly version: string;
}

/** An answer with the texts of its sections. */
export interface Answer {
  readonly evidence: RetrievedEvidence;
  /** By id of the section; without those that can't be read. */
  readonly texts: ReadonlyMap<string, string>;
}

export interface SearchView {
  readonly asked: SearchAddress;
  readonly reader: PersonAtPage;
  /** Collections and versions to filter by; null if the caller may not see them. */
  readonly scope: ScopeDescription | null;
  readonly answer: Answer | null;
  /** The address at which agents connect. */
  readonly endpoint: string;
}

const NO_FILTERS: Omit<SearchAddress, 'q'> = { tag: '', repository: '', version: '' };

interface Filter {
  readonly name: 'tag' | 'repository' | 'version';
  readonly label: string;
  readonly all: string;
  readonly values: readonly string[];
}

const listFilters = (scope: ScopeDescription): readonly Filter[] => [
  { name: 'tag', label: 'Collection', all: 'All', values: scope.doc_tags.map(({ name }) => name) },
  { name: 'repository', label: 'Repository', all: 'All', values: scope.repositories.map(({ name }) => name) },
  { name: 'version', label: 'Version', all: 'Newest first', values: scope.versions ?? [] },
];

/** A filter with one choice says nothing, unless the address has another. */
function filterField({ name, label, all, values }: Filter, chosen: string): Html | null {
  const known = chosen === '' || values.includes(chosen) ? values : [chosen, ...values];
  if (known.length < 2) return null;
  const option = (value: string, text: string): Html =>
    html`<option value="${value}" ${value === chosen && html`selected`}>${text}</option>`;
  return html`<div>
    <label for="f-${name}">${label}</label
    ><select id="f-${name}" name="${name}">
      ${option('', all)}${known.map((value) => option(value, value))}
    </select>
  </div>`;
}

function searchForm({ asked, scope }: SearchView): Html {
  const fields = scope ? listFilters(scope).map((filter) => filterField(filter, asked[filter.name])) : [];
  return html`<form method="get" action="/" class="ask" role="search">
    <h1><label for="q">Search the documents</label></h1>
    <div class="together">
      <input
        id="q"
        name="q"
        type="search"
        value="${asked.q}"
        dir="auto"
        maxlength="4000"
        placeholder="A question or a name"
        autocomplete="off"
        autocapitalize="none"
        enterkeyhint="search"
        ${asked.q === '' && html`autofocus`}
      /><button>Search</button>
    </div>
    ${fields.some((field) => field !== null) && html`<div class="filters">${fields}</div>`}
  </form>`;
}

const VERDICTS: Readonly<Record<Answerable, readonly [says: string, advice: string]>> = {
  likely: ['An answer is likely', 'The documents probably say this:'],
  unsure: ['An answer is uncertain', 'Check if these quotes answer the question. Other words may find more.'],
  unlikely: [
    'An answer is unlikely',
    'The documents probably do not say it. Try other words, such as the name of a setting, a command or an error. The nearest sections:',
  ],
};

function verdict(
  { asked, reader }: SearchView,
  { answerable, quotes, parts_without_evidence: parts = [] }: RetrievedEvidence,
): Html {
  const [says, advice] = VERDICTS[answerable];
  const isEmpty = quotes.length === 0;
  const unfiltered = searchAddress({ ...NO_FILTERS, q: asked.q });
  return html`<section class="says ${answerable}" aria-labelledby="verdict">
    <h2 id="verdict">${isEmpty ? 'Nothing was found' : says}</h2>
    <p role="status">${isEmpty ? 'No section contains these words. Try others.' : advice}</p>
    ${isEmpty && unfiltered !== searchAddress(asked) && html`<p><a href="${unfiltered}">Search without filters</a></p>`}
    ${parts.length > 0 && html`<p>Nothing about: ${parts.map((part, at) => [at > 0 && ', ', html`<q>${part}</q>`])}</p>`}
    ${reader.isOperator && html`<p><a href="${searchAddress(asked)}&amp;why=1">Why was this not found?</a></p>`}
  </section>`;
}

/** The address of a question, which can be sent to others. */
export function searchAddress({ q, ...filters }: SearchAddress): string {
  const given = Object.entries(filters).filter(([, value]) => value !== '');
  return `/?${String(new URLSearchParams([['q', q], ...given]))}`;
}

const FENCE = /^ {0,3}(?:`{3,}|~{3,})/gm;

/** True if an offset of a text is within a block of code. */
const isCode = (text: string, at: number): boolean => (text.slice(0, at).match(FENCE)?.length ?? 0) % 2 === 1;

/** Headings of quoted sections are below the title of a result. */
const IN_RESULT = { placeHeading: () => ({ level: 4, id: null }) };

/** A line below the headings of a table. */
const DELIMITER = /^\s*\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*$/;

/** Rows of a table after a quote of its headings are shown with them. */
function joinRows(quotes: readonly Quote[]): readonly Quote[] {
  return quotes.reduce<Quote[]>((joined, quote) => {
    const before = joined.at(-1);
    const isHead = before !== undefined && before.quote.split('\n').some((line) => DELIMITER.test(line));
    if (!isHead || !quote.quote.startsWith('|')) return [...joined, quote];
    return [...joined.slice(0, -1), { ...before, quote: `${before.quote.trimEnd()}\n${quote.quote}` }];
  }, []);
}

function quoteBlock({ quote, start_char: start, section_id: id }: Quote, text: string | undefined): Html {
  if (text !== undefined && isCode(text, start)) return html`<pre tabindex="0"><code>${quote}</code></pre>`;
  const content = renderMarkdown(quote, {
    ...IN_RESULT,
    linkTo: documentLinks(decodePath(pagePath(id)), false),
  });
  return html`<blockquote class="text" dir="auto">${content}</blockquote>`;
}

/** The text as it is written, with the quotes marked by their offsets. */
function plainSection(text: string, quotes: readonly Quote[]): Html {
  let done = 0;
  const parts = quotes.flatMap(({ start_char: start, quote }): Part[] => {
    if (start < done) return [];
    const before = text.slice(done, start);
    done = start + quote.length;
    return [before, html`<mark>${text.slice(start, done)}</mark>`];
  });
  return html`<pre tabindex="0">${parts}${text.slice(done)}</pre>`;
}

function wholeSection(id: string, text: string, quotes: readonly Quote[]): Html {
  const options = { ...IN_RESULT, linkTo: documentLinks(decodePath(pagePath(id)), false) };
  const forms = quotes.map(({ quote }): (readonly Piece[])[] => [renderMarkdown(quote, options), [quote]]);
  const { content, found } = markQuotes(renderMarkdown(text, options), forms);
  return found.every(Boolean)
    ? html`<div class="text" dir="auto">${content}</div>`
    : plainSection(text, quotes);
}

/** Longest part of a quote in an address; enough to find its place (characters). */
const MAX_IN_ADDRESS = 380;

/** The address of a section with its quote, in the reader. */
function readAddress(id: string, { quote }: Pick<Quote, 'quote'>): string {
  const [path = '', fragment] = sectionReaderAddress(id).split('#', 2);
  const query = new URLSearchParams({
    quote: clipText(quote, MAX_IN_ADDRESS)
      .replace(/\s+\S*…$/, '')
      .toWellFormed(),
  });
  return `${path}?${String(query)}${fragment === undefined ? '' : `#${fragment}`}`;
}

/** The public address of a source; null if it has none, or only that of this reader. */
function publicAddress({ url, section_id: id }: CitedSource): URL | null {
  if (url === undefined || !URL.canParse(url)) return null;
  const address = new URL(url);
  const isHere = address.pathname === readerAddress(decodePath(pagePath(id)));
  return /^https?:$/.test(address.protocol) && !isHere ? address : null;
}

function hit(source: CitedSource, quotes: readonly Quote[], text: string | undefined): Html {
  const [first] = quotes.toSorted((a, b) => b.quote.length - a.quote.length);
  const headings = source.title.split(' > ');
  const above = headings.slice(0, -1).join(' › ');
  const title = headings.at(-1) ?? '';
  const outside = publicAddress(source);
  const inside = first && text !== undefined ? readAddress(source.section_id, first) : outside?.href;
  return html`<article class="hit">
    <div>
      ${above !== '' && html`<p class="above" dir="auto">${above}</p>`}
      <h3 dir="auto">${inside === undefined ? title : html`<a href="${inside}">${title}</a>`}</h3>
    </div>
    ${joinRows(quotes).map((quote) => quoteBlock(quote, text))}
    <p class="from">
      <bdi>${decodePath(pagePath(source.section_id))}</bdi><bdi class="tag">${source.doc_tag}</bdi>${
        outside &&
        html`<a href="${outside.href}" rel="noopener noreferrer nofollow"
          >Source at <bdi>${outside.host}</bdi></a
        >`
      }
    </p>
    ${
      text !== undefined &&
      html`<details>
        <summary>Show the whole section<span class="unseen"> ${title}</span></summary>
        <div class="section">${wholeSection(source.section_id, text, quotes)}</div>
      </details>`
    }
  </article>`;
}

/** The answer without the page around it. */
export function answerPart(view: SearchView): Html | null {
  const { answer } = view;
  if (!answer) return null;
  const { evidence, texts } = answer;
  const hits = evidence.sources.map((source) =>
    hit(
      source,
      evidence.quotes.filter(({ section_id }) => section_id === source.section_id),
      texts.get(source.section_id),
    ),
  );
  return html`${verdict(view, evidence)}${hits}`;
}

function startPart({ scope, endpoint }: SearchView): Html {
  return html`<p class="keys">
      ${scope && `${formatPlural(scope.documents, 'document')}. `}Press <kbd>/</kbd> to search, <kbd>↑</kbd>
      <kbd>↓</kbd> to move among the results, <kbd>Enter</kbd> to open one.
    </p>
    <details class="connect">
      <summary>Connect an agent</summary>
      ${connectPart(endpoint)}
    </details>`;
}

/** The search page. */
export function searchPage(view: SearchView): string {
  const { asked, reader, answer } = view;
  return peoplePage({
    title: asked.q === '' ? 'Search' : `${asked.q.slice(0, 80)} · Search`,
    reader,
    kind: answer ? 'answer' : 'start',
    content: html`${searchForm(view)}
      <div id="answer">${answerPart(view)}</div>
      ${!answer && startPart(view)}`,
  });
}
