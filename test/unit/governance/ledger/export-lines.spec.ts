import { csvRow, exportLedger } from '../../../../src/governance/ledger/export-lines.js';
import { Ledger } from '../../../../src/governance/ledger/ledger.js';
import { type LedgerLine, type LedgerQuery } from '../../../../src/governance/ledger/ledger-line.js';
import { anEnd, aStart, TIME } from '../../../support/a-ledger.js';

const aLine = (overrides: Partial<LedgerLine> = {}): LedgerLine => ({
  seq: 1,
  time: TIME,
  event: aStart(),
  previous: '',
  hash: 'abc',
  ...overrides,
});

/** Answers queries from lines in memory. */
const ledgerOf = (all: readonly LedgerLine[]): Ledger =>
  Object.assign(Object.create(Ledger.prototype), {
    lines: async ({ after = 0, limit }: LedgerQuery) => all.filter(({ seq }) => seq > after).slice(0, limit),
  });

async function exported(all: readonly LedgerLine[], format: 'jsonl' | 'csv'): Promise<string> {
  let text = '';
  for await (const piece of exportLedger(ledgerOf(all), format)) text += piece;
  return text;
}

const ofTool = (tool: string): string => csvRow(aLine({ event: aStart({ tool }) })).split(',')[5] ?? '';

describe('exportLedger', () => {
  it('writes one JSON object per line', async () => {
    const lines = [aLine(), aLine({ seq: 2, event: anEnd() })];
    const text = await exported(lines, 'jsonl');
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(lines);
  });

  it('writes every page', async () => {
    const lines = Array.from({ length: 2_500 }, (_, i) => aLine({ seq: i + 1 }));
    expect((await exported(lines, 'jsonl')).split('\n')).toHaveLength(2_501);
  });

  it('writes the column heads of CSV, also without lines', async () => {
    expect(await exported([], 'csv')).toMatch(/^seq,time,type,run_id,call_id,.*,previous,hash\r\n$/);
    expect(await exported([], 'jsonl')).toBe('');
  });

  it('has as many cells in each row of CSV as column heads', async () => {
    const rows = (await exported([aLine({ event: anEnd({ refs: [] }) })], 'csv')).trimEnd().split('\r\n');
    expect(rows.map((row) => row.split(',').length)).toEqual([51, 51]);
  });
});

describe('csvRow', () => {
  it.each([['=1+1'], ['+1'], ['-1'], ['@SUM(A1)'], ['\t=1'], ['\r=1'], [' =1'], ['＝1']])(
    'writes %j so that a spreadsheet does not run it',
    (text) => {
      expect(ofTool(text)).toBe(`"'${text}"`);
    },
  );

  it('has all fields of a question to the host of a call', () => {
    const asked = { type: 'tool.call.input_requested', provider: 'files', answer: 'decline' } as const;
    const row = csvRow(aLine({ event: { ...aStart(), ...asked, request: 'sampling' } }));
    expect(row).toContain(',"files","sampling","decline",');
  });

  it('doubles quotes', () => {
    expect(ofTool('a "b"')).toBe('"a ""b"""');
  });

  it('writes numbers and booleans without quotes, and nothing for null', () => {
    const row = csvRow(aLine({ event: anEnd({ rule: null, refs: [] }) }));
    expect(row).toContain(',"success",true,,,12.5,812,203,');
  });
});
