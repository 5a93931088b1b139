import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Call, Caller } from '../core/call.js';
import { InvalidArgumentError, isBackendLost } from '../core/errors.js';
import {
  type KeptPassage,
  type Passage,
  type ScratchOwner,
  ScratchStore,
  type StoredPassage,
} from '../core/ports/scratch-store.port.js';
import { type Candidate, findHidden, SectionIndex } from '../core/ports/section-index.port.js';
import { scopeAllows } from '../core/scope.js';
import type { DocumentFacts, Section } from '../core/section.js';
import { pagePath, sectionReaderUrl, sectionUrl } from '../core/section-id.js';
import { noteOrigin } from '../mcp/rendering/cautious-text.js';
import type { Span } from '../text/span.js';
import { sectionTitle } from '../text/untrusted-text.js';
import { SeenUnits } from './seen-units.js';

/** Secret and URI scheme of passage names. */
export class PassageNaming {
  constructor(
    /** At least 32 characters; never leaves the process. */
    readonly secret: string,
    readonly uriScheme: string,
  ) {}
}

export interface NamedPassage extends KeptPassage {
  readonly uri: string;
  /** Where the caller of this call can open the section; null for nowhere. */
  readonly url: string | null;
}

/** A section and the part of it in the caller's result. */
export interface SeenSection {
  readonly candidate: Candidate;
  /** The index generation of the section. */
  readonly generation: string;
  readonly window: Span;
}

/** A result of a provider. */
export interface ProvidedText {
  readonly provider: string;
  /** Full name of the tool. */
  readonly tool: string;
  readonly text: string;
}

/** 128 bits cannot be guessed. Not longer, because every answer repeats the ids. */
const ID_BYTES = 16;
/** About 10 MB, and some 5,000 answers. */
const MAX_SEEN_UNITS = 100_000;

function notFound(): InvalidArgumentError {
  return new InvalidArgumentError('Passage not found in this session.', {
    reason: 'passage_not_found',
    hint: 'Passages expire. Call kb.search or kb.retrieve_evidence again and use the passage_id from its result.',
  });
}

/** Stores the text of sections for a caller, and returns it by handle to this caller only. */
@Injectable()
export class PassagesService {
  /** The units of documents that each conversation was shown. */
  readonly seen = new SeenUnits(MAX_SEEN_UNITS);

  constructor(
    private readonly store: ScratchStore,
    private readonly naming: PassageNaming,
    @Inject(SectionIndex) private readonly index: Pick<SectionIndex, 'sections'>,
  ) {}

  /**
   * Stores the texts of sections. In a session, a section of one index generation has one handle. If the store does not
   * answer, handles are still returned and the call is marked degraded (`scratch`), since the results are useful without it.
   * @returns in the order given
   */
  async keepAll(call: Call, seen: readonly SeenSection[]): Promise<NamedPassage[]> {
    const named = seen.map((section) => this.named(call, section));
    if (named.length > 0 && !call.trace.degraded.includes('scratch')) {
      await this.store.put(passageOwner(call), named).catch((error: unknown) => noteLost(call, error));
    }
    return named;
  }

  /**
   * Stores a result of a provider. If the store does not answer, the call is marked degraded.
   * @returns its handle
   */
  async keepProvided(call: Call, provided: ProvidedText): Promise<string> {
    const id = this.idFor(call, provided.tool, call.id);
    const kept = { id, passage: providedPassage(call, provided) };
    await this.store.put(passageOwner(call), [kept]).catch((error: unknown) => noteLost(call, error));
    return id;
  }

  /**
   * Reads a passage of documents, which can be quoted.
   * @throws InvalidArgumentError `passage_not_found` for unknown, expired and foreign passages alike;
   * BackendUnavailableError and DeadlineExceededError if the store does not answer
   */
  async read(call: Call, id: string): Promise<NamedPassage> {
    const named = await this.readAny(call, id);
    if (named.passage.provider !== undefined) throw notFound();
    return named;
  }

  /** Reads a passage of documents or of a provider's result. Text of a provider has to be fenced. */
  async readAny(call: Call, id: string): Promise<NamedPassage> {
    const passage = await this.store.get(passageOwner(call), id);
    const [kept] = passage ? await this.visible(call, [{ id, passage }]) : [];
    if (!kept) throw notFound();
    notePassage(call, kept);
    return this.withPlaces(call, kept);
  }

  /** Stores the part of a passage that the caller saw last. */
  async remember(call: Call, { id, passage }: NamedPassage, { start, end }: Span): Promise<void> {
    await this.store.put(passageOwner(call), [{ id, passage: { ...passage, window: { start, end } } }]);
  }

  /** The caller's visible passages, most recently used first. */
  async list(call: Call, limit: number): Promise<StoredPassage[]> {
    const visible = await this.visible(call, await this.store.list(passageOwner(call), limit));
    for (const kept of visible) notePassage(call, kept);
    return visible;
  }

  /** @throws InvalidArgumentError `passage_not_found`, also for another scheme, format or session */
  async readUri(call: Call, uri: string): Promise<NamedPassage> {
    const prefix = `${this.naming.uriScheme}://scratch/${call.caller.sessionId}/`;
    const id = uri.startsWith(prefix) ? uri.slice(prefix.length) : '';
    if (!/^[A-Za-z0-9_-]{22}$/.test(id)) throw notFound();
    return this.readAny(call, id);
  }

  /** Passages whose documents were visible when they were stored, and have not been hidden since. */
  private async visible<P extends KeptPassage>(call: Call, own: readonly P[]): Promise<P[]> {
    const stored = own.filter(({ passage }) => isVisible(call, passage));
    const indexed = stored.filter(({ passage }) => isIndexed(passage));
    const ids = indexed.map(({ passage }) => passage.sectionId);
    const hidden = await findHidden(this.index, call.scope, ids);
    return stored.filter(({ passage }) => !isIndexed(passage) || !hidden.has(pagePath(passage.sectionId)));
  }

  private named(call: Call, { candidate, generation, window }: SeenSection): NamedPassage {
    const id = this.idFor(call, candidate.section.id, generation);
    return this.withPlaces(call, { id, passage: toPassage(call, candidate, window) });
  }

  private withPlaces({ caller }: Call, { id, passage }: KeptPassage): NamedPassage {
    const uri = `${this.naming.uriScheme}://scratch/${caller.sessionId}/${id}`;
    return { id, uri, url: urlFor(caller, passage), passage };
  }

  private idFor(call: Call, sectionId: string, generation: string): string {
    const { projectId, environment } = call.scope;
    const name = JSON.stringify([call.caller.sessionId, projectId, environment, sectionId, generation]);
    const digest = createHmac('sha256', this.naming.secret).update(`passage\n${name}`).digest();
    return digest.subarray(0, ID_BYTES).toString('base64url');
  }
}

function passageOwner({ caller, scope }: Call): ScratchOwner {
  return { sessionId: caller.sessionId, projectId: scope.projectId, environment: scope.environment };
}

/**
 * The public URL of a section; without one, its path in the reader, which shows no named corpora. It is stored, so it has
 * nothing of how this caller reached the server.
 */
function citationUrl({ caller, trace }: Call, section: Section, document: DocumentFacts): string | null {
  const isRead = caller.readerOrigin !== undefined && trace.corpus === null;
  return document.url !== null || !isRead ? sectionUrl(section, document) : sectionReaderUrl(section);
}

/** The public URL of a section or, over HTTP, its address in the reader; null without one. */
export const citedUrl = (call: Call, section: Section, document: DocumentFacts): string | null =>
  urlFor(call.caller, { url: citationUrl(call, section, document) });

/** The stored URL, under the origin at which a caller reaches the reader if it is a path there. */
function urlFor({ readerOrigin }: Caller, { url }: Pick<Passage, 'url'>): string | null {
  if (url?.startsWith('/') !== true) return url;
  return readerOrigin === undefined ? null : readerOrigin + url;
}

function toPassage(call: Call, { section, document }: Candidate, window: Span): Passage {
  return {
    sectionId: section.id,
    docTag: document.docTag,
    repository: document.repository,
    projectId: call.scope.projectId,
    environment: call.scope.environment,
    headingPath: section.headingPath,
    title: sectionTitle(section.headingPath, document.trail),
    text: section.text,
    structure: section.structure,
    sourceUri: document.url ?? document.path,
    url: citationUrl(call, section, document),
    updatedAt: document.updatedAt,
    createdAt: new Date(call.now()).toISOString(),
    sizeBytes: Buffer.byteLength(section.text),
    window,
    ...(document.caution && document.caution.removed > 0 ? { removed: document.caution.removed } : {}),
    ...(call.trace.untrusted.has(document.repository) ? { isUntrusted: true } : {}),
    ...(document.allow ? { allow: document.allow } : {}),
    ...(document.artifact === undefined ? {} : { artifact: document.artifact }),
    ...(call.trace.corpus === null ? {} : { corpus: call.trace.corpus }),
  };
}

function notePassage(call: Call, { id, passage }: KeptPassage): void {
  if (passage.provider !== undefined) return;
  const { sectionId, repository, artifact, removed = 0, isUntrusted = false } = passage;
  // Another corpus than that of this call may distrust it.
  if (isUntrusted) call.trace.untrusted = new Set([...call.trace.untrusted, repository]);
  const origin = {
    repository,
    ...(removed > 0 ? { caution: { removed, flags: [] } } : {}),
    ...(artifact === undefined ? {} : { artifact }),
  };
  noteOrigin(call, origin, [sectionId, id]);
}

function providedPassage(call: Call, { provider, tool, text }: ProvidedText): Passage {
  const now = new Date(call.now()).toISOString();
  return {
    provider,
    sectionId: tool,
    docTag: '',
    repository: '',
    projectId: call.scope.projectId,
    environment: call.scope.environment,
    headingPath: [tool],
    title: `Result of ${tool}`,
    text,
    structure: '',
    sourceUri: '',
    url: null,
    updatedAt: now,
    createdAt: now,
    sizeBytes: Buffer.byteLength(text),
    window: { start: 0, end: 0 },
  };
}

function noteLost({ signal, trace }: Call, error: unknown): void {
  if (!isBackendLost(error) || signal.aborted) throw error;
  trace.degraded.push('scratch');
}

/** True for passages of the index of the server. */
const isIndexed = ({ provider, corpus }: Passage): boolean => provider === undefined && corpus === undefined;

function isVisible(call: Call, passage: Passage): boolean {
  const { projectId, environment } = call.scope;
  if (passage.projectId !== projectId || passage.environment !== environment) return false;
  // Doc tags and repositories restrict documents. Results of providers belong to their session alone.
  return passage.provider !== undefined || scopeAllows(call.scope, passage);
}
