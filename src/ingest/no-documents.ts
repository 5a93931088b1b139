import { InvalidArgumentError } from '../core/errors.js';
import type { PassedOver } from './walk-folder.js';

/** The counts of a run that found no document. */
interface Nothing {
  /** The folders. */
  readonly roots: readonly string[];
  readonly skipped: readonly PassedOver[];
  readonly unread: readonly string[];
  readonly ignored: number;
}

/** A folder without documents that was never indexed is more likely a mistake than a request to empty the index. */
export function noDocuments({ roots, skipped, unread, ignored }: Nothing): InvalidArgumentError {
  const [first] = skipped;
  const why = [
    ...(first ? [`${skipped.length} skipped; ${first.path}: ${first.reason}`] : []),
    ...(ignored > 0 ? [`${ignored} ignored by .gitignore or .ignore`] : []),
    ...(unread.length > 0 ? [`${unread.length} in unsupported formats`] : []),
  ];
  const because = why.length > 0 ? ` (${why.join('; ')})` : '';
  const where = roots.join(', ');
  return new InvalidArgumentError(`No documents to index in ${where}${because}.`, {
    reason: 'no_documents',
    hint:
      ignored > 0
        ? 'Use --no-ignore to index files that .gitignore and .ignore exclude. An existing index is unchanged.'
        : 'Give a folder with .md, .mdx, .rst, .adoc, .html or .txt files. An existing index is unchanged.',
  });
}
