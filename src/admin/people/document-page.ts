import GithubSlugger from 'github-slugger';
import { splitAttributes } from '../../ingest/reading/heading-attributes.js';
import type { GetDocOutput } from '../../search-docs/search-docs.schemas.js';
import { type Html, html, type Part } from '../views/html.js';
import { documentLinks } from './document-links.js';
import { headingPieces } from './html-pieces.js';
import { peoplePage, type PersonAtPage } from './page-frame.js';
import { markQuotes, type Piece } from './pieces.js';
import { readDefinitions, renderMarkdown, type RenderOptions } from './render-markdown.js';

type Chunk = GetDocOutput['chunks'][number];

/** A document, or a part of a long one. */
export interface DocumentView {
  /** Not encoded. */
  readonly path: string;
  /** If the first of its sections does not have it. */
  readonly title?: string | undefined;
  readonly chunks: readonly Chunk[];
  /** The quote to mark; '' for none. */
  readonly quote: string;
  /** The address of what follows; null at the end. */
  readonly next: string | null;
  readonly reader: PersonAtPage;
}

/** Ids and levels of the headings of a page. */
class Headings {
  private readonly used = new Set(['main', 'nav:contents']);
  private level = 0;

  /** A page has one first heading, and no level is left out. @param written  1 to 6 */
  next(written: number): number {
    const lowest = this.level === 0 ? 1 : 2;
    this.level = Math.max(lowest, Math.min(written, this.level + 1));
    return this.level;
  }

  /** The id, if no heading above has it. */
  take(id: string): string | null {
    if (id === '' || this.used.has(id)) return null;
    this.used.add(id);
    return id;
  }

  /** For a heading within a section: the anchor by which other documents link to it, its own or GitHub's. */
  readonly place: RenderOptions['placeHeading'] = (title, level) => {
    const { text, id } = splitAttributes(title);
    return { level: this.next(level), id: this.take(id ?? GithubSlugger.slug(text)) };
  };
}

/** An entry of the contents. */
interface Entry {
  readonly id: string;
  readonly title: string;
  readonly level: number;
}

interface RenderedHeading {
  readonly pieces: readonly Piece[];
  readonly entry: Entry | null;
}

/** Places that addresses lead to, without anything to see. */
const places = (ids: readonly string[]): Piece[] => ids.map((id) => html`<span id="${id}"></span>`);

/**
 * The heading of a section. Addresses lead to it by the part of its id that names it, by the number of its page, and by
 * the anchor that other documents use: its own, or GitHub's.
 */
function renderHeading({ chunk_id, heading, anchor, metadata }: Chunk, headings: Headings): RenderedHeading {
  const [, marks = '', title = ''] = /^(#{1,6}) (.*)$/s.exec(heading ?? '') ?? [];
  const { page } = metadata;
  const names = [chunk_id.split('#', 2)[1] ?? '', page === undefined ? '' : `page=${page}`];
  const ids = [...names, anchor ?? GithubSlugger.slug(title)].filter((id) => headings.take(id) !== null);
  if (title === '') return { pieces: places(ids), entry: null };
  const [first = null, ...others] = ids;
  const level = headings.next(marks.length);
  return {
    pieces: headingPieces(level, first, [...places(others), title]),
    entry: first === null ? null : { id: first, title, level },
  };
}

/** More entries are no overview. */
const MAX_ENTRIES = 60;

function contents(entries: readonly Entry[]): Html | null {
  const shown = entries.filter(({ level }) => level === 2 || level === 3).slice(0, MAX_ENTRIES);
  if (shown.length < 3) return null;
  const items = shown.map(
    ({ id, title, level }) =>
      html`<li class="${level === 3 && 'deep'}">
        <a href="#${encodeURI(id)}"><bdi>${title}</bdi></a>
      </li>`,
  );
  return html`<nav class="contents" aria-labelledby="nav:contents">
    <h2 id="nav:contents">On this page</h2>
    <ul>
      ${items}
    </ul>
  </nav>`;
}

function pageTitle({ title, chunks, path }: DocumentView): string {
  const first = /^# (.*)$/s.exec(chunks[0]?.heading ?? '')?.[1];
  return first ?? title ?? path.split('/').at(-1) ?? path;
}

/** A document of the index. Its text is written as text; only elements of ours are around it. */
export function documentPage(view: DocumentView): string {
  const { path, chunks, quote, next, reader } = view;
  const headings = new Headings();
  const title = pageTitle(view);
  const isTitled = chunks[0]?.heading?.startsWith('# ') === true;
  if (!isTitled) headings.next(1);
  const definitions = readDefinitions(chunks.map(({ text }) => text));
  const options = { linkTo: documentLinks(path, true), placeHeading: headings.place };
  const sections = chunks.map((chunk) => {
    const { pieces, entry } = renderHeading(chunk, headings);
    return { pieces: [...pieces, ...renderMarkdown(chunk.text, options, definitions)], entry };
  });
  const forms = quote === '' ? [] : [[renderMarkdown(quote, options), [quote]]];
  const { content } = markQuotes(
    sections.flatMap(({ pieces }) => pieces),
    forms,
  );
  const list = contents(sections.flatMap(({ entry }) => entry ?? []));
  const body: Part = html`<article class="text" dir="auto">
    ${!isTitled && html`<h1>${title}</h1>`}${content}
    ${next !== null && html`<p class="more"><a href="${next}" rel="next">Read on</a></p>`}
  </article>`;
  return peoplePage({
    title: `${title} · Pith`,
    reader,
    kind: list === null ? 'document' : 'wide',
    content: html`<p class="above"><bdi>${path}</bdi></p>
      ${list === null ? body : html`<div class="with-contents">${list}${body}</div>`}`,
  });
}
