import type { MessagePort } from 'node:worker_threads';
import { MalformedDocumentError } from '../../ingest/reading/parsed-document.js';
import { labelPassages, type LabelTask } from './label-passages.js';
import type { ReadTask } from './read-document.js';
import { readSent } from './sent-document.js';
import { readStored } from './stored-document.js';
import type { TextAnswer } from './text-answer.js';

/** Work on a document whose time grows with it, as it passes between threads. */
export type DocumentTask = ReadTask | LabelTask;

/** @returns a `ReadDocument`, or `LabelledPassages[]` for a `LabelTask` @throws MalformedDocumentError */
export async function runTask(task: DocumentTask): Promise<unknown> {
  if ('sent' in task) return readSent(task.sent, task.part);
  if ('stored' in task) return readStored(task.stored, task.part);
  return labelPassages(task);
}

async function answer(task: DocumentTask): Promise<TextAnswer> {
  try {
    return { result: await runTask(task) };
  } catch (error) {
    if (error instanceof MalformedDocumentError)
      return { malformed: { line: error.line, reason: error.reason } };
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** The work of the thread that reads texts of calls. */
export function answerReads(port: MessagePort): void {
  port.on('message', (message: DocumentTask | 'close') => {
    if (message === 'close') port.close();
    else void answer(message).then((answered) => port.postMessage(answered));
  });
}
