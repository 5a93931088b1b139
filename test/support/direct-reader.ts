import type { ArtifactStore } from '../../src/core/ports/work/artifact-store.port.js';
import { TextReader } from '../../src/core/ports/work/text-reader.port.js';
import { readPart } from '../../src/domains/documents/source/sent-document.js';

/** Reads texts in the thread of the test; as between threads, the results are copies. */
export class DirectReader extends TextReader {
  override async read(_caller: string, ...sent: Parameters<typeof readPart>): Promise<unknown> {
    return structuredClone(await readPart(...sent));
  }

  override async close(): Promise<void> {
    // Nothing is open.
  }
}

/** For calls that name no artifact: any use of it fails. */
export const NO_ARTIFACTS = {} as ArtifactStore;
