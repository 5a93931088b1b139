import { BackendUnavailableError, InvalidArgumentError } from '../../core/errors.js';
import { RequestThread } from '../../core/threads/request-thread.js';
import { MalformedDocumentError } from '../../ingest/reading/parsed-document.js';
import { READS_TEXTS, type TextAnswer } from './text-answer.js';

/**
 * Longest time of a task (ms). Real pages of 500 KB take about one second, hostile texts of 64 KB up to five. A call has at
 * most two tasks, and two waits for the task of another caller fit into its deadline.
 */
const MAX_READ_MS = 3_000;

const START_MS = 10_000;
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

function notStarted(): BackendUnavailableError {
  return new BackendUnavailableError('The thread that reads documents did not start.', {
    reason: 'text_reader_lost',
    hint: 'Try again; the thread restarts.',
  });
}

function tooCostly(): InvalidArgumentError {
  return new InvalidArgumentError('Reading the document was ended: it took too long, or too much memory.', {
    reason: 'document_too_costly',
    hint: 'Send a part of the document as text, with fewer headings, tables or nested elements.',
  });
}

/** Reads documents without holding up the calls of others. */
export class TextReader {
  private readonly thread = new RequestThread<TextAnswer>({
    script: 'pith.cjs',
    data: READS_TEXTS,
    memory: MEMORY,
    first: { sent: { text: '.', path: 'start.md', now: 0 }, part: 'document' },
    startMs: START_MS,
    limitMs: MAX_READ_MS,
    notStarted,
  });

  /**
   * @param caller  the principal that asks; those whose tasks took less time come first
   * @param task  a `DocumentTask`, which is copied
   * @returns what `runTask` returns
   * @throws MalformedDocumentError; InvalidArgumentError `document_too_costly` after `MAX_READ_MS` or for too much memory
   */
  async run(caller: string, task: object): Promise<unknown> {
    const answer = await this.thread.ask(caller, task);
    if (answer === null) throw tooCostly();
    if ('result' in answer) return answer.result;
    if ('failed' in answer) throw new Error(answer.failed);
    throw new MalformedDocumentError(answer.malformed.line, answer.malformed.reason);
  }

  close(): Promise<void> {
    return this.thread.close();
  }
}
