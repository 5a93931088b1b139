import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Call } from '../call.js';
import { InvalidArgumentError } from '../errors.js';
import type { Candidate } from '../kb/section-index.port.js';
import type { Span } from '../kb/span.js';
import { scopeAllows } from '../scope/scope.js';
import { titleOf } from './passage-title.js';
import { ScratchStore } from './scratch-store.port.js';
import type { Passage, StoredPassage } from './scratch-store.port.js';

/** How passages are named. */
export class PassageNaming {
  constructor(
    /** At least 32 characters; never leaves the process. */
    readonly secret: string,
    readonly uriScheme: string,
  ) {}
}

/** A passage and how its caller names it. */
export interface NamedPassage {
  readonly id: string;
  readonly uri: string;
  readonly passage: Passage;
}

/** 128 bits: unguessable. Every answer names its passages several times, so no more than that. */
const ID_BYTES = 16;

function notFound(): InvalidArgumentError {
  return new InvalidArgumentError('There is no such passage in this session.', {
    reason: 'passage_not_found',
    hint: 'Passages expire; call kb.search or kb.retrieve_evidence again and use the passage_id that it returns.',
  });
}

/** Keeps sections' text for a caller and gives it back by handle, to that caller alone. */
@Injectable()
export class PassagesService {
  constructor(
    private readonly store: ScratchStore,
    private readonly naming: PassageNaming,
  ) {}

  /** Keeps a section's text; the same section of one index generation has one handle in a session. */
  async keep(
    call: Call,
    candidate: Candidate,
    seen: { generation: string; window: Span },
  ): Promise<NamedPassage> {
    const { section, document } = candidate;
    const passage: Passage = {
      sectionId: section.id,
      docTag: document.docTag,
      repository: document.repository,
      projectId: call.scope.projectId,
      environment: call.scope.environment,
      headingPath: section.headingPath,
      title: titleOf(section.headingPath),
      text: section.text,
      sourceUri: document.url ?? document.path,
      url: document.url,
      updatedAt: document.updatedAt,
      createdAt: new Date(call.now()).toISOString(),
      sizeBytes: Buffer.byteLength(section.text),
      window: seen.window,
    };
    const id = this.idFor(call, section.id, seen.generation);
    await this.store.put(call.caller.sessionId, id, passage);
    return { id, uri: this.uriFor(call, id), passage };
  }

  /** @throws InvalidArgumentError `passage_not_found` for unknown, expired and foreign passages alike */
  async read(call: Call, id: string): Promise<NamedPassage> {
    const passage = await this.store.get(call.caller.sessionId, id);
    if (!passage || !isVisible(call, passage)) throw notFound();
    return { id, uri: this.uriFor(call, id), passage };
  }

  /** Remembers what part of a passage the caller has seen last. */
  async remember(call: Call, { id, passage }: NamedPassage, { start, end }: Span): Promise<void> {
    await this.store.put(call.caller.sessionId, id, { ...passage, window: { start, end } });
  }

  /** The caller's visible passages, most recently used first. */
  async list(call: Call, limit: number): Promise<StoredPassage[]> {
    const own = await this.store.list(call.caller.sessionId, limit);
    return own.filter(({ passage }) => isVisible(call, passage));
  }

  /**
   * Reads by resource URI.
   * @throws InvalidArgumentError `passage_not_found` for another scheme, shape or session too
   */
  async readUri(call: Call, uri: string): Promise<NamedPassage> {
    const prefix = `${this.naming.uriScheme}://scratch/${call.caller.sessionId}/`;
    const id = uri.startsWith(prefix) ? uri.slice(prefix.length) : '';
    if (!/^[A-Za-z0-9_-]{22}$/.test(id)) throw notFound();
    return this.read(call, id);
  }

  private uriFor(call: Call, id: string): string {
    return `${this.naming.uriScheme}://scratch/${call.caller.sessionId}/${id}`;
  }

  private idFor(call: Call, sectionId: string, generation: string): string {
    const { projectId, environment } = call.scope;
    const name = JSON.stringify([call.caller.sessionId, projectId, environment, sectionId, generation]);
    const digest = createHmac('sha256', this.naming.secret).update(`passage\n${name}`).digest();
    return digest.subarray(0, ID_BYTES).toString('base64url');
  }
}

function isVisible(call: Call, passage: Passage): boolean {
  const { projectId, environment } = call.scope;
  return (
    passage.projectId === projectId && passage.environment === environment && scopeAllows(call.scope, passage)
  );
}
