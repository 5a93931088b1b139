import { exportGaps, gapLines } from '../../../../src/work/questions/export-gaps.js';
import { gapFacts } from '../../../../src/work/questions/gap.js';
import type { KeptQuestion } from '../../../../src/work/questions/question.js';
import { aGap, aQuestion } from '../../../support/a-question.js';

const facts = (parts: Partial<KeptQuestion> = {}) => {
  const root = aQuestion(parts);
  return gapFacts({ gap: aGap(), needs: [{ root, asks: [root] }] });
};

describe('exportGaps', () => {
  it('writes a list of objects as JSON', () => {
    expect(JSON.parse(exportGaps([facts()], 'json'))).toEqual([facts()]);
  });

  it('writes a row for each gap as CSV', () => {
    const [head, row, end] = exportGaps([facts()], 'csv').split('\r\n');
    expect(head).toContain('"gap_id","state","asked"');
    expect(row).toContain('"q1","open",1,');
    expect(end).toBe('');
  });

  it.each(['=cmd()', '+1', '@SUM(A1)', '-2'])('writes no formula: %s', (text) => {
    expect(exportGaps([facts({ text, missing: text })], 'csv')).not.toMatch(/(?:^|,)"?[=+@-](?!\d*,)/m);
  });

  it('writes nothing that controls a terminal as CSV', () => {
    const text = 'Reef\u001B]0;x\u0007\r\nsail \u202Eback';
    expect(exportGaps([facts({ text, missing: text })], 'csv')).toContain('"Reef�]0;x� sail �back"');
    // eslint-disable-next-line no-control-regex -- what must not be there
    expect(exportGaps([facts({ text, missing: text })], 'csv')).not.toMatch(/[\u0000-\u0009\u001B\u202E]/);
  });

  it('writes an issue for each gap as Markdown', () => {
    const text = exportGaps([facts(), facts({ text: 'Oars?' })], 'markdown');
    expect(text.match(/^## .+$/gm)).toEqual(['## How is a reef taken in?', '## Oars?']);
    expect(text).toContain('- Nearest: Reefs \\> Take (reefs.md\\#take)');
  });

  it('writes no link, image or HTML of a caller as Markdown', () => {
    const text = exportGaps([facts({ text: '![x](http://evil) <script> @team #1\n# Head' })], 'markdown');
    expect(text).not.toMatch(/(?<!\\)(?:!\[|\]\(|<script|@team)|^# /m);
  });
});

describe('gapLines', () => {
  it('says how often a question was asked, and what to add', () => {
    expect(gapLines(facts())).toEqual([
      'How is a reef taken in?',
      '  open, asked once, 1970-01-01 to 1970-01-01, gap q1',
      '  nearest: Reefs > Take (reefs.md#take)',
      '  Write a page or section: answer “How is a reef taken in?”.',
      '',
    ]);
  });
});
