import { existsSync } from 'node:fs';
import { ConverterThread } from '../../src/ingest/conversion/converter-thread.js';
import { MalformedDocumentError } from '../../src/ingest/reading/parsed-document.js';
import { cpuMsOf } from '../support/growth.js';
import { HOSTILE_PDFS } from '../support/hostile-pdfs.js';

const MAX_CPU_MS = 15_000;
const MAX_GROWTH = 2_000_000_000;

const thread = new ConverterThread();
afterAll(() => thread.close());

async function outcome(bytes: Uint8Array): Promise<string> {
  try {
    return (await thread.convert('a.pdf', bytes))?.text ?? 'no text';
  } catch (error) {
    if (error instanceof MalformedDocumentError) return error.reason;
    throw error;
  }
}

const outcomes: Record<string, string> = {};

describe('a hostile PDF', () => {
  it.each(Object.entries(HOSTILE_PDFS))(
    'ends soon, and nothing else: %s',
    async (name, make) => {
      const bytes = make();
      const memory = process.memoryUsage().rss;
      const ms = await cpuMsOf(async () => (outcomes[name] = await outcome(bytes)));
      expect(ms).toBeLessThan(MAX_CPU_MS);
      expect(process.memoryUsage().rss - memory).toBeLessThan(MAX_GROWTH);
      if (process.env['HOSTILE_PRINT'])
        console.info(
          name,
          outcomes[name]?.slice(0, 150),
          Math.round(ms),
          Math.round((process.memoryUsage().rss - memory) / 1e6),
        );
    },
    70_000,
  );

  it('does not start programs', () => {
    expect(existsSync('/tmp/launched')).toBe(false);
  });
});
