import { Injectable } from '@nestjs/common';
import type { Call } from '../../core/call.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { SectionIndex } from '../../core/ports/section-index.port.js';
import { scopeAllows } from '../../core/scope.js';
import type { Section } from '../../core/section.js';
import { encodePath } from '../../core/section-id.js';
import { indexChanged } from '../../graph/index-changed.js';
import { decodeSource } from '../../ingest/reading/decode-source.js';
import { MalformedDocumentError } from '../../ingest/reading/parsed-document.js';
import { isTextDocument } from '../../ingest/reading/readers.js';
import { noteOrigin } from '../../mcp/rendering/cautious-text.js';
import { ArtifactStore } from '../substrate/artifacts/artifact-store.js';
import { unknownArtifact } from '../substrate/substrate-failures.js';
import { spaceOf } from '../work-space.js';
import { type AskedSource, MAX_TEXT_CHARS } from './documents.schemas.js';
import {
  type ReadDocument,
  type ReadTask,
  showDocument,
  type StoredText,
  type TextPart,
} from './read-document.js';
import { TextReader } from './text-reader.js';

/** Max bytes of a UTF-16 unit in UTF-8. */
const MAX_CHAR_BYTES = 3;

/** Neighbours per read of the index. */
const NEIGHBOURS = 5;

/** Reads the document of a call: one that was sent or is stored, or one of the index within the scope of the call. */
@Injectable()
export class DocumentSourceService {
  constructor(
    private readonly index: SectionIndex,
    private readonly reader: TextReader,
    private readonly artifacts: ArtifactStore,
  ) {}

  /**
   * @param part  what will be used
   * @throws InvalidArgumentError `source_missing`, `artifact_not_found`, `artifact_too_long`, `document_not_found`, `document_malformed`, `document_too_costly`;
   *   BackendUnavailableError
   */
  async read(call: Call, source: AskedSource, part: TextPart = 'document'): Promise<ReadDocument> {
    const { document, artifact } = source;
    if ([source.text, document, artifact].filter((given) => given !== undefined).length !== 1) {
      throw new InvalidArgumentError('Give one of text, document and artifact.', {
        reason: 'source_missing',
        hint: 'Send the document as text, the path of an indexed one as document, or the SHA-256 of a stored one as artifact.',
      });
    }
    if (document !== undefined) return this.readStored(call, document, part);
    const text = source.text ?? (await this.textOf(call, artifact ?? ''));
    if (text.includes('\0')) throw malformed('it contains a NUL character');
    const path = nameOf(source);
    const read = await this.run(call, { sent: { text, path, now: call.now() }, part });
    // Anybody who may upload has written it.
    if (artifact !== undefined)
      call.trace.cautions.set(showDocument(read).path, { untrusted: 'artifacts', changed: null });
    return read;
  }

  /** @throws InvalidArgumentError `artifact_not_found`, `artifact_too_long`, `document_malformed` */
  private async textOf(call: Call, sha256: string): Promise<string> {
    const space = spaceOf(call);
    const artifact = await this.artifacts.find(space, sha256);
    if (!artifact) throw unknownArtifact(sha256);
    if (artifact.sizeBytes > MAX_TEXT_CHARS * MAX_CHAR_BYTES) throw tooLong();
    const parts: Uint8Array[] = [];
    for await (const bytes of this.artifacts.read(space, sha256)) parts.push(bytes);
    const text = await orMalformed(async () => decodeSource(Buffer.concat(parts)));
    if (text.length > MAX_TEXT_CHARS) throw tooLong();
    return text;
  }

  private async run({ caller }: Call, task: ReadTask): Promise<ReadDocument> {
    return (await orMalformed(() => this.reader.run(caller.principal, task))) as ReadDocument;
  }

  private async readStored(call: Call, path: string, part: TextPart): Promise<ReadDocument> {
    const stored = await this.storedText(call, path);
    const { facts, sections } = stored;
    noteOrigin(call, facts, [encodePath(facts.path), ...sections.map(({ id }) => id)]);
    return this.run(call, { stored, part });
  }

  private async storedText(call: Call, path: string): Promise<StoredText> {
    const sections = new Map<number, Section>();
    let generation: string | null = null;
    // Ids of sections have a `#` before the heading; the path of a document stands for its first section.
    for (let next = path; ;) {
      call.signal.throwIfAborted();
      const found = await this.index.neighbours(call.scope, next, NEIGHBOURS);
      if (!found || !scopeAllows(call.scope, found.document)) throw notFound();
      if (generation === null && found.sections[found.target]?.position !== 1) throw notFound();
      generation ??= found.generation;
      if (found.generation !== generation) throw indexChanged();
      const known = sections.size;
      for (const { section, position } of found.sections) sections.set(position, section);
      const last = found.sections.at(-1);
      if (!last || sections.size >= found.total || sections.size === known)
        return { facts: found.document, sections: [...sections.values()], generation };
      next = last.section.id;
    }
  }
}

function tooLong(): InvalidArgumentError {
  return new InvalidArgumentError(`The artifact has more than ${MAX_TEXT_CHARS} characters.`, {
    reason: 'artifact_too_long',
    hint: 'Read it with substrate.artifact.get and send a part of it as text.',
  });
}

/** Runs a reader. @throws InvalidArgumentError `document_malformed` instead of the error of ingest */
async function orMalformed<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof MalformedDocumentError)) throw error;
    throw malformed(`line ${error.line}: ${error.reason}`);
  }
}

/** The path that the text would have in a folder of documents. */
function nameOf({ path, format }: AskedSource): string {
  if (path === undefined || !isTextDocument(path)) return `${path ?? 'document'}.${format ?? 'md'}`;
  const extension = path.split('.').at(-1)?.toLowerCase() ?? '';
  const own = { markdown: 'md', htm: 'html' }[extension] ?? extension;
  if (format === undefined || format === own) return path;
  throw new InvalidArgumentError(`The path ends with .${extension}, but the format is ${format}.`, {
    reason: 'format_mismatch',
    hint: 'Omit format, or give a path with its extension.',
  });
}

const malformed = (why: string): InvalidArgumentError =>
  new InvalidArgumentError(`The document can't be read: ${why}.`, {
    reason: 'document_malformed',
    hint: 'Send text in the format that is named.',
  });

/** The same error for documents that do not exist and for those outside the scope. */
const notFound = (): InvalidArgumentError =>
  new InvalidArgumentError('There is no document with this path in your scope.', {
    reason: 'document_not_found',
    hint: 'Call scope.describe with documents for the paths.',
  });
