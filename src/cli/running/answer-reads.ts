import type { MessagePort } from 'node:worker_threads';
import { readPart } from '../../domains/documents/source/sent-document.js';
import type { TextAnswer, TextTask } from '../../engines/texts/text-answer.js';
import { MalformedDocumentError } from '../../ingest/reading/parsed-document.js';

async function answer({ text, part }: TextTask): Promise<TextAnswer> {
  try {
    return { read: await readPart(text, part) };
  } catch (error) {
    if (error instanceof MalformedDocumentError)
      return { malformed: { line: error.line, reason: error.reason } };
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** The work of the thread that reads texts of calls. */
export function answerReads(port: MessagePort): void {
  port.on('message', (message: TextTask | 'close') => {
    if (message === 'close') port.close();
    else void answer(message).then((answered) => port.postMessage(answered));
  });
}
