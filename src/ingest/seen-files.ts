import { createHash } from 'node:crypto';
import type { SeenFile } from '../core/ports/index-writer.port.js';
import type { DocumentRules } from './reading/document-metadata.js';
import type { FoundFile } from './walk-folder.js';

/** The coarsest clock of a file system, FAT's (ms). A file that changed later may change again without a new time. */
const TICK_MS = 2_000;

/**
 * The hashes of files by what the file system says about them, as Git's index has them. A file with the size, the times of
 * change and the inode of the last run has the same bytes, so it is not read again. (`ctime` can't be set by programs.)
 */
export class SeenFiles {
  private readonly current = new Map<string, SeenFile>();
  private readonly digests = new Map<string, string>();

  /** @param before  from the last run */
  constructor(
    private readonly before: ReadonlyMap<string, SeenFile>,
    private readonly now: () => number,
  ) {}

  /** Stands for a file and everything else that its hash depends on. */
  stampOf({ stat }: FoundFile, rules: DocumentRules, trail: readonly string[]): string {
    const facts = JSON.stringify([rules, trail]);
    const digest = this.digests.get(facts) ?? createHash('sha256').update(facts).digest('base64url');
    this.digests.set(facts, digest);
    return `${stat} ${digest}`;
  }

  /** The entry of a file that has not changed since the last run. It is kept for the next run too. */
  find(path: string, stamp: string): SeenFile | undefined {
    const seen = this.before.get(path);
    if (seen?.stamp !== stamp) return undefined;
    this.current.set(path, seen);
    return seen;
  }

  /** Keeps the entry of a file that was read, unless the file changed a moment ago. */
  keep({ path, ctimeMs }: FoundFile, seen: SeenFile): void {
    if (ctimeMs < this.now() - TICK_MS) this.current.set(path, seen);
  }

  /** For the next run. */
  all(): ReadonlyMap<string, SeenFile> {
    return this.current;
  }
}
