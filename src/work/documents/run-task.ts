import { labelPassages, type LabelTask } from './classifying/label-passages.js';
import type { ReadTask } from './source/read-document.js';
import { readSent } from './source/sent-document.js';
import { readStored } from './source/stored-document.js';

/** Work on a document whose time grows with it, as it passes between threads. */
export type DocumentTask = ReadTask | LabelTask;

/** @returns a `ReadDocument`, or `LabelledPassages[]` for a `LabelTask` @throws MalformedDocumentError */
export async function runTask(task: DocumentTask): Promise<unknown> {
  if ('sent' in task) return readSent(task.sent, task.part);
  if ('stored' in task) return readStored(task.stored, task.part);
  return labelPassages(task);
}
