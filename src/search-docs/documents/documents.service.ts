import { Injectable } from '@nestjs/common';
import type { Call } from '../../core/call.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { SectionIndex } from '../../core/ports/section-index.port.js';
import { scopeAllows } from '../../core/scope.js';
import type { DocumentFacts } from '../../core/section.js';
import { documentMarkdown } from '../document-markdown.js';
import { pathOfUri } from './document-uri.js';

/** A document that the manifest offers, whole. */
export interface OfferedDocument {
  readonly document: DocumentFacts;
  readonly markdown: string;
}

/** One answer for what is unknown, foreign and not offered. */
function noSuchDocument(): InvalidArgumentError {
  return new InvalidArgumentError('Resource not found.', {
    reason: 'resource_not_found',
    hint: 'Use a URI from resources/list.',
  });
}

/** Reads documents that the manifest offers as resources. */
@Injectable()
export class DocumentsService {
  constructor(private readonly index: SectionIndex) {}

  /** @throws InvalidArgumentError `resource_not_found`; BackendUnavailableError */
  async read(call: Call, uri: string): Promise<OfferedDocument> {
    const path = pathOfUri(uri);
    if (path === null) throw noSuchDocument();
    call.signal.throwIfAborted();
    const sections = (await this.index.resource(call.scope, path))?.sections ?? [];
    const [first] = sections;
    if (!first || !scopeAllows(call.scope, first.document)) throw noSuchDocument();
    const markdown = documentMarkdown(sections.map(({ section }) => section));
    return { document: first.document, markdown };
  }
}
