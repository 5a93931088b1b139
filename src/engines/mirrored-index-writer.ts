import type { IndexedDocument } from '../core/indexed-document.js';
import {
  type IndexSettings,
  IndexWriter,
  type OnStep,
  type PublishReport,
  type SeenFile,
  type WriterState,
} from '../core/ports/index-writer.port.js';
import type { BuiltIndex, IndexMirror, MirrorProgress, ShowFilled } from '../ingest/built-index.js';

interface Mirroring {
  /** Opens the index that was just published, while `use` runs. */
  readonly withBuilt: (use: (built: BuiltIndex) => Promise<void>) => Promise<void>;
  readonly mirrors: readonly IndexMirror[];
  readonly onProgress: (progress: MirrorProgress) => void;
}

/** Decorates an index writer: after publishing, it copies the index to other engines. */
export class MirroredIndexWriter extends IndexWriter {
  constructor(
    private readonly inner: IndexWriter,
    private readonly mirroring: Mirroring,
  ) {
    super();
  }

  async begin(settings: IndexSettings, rebuild: boolean): Promise<WriterState> {
    for (const mirror of this.mirroring.mirrors) await mirror.check();
    return this.inner.begin(settings, rebuild);
  }

  stage(documents: readonly IndexedDocument[]): Promise<void> {
    return this.inner.stage(documents);
  }

  async publish(present: ReadonlyMap<string, string>, onStep?: OnStep): Promise<PublishReport> {
    const report = await this.inner.publish(present, onStep);
    const { withBuilt, mirrors, onProgress } = this.mirroring;
    await withBuilt(async (built) => {
      const filled: ShowFilled[] = [];
      for (const mirror of mirrors) filled.push(await mirror.fill(built, onProgress));
      // Filling an engine takes minutes; switching its readers is fast. All engines switch together at the end, so they
      // differ only for a moment.
      for (const show of filled) await show();
    });
    return report;
  }

  keepSeen(seen: ReadonlyMap<string, SeenFile>): Promise<void> {
    return this.inner.keepSeen(seen);
  }

  async close(): Promise<void> {
    await this.inner.close();
    for (const mirror of this.mirroring.mirrors) await mirror.close();
  }
}
