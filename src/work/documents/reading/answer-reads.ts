import type { MessagePort } from 'node:worker_threads';
import { MalformedDocumentError } from '../../../ingest/reading/parsed-document.js';
import { type DocumentTask, runTask } from '../run-task.js';
import type { TextAnswer } from './text-answer.js';

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
