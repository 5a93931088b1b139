import { setImmediate as nextTurn } from 'node:timers/promises';
import { All, Get, Header, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { encodePath, readerAddress } from '../../core/section-id.js';
import { DiagnosticWriter } from '../../diagnostics/archive/diagnostic-writer.js';
import { retrievedEvidenceSchema } from '../../kb/evidence.schemas.js';
import { Credentials } from '../../mcp/http/credentials.js';
import { SHOWS_ANSWER } from '../../mcp/pipeline/call-watch.js';
import { type Principal, principalOf, VISITOR } from '../../mcp/principals.js';
import { describeScopeOutput } from '../../scope/describe-scope.schemas.js';
import { getDocOutput } from '../../search-docs/search-docs.schemas.js';
import { AdminFailure } from '../admin-failure.js';
import { parseGiven, typedText } from '../admin-query.js';
import { documentPage } from './document-page.js';
import { PageController } from './page.guard.js';
import { FailedPageCall, PageCalls } from './page-calls.service.js';
import type { PersonAtPage } from './page-frame.js';
import { SEARCH_POLICY } from './page-look.js';
import { type Answer, answerPart, type SearchAddress, searchPage, type SearchView } from './search-page.js';
import { endpointOf } from './welcome.controller.js';

const EVIDENCE = { name: 'kb.retrieve_evidence', output: retrievedEvidenceSchema };
const SCOPE = { name: 'scope.describe', output: describeScopeOutput };
const DOCUMENT = { name: 'get_doc', output: getDocOutput };
const SHOWN = { ...DOCUMENT, meta: { [SHOWS_ANSWER]: true } };

// Other fields are ignored: mail programs and social networks add theirs to links.
const askedSchema = z.object({
  q: typedText(4_000).default(''),
  tag: typedText(128).default(''),
  repository: typedText(128).default(''),
  version: typedText(128).default(''),
  why: z.literal('1').optional(),
});
const documentSchema = z.object({
  quote: typedText(400).default(''),
  from: z.string().max(1_026).default(''),
});

/** Requests for one page of a document. A longer one goes on in another page. */
const MAX_PARTS = 12;

/** Turns of the event loop until a call is recorded, at most. */
const TURNS = 50;

/** Without an index, or without the tool, the page has no filters. */
function nullIfFailed(error: unknown): null {
  if (error instanceof FailedPageCall) return null;
  throw error;
}

/** The header of the page's own script, which puts the answer into the page. */
const PART_HEADER = 'x-pith-part';

/** The same for documents that do not exist and for those that the reader may not see. */
const noDocument = (): AdminFailure =>
  new AdminFailure('NOT_FOUND', 'There is no such page.', 'It was moved or removed, or you may not see it.');

/** The path in the address of a document; null for one that can't be a path. */
function pathIn({ path }: Pick<Request, 'path'>): string | null {
  try {
    const decoded = decodeURIComponent(path.replace(/^\/read\//, ''));
    return /[\p{Cc}\p{Cs}]/u.test(decoded) || decoded === '' ? null : decoded;
  } catch {
    return null;
  }
}

/** The names by which documents link to each other without an ending, or by the address of a built page. */
function alsoNamed(path: string): readonly string[] {
  const [stem, isFile] = [path.replace(/(?:\.html?|\/)$/i, ''), /\.\w{1,9}$/.test(path)];
  if (isFile && !/\.html?$/i.test(path)) return [];
  const endings = ['.md', '.mdx', '/index.md', '/README.md', '.rst', '.adoc', '.html', '/index.html'];
  return endings.map((ending) => stem + ending).filter((name) => name !== path);
}

/** The search page at `/`, and the reader of documents at `/read`. */
@PageController()
export class SearchPageController {
  constructor(
    private readonly calls: PageCalls,
    private readonly credentials: Credentials,
    private readonly writer: DiagnosticWriter,
  ) {}

  @Get()
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Content-Security-Policy', SEARCH_POLICY)
  async search(
    @Query() given: unknown,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    const { why, ...asked } = parseGiven(
      askedSchema,
      given,
      'Use a shorter question, without control characters.',
    );
    const reader = this.describeReader(principalOf(request));
    const isPart = request.get(PART_HEADER) === 'answer';
    const scope = isPart ? null : await this.calls.call(request, SCOPE, {}).catch(nullIfFailed);
    // A link on another site must not make operators record anything.
    const isExplained = why === '1' && reader.isOperator && request.get('sec-fetch-site') !== 'cross-site';
    const answer = asked.q.trim() === '' ? null : await this.answer(request, asked, isExplained);
    if (isExplained && answer) {
      await this.written();
      response.status(303).location(`/admin/retrievals/${answer.evidence.diagnostic_id}`);
      return '';
    }
    const view: SearchView = { asked, reader, scope, answer, endpoint: endpointOf(request) };
    return isPart ? String(answerPart(view) ?? '') : searchPage(view);
  }

  /** Asks browsers for a key, where none is needed otherwise. */
  @Get('sign-in')
  signIn(@Res() response: Response): void {
    response.redirect(303, '/');
  }

  @Get('read/*path')
  @Header('Content-Type', 'text/html; charset=utf-8')
  async read(
    @Query() given: unknown,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    const path = pathIn(request);
    const { success, data } = documentSchema.safeParse(given);
    if (path === null || !success) throw noDocument();
    const found = await this.document(request, path, data.from);
    if (found) {
      const reader = this.describeReader(principalOf(request));
      return documentPage({ path, ...found, quote: data.quote, reader });
    }
    const name = await this.otherName(request, path);
    if (name === null) throw noDocument();
    response.status(302).location(readerAddress(name));
    return '';
  }

  /** Other methods are refused by the guard, and there is no document without a path. */
  @All(['', 'sign-in', 'read', 'read/*path'])
  nothing(): never {
    throw noDocument();
  }

  /** Waits until the diagnostic of a call is written: it is recorded some turns after the answer. */
  private async written(): Promise<void> {
    for (let turn = 0; turn < TURNS; turn++) await nextTurn();
    await this.writer.flush();
  }

  private describeReader({ name, permissions }: Principal): PersonAtPage {
    const isOperator = permissions.includes('operator');
    const isNamed = !['local', 'bearer', VISITOR.name].includes(name);
    const maySignIn = !isNamed && name !== 'bearer' && this.credentials.canSignIn;
    return { name: isNamed ? name : null, maySignIn, isOperator };
  }

  private async answer(request: Request, asked: SearchAddress, isExplained: boolean): Promise<Answer> {
    const { q, tag, repository, version } = asked;
    const evidence = await this.calls.call(request, EVIDENCE, {
      question: q,
      scope: {
        ...(tag === '' ? {} : { doc_tags: [tag] }),
        ...(repository === '' ? {} : { repositories: [repository] }),
      },
      ...(version === '' ? {} : { version }),
      ...(isExplained ? { diagnostic_debug: true } : {}),
    });
    const texts = new Map<string, string>();
    for (const { section_id: id } of isExplained ? [] : evidence.sources) {
      const read = await this.calls.find(request, SHOWN, { chunk_id: id, nearest: [] });
      const text = read?.chunks.find(({ chunk_id }) => chunk_id === id)?.text;
      if (text !== undefined) texts.set(id, text);
    }
    return { evidence, texts };
  }

  /** The first existing document that a path without an ending may mean, from one call; null if there is none. */
  private async otherName(request: Request, path: string): Promise<string | null> {
    const names = alsoNamed(path);
    if (names.length === 0) return null;
    try {
      await this.calls.call(request, DOCUMENT, {
        chunk_id: encodePath(path),
        nearest: names.map(encodePath),
      });
    } catch (error) {
      if (!(error instanceof FailedPageCall)) throw error;
      const nearest: unknown = error.failure?.details?.['nearest'];
      return names.find((name) => encodePath(name) === nearest) ?? null;
    }
    return null;
  }

  /** The sections of a document from one on, as many as one page shows; null if it is not found. @param from  '' for its start */
  private async document(request: Request, path: string, from: string) {
    const start = encodePath(path);
    if (from !== '' && !from.startsWith(`${start}#`)) return null;
    const chunks = [];
    let title: string | undefined;
    let cursor: string | undefined = from === '' ? undefined : from;
    for (let part = 0; part < MAX_PARTS; part++) {
      const read = await this.calls.find(request, DOCUMENT, { chunk_id: start, cursor, nearest: [] });
      if (!read) return null;
      chunks.push(...read.chunks);
      title ??= read.title;
      cursor = read.next_cursor;
      if (cursor === undefined) return { title, chunks, next: null };
    }
    return {
      title,
      chunks,
      next: `${readerAddress(path)}?${String(new URLSearchParams({ from: cursor ?? '' }))}`,
    };
  }
}
