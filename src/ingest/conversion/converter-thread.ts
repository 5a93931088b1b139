import { BackendUnavailableError } from '../../core/errors.js';
import { RequestThread } from '../../core/threads/request-thread.js';
import { MalformedDocumentError } from '../reading/parsed-document.js';
import { extensionOf } from '../reading/readers.js';
import type { ConvertedText } from './converted-text.js';
import { formatToConvert, isCode } from './formats.js';

export interface ConversionTask {
  /** See `formatToConvert`; '' to start the thread. */
  readonly format: string;
  readonly bytes: Uint8Array;
  readonly path: string;
}

export type ConversionAnswer = { readonly converted: ConvertedText | null } | { readonly malformed: string };

/**
 * Longest time of one file (ms), on the clock. The slowest real documents that were tried take 8 seconds of an idle processor,
 * and 40 on a machine with ten programs for each processor.
 */
const MAX_CONVERSION_MS = 60_000;
const START_MS = 20_000;
const MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 };
/** Most bytes by which the process can grow for one file. */
const MAX_GROWTH = 1_000_000_000;
const START: ConversionTask = { format: '', bytes: new Uint8Array(), path: '' };

/** Converts files on a thread of its own, which hostile files can at most end. It starts with the first file. */
export class ConverterThread {
  private readonly thread = new RequestThread<ConversionAnswer>({
    script: 'convert-worker.cjs',
    data: {},
    memory: MEMORY,
    first: START,
    startMs: START_MS,
    limitMs: MAX_CONVERSION_MS,
    maxGrowth: MAX_GROWTH,
    notStarted: () =>
      new BackendUnavailableError('The thread that converts documents did not start.', {
        reason: 'converter_lost',
        hint: 'Try again; files that were read before are not read again.',
      }),
  });

  /**
   * @returns undefined for a file that needs no conversion
   * @throws MalformedDocumentError also for a file that takes too long or too much memory
   */
  async convert(path: string, bytes: Uint8Array): Promise<ConvertedText | undefined> {
    const format = isCode(path) ? extensionOf(path) : formatToConvert(path, bytes);
    if (format === null) return undefined;
    const answer = await this.thread.ask('', { format, bytes, path });
    if (answer === null)
      throw new MalformedDocumentError(0, 'reading it was ended: it takes too long, or too much memory');
    if ('malformed' in answer) throw new MalformedDocumentError(0, answer.malformed);
    if (answer.converted === null) throw new Error(`no converter for ${path}`);
    return answer.converted;
  }

  close(): Promise<void> {
    return this.thread.close();
  }
}
