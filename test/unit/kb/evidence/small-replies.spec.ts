import { EvidenceConfig } from '../../../../src/config/settings/evidence.config.js';
import { EvidenceService } from '../../../../src/kb/evidence/evidence.service.js';
import { retrieveEvidenceTool } from '../../../../src/kb/tools/retrieve-evidence.tool.js';
import type { ToolResult } from '../../../../src/mcp/rendering/render.js';
import { renderWithin } from '../../../../src/mcp/rendering/render-within.js';
import { anIndex, type TestIndex } from '../../../support/an-index.js';
import { aCall } from '../../../support/builders.js';
import { somePassages } from '../../../support/some-passages.js';

const filler = (times: number): string => 'Harbour staff write this down in the evening. '.repeat(times);
const FILES = {
  'quay.md': [
    '# Quay',
    `## North\n\nThe north crane lifts a load of 40 tonnes at most. ${filler(6)}`,
    `## Wind\n\nIn a storm the crane lifts half its load, and the crew waits. ${filler(12)}`,
    `## Night\n\nAfter dark a crane lifts a load of boxes, never of people. ${filler(12)}`,
    `## Paint\n\nA crane that lifts a load loses its paint within a year. ${filler(12)}`,
  ].join('\n\n'),
  'yard.md': `# Yard\n\n## North\n\nThe north crane in the yard lifts a load of 38 tonnes. ${filler(6)}`,
};
const SCOPE = { projectId: 'docs', environment: 'prod' };
const QUESTION = 'Which load does the crane lift?';

let docs: TestIndex;
beforeAll(async () => {
  docs = await anIndex(FILES);
});
afterAll(() => docs.remove());

const asData = (output: unknown): ToolResult => ({ content: [], structuredContent: output, _meta: {} });

async function ask(bytes: number, options = {}) {
  const config = Object.assign(new EvidenceConfig(), { tokens: 1_600 });
  const service = new EvidenceService({ index: docs.index, graph: null }, somePassages(), config, null);
  const input = retrieveEvidenceTool.input.parse({ question: QUESTION, options });
  const reply = await service.retrieve(aCall({ scope: SCOPE }), input);
  return renderWithin(reply, { bytes, tokens: 100_000 }, asData).output;
}
const sectionsOf = ({ quotes }: { quotes: readonly { section_id: string }[] }): string[] => [
  ...new Set(quotes.map(({ section_id }) => section_id)),
];

describe('a reply of evidence that is too large', () => {
  it('keeps the sections of most confidence, which need not be the first to read', async () => {
    const whole = await ask(100_000);
    expect(sectionsOf(whole)).toEqual([
      'quay.md#north',
      'quay.md#night',
      'quay.md#paint',
      'quay.md#wind',
      'yard.md#north',
    ]);
    expect(sectionsOf(await ask(950))).toEqual(['quay.md#north', 'yard.md#north']);
  });

  it('says what was left out', async () => {
    const { partial, limit_reason, hint } = await ask(950, { include_debug: true });
    expect({ partial, limit_reason, hint }).toEqual({
      partial: true,
      limit_reason: 'byte_cap',
      hint: 'Left out to fit one reply: 3 of 5 sections, debug. Ask again with skip_seen for the rest.',
    });
  });

  it('says that debug output was left out if all quotes fit', async () => {
    const whole = await ask(100_000, { include_debug: true });
    const { hint, quotes } = await ask(JSON.stringify(asData(whole)).length - 1, { include_debug: true });
    expect(quotes).toHaveLength(5);
    expect(hint).toBe('Left out to fit one reply: debug.');
  });
});
