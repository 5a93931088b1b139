import { basename } from 'node:path';
import type { Call } from '../../core/call.js';
import { readSourceLine } from '../../core/ports/index-source.js';
import { plainLine, quotedLine } from '../../text/plain-line.js';
import { NO_FENCE, type TextFence } from '../../text/untrusted-text.js';
import type { NamedCorpus } from './corpus-store.js';
import { manifestFacts, manifestText } from './indexing/manifest-facts.js';
import type { KbEntry } from './knowledge.schemas.js';

/** The corpus as this caller may see it. */
export function kbEntry({ scope }: Pick<Call, 'scope'>, corpus: NamedCorpus): KbEntry {
  const { name, description, documents, sections } = corpus;
  const source = readSourceLine(corpus.source);
  const isWhole = scope.docTags === null && scope.repositories === null;
  return {
    name,
    description,
    ...(source.kind === 'folder' ? { folder: basename(source.path) } : manifestFacts(source)),
    documents: isWhole ? documents : null,
    sections: isWhole ? sections : null,
    created_by: corpus.createdBy,
    created_at: new Date(corpus.createdAt).toISOString(),
  };
}

/** One line about a corpus. Its description is text of a caller. */
export function kbLine(corpus: KbEntry, fence: TextFence = NO_FENCE): string {
  const { name, description, documents, folder = '' } = corpus;
  const from = manifestText(corpus) || `folder ${plainLine(folder)}`;
  const count = documents === null ? '' : `, ${documents} documents`;
  return `${name}: from ${from}${count}. ${description && fence(name, quotedLine(description))}`.trim();
}
