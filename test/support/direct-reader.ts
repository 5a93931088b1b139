import { type DocumentTask, runTask } from '../../src/work/documents/run-task.js';
import { TextReader } from '../../src/work/documents/text-reader.port.js';
import type { ArtifactStore } from '../../src/work/substrate/artifacts/artifact-store.port.js';

/** Runs tasks in the thread of the test; as between threads, tasks and results are copies. */
export class DirectReader extends TextReader {
  override async run(_caller: string, task: DocumentTask): Promise<unknown> {
    return structuredClone(await runTask(structuredClone(task)));
  }

  override async close(): Promise<void> {
    // Nothing is open.
  }
}

/** For calls that name no artifact: any use of it fails. */
export const NO_ARTIFACTS = {} as ArtifactStore;
