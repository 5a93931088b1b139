import { parentPort } from 'node:worker_threads';
import { MalformedDocumentError } from '../reading/parsed-document.js';
import type { ConversionAnswer, ConversionTask } from './converter-thread.js';
import { converterFor } from './converters.js';

async function answer({ format, bytes, path }: ConversionTask): Promise<ConversionAnswer> {
  const convert = await converterFor(format);
  // The first task only starts the thread.
  if (!convert) return { converted: null };
  try {
    return { converted: await convert(bytes, path) };
  } catch (error) {
    return { malformed: failureReason(error) };
  }
}

/** A library that fails has met bytes that it does not know. */
function failureReason(error: unknown): string {
  if (error instanceof MalformedDocumentError) return error.reason;
  return `it can't be read (${error instanceof Error ? error.message.slice(0, 200) : 'unknown error'})`;
}

parentPort?.on('message', (message: ConversionTask | 'close') => {
  if (message === 'close') parentPort?.close();
  else void answer(message).then((result) => parentPort?.postMessage(result));
});
