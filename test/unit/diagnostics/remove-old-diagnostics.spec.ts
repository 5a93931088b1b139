import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { removeOldDiagnostics } from '../../../src/diagnostics/recording.module.js';
import { type TestFolder, testFolder } from '../../support/test-folder.js';

const NOW = Date.UTC(2026, 0, 15, 8);
const PAGE = '11111111-1111-4111-8111-111111111111.md';
const LINES = 'retrieval_diagnostics.jsonl';

let folder: TestFolder;

beforeEach(() => (folder = testFolder()));
afterEach(() => folder.remove());

function make(...names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(dirname(folder.file(name)), { recursive: true });
    writeFileSync(folder.file(name), '');
  }
}

const remove = (options = {}): Promise<{ removed: number }> =>
  removeOldDiagnostics({
    folder: folder.path,
    retentionDays: 14,
    now: () => NOW,
    steady: () => 0,
    timeLimitMs: 1_000,
    ...options,
  });

describe('removeOldDiagnostics', () => {
  it('removes days before the oldest kept day', async () => {
    make(`2025-12-31/${LINES}`, `2025-12-31/${PAGE}`, `2026-01-01/${LINES}`, `2026-01-15/${LINES}`);
    expect(await remove()).toEqual({ removed: 2 });
    expect(readdirSync(folder.path)).toEqual(['2026-01-01', '2026-01-15']);
  });

  it('keeps all days if their number is not limited', async () => {
    make(`2020-01-01/${LINES}`);
    expect(await remove({ retentionDays: 0 })).toEqual({ removed: 0 });
    expect(existsSync(folder.file(`2020-01-01/${LINES}`))).toBe(true);
  });

  it('keeps files that no writer made', async () => {
    const foreign = ['notes.md', `2020-01-01/notes.md`, `2020-02-30/${LINES}`, `old/2020-01-01/${LINES}`];
    make(...foreign, `2020-01-01/${PAGE}`);
    expect(await remove()).toEqual({ removed: 1 });
    expect(foreign.filter((name) => existsSync(folder.file(name)))).toEqual(foreign);
  });

  it('does not follow links', async () => {
    make(`kept/${LINES}`, `2020-01-02/${LINES}`);
    symlinkSync(folder.file('kept'), folder.file('2020-01-01'));
    symlinkSync(folder.file(`kept/${LINES}`), folder.file(`2020-01-02/${PAGE}`));
    expect(await remove()).toEqual({ removed: 1 });
    expect(existsSync(folder.file(`kept/${LINES}`))).toBe(true);
  });

  it('stops at its time limit, oldest days first', async () => {
    make(`2020-01-01/${LINES}`, `2020-01-02/${LINES}`);
    let looks = 0;
    // Read at the start, for the first day, and for its file.
    const steady = (): number => (++looks > 3 ? 1_000 : 0);
    expect(await remove({ steady })).toEqual({ removed: 1 });
    expect(readdirSync(folder.path)).toEqual(['2020-01-02']);
  });

  it('does nothing if the folder does not exist', async () => {
    expect(await remove({ folder: folder.file('none') })).toEqual({ removed: 0 });
  });
});
