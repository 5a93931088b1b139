import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { AuditTrail, prepareAudit } from '../../../../src/governance/audit/audit-trail.js';
import { testFolder } from '../../../support/test-folder.js';

const NOW = Date.parse('2026-11-26T10:00:00Z');
const REFUSED = { event: 'request_refused', status: 401 } as const;
const folder = testFolder();
let made = 0;

afterAll(() => folder.remove());

function aTrail(file = folder.file(`audit-${made++}.jsonl`)) {
  const clock = { now: NOW };
  const onFailure = jest.fn();
  const trail = new AuditTrail(file, { now: () => clock.now, onFailure });
  const lines = (): Record<string, unknown>[] =>
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { clock, file, lines, onFailure, trail };
}

describe('AuditTrail', () => {
  it('writes one line for each event, to a file that only its owner can read', () => {
    const { trail, lines, file } = aTrail();
    trail.note({ ...REFUSED, path: '/mcp\n{"forged":1}' });
    trail.note({ event: 'operator_request', principal: 'ada' });
    expect(lines()).toEqual([
      { at: '2026-11-26T10:00:00.000Z', event: 'request_refused', status: 401, path: '/mcp\n{"forged":1}' },
      { at: '2026-11-26T10:00:00.000Z', event: 'operator_request', principal: 'ada' },
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('counts refusals above twenty in a second, and omits nothing that operators do', () => {
    const { trail, lines, clock } = aTrail();
    for (let i = 0; i < 100; i++) trail.note(REFUSED);
    trail.note({ event: 'operator_request' });
    clock.now += 1_000;
    trail.note(REFUSED);
    expect(lines()).toHaveLength(22);
    expect(lines().slice(20)).toEqual([
      expect.objectContaining({ event: 'operator_request', omitted: 80 }),
      { at: '2026-11-26T10:00:01.000Z', ...REFUSED },
    ]);
  });

  it('keeps one earlier file when the file is full', () => {
    const { trail, file, lines } = aTrail();
    writeFileSync(file, 'x'.repeat(10_485_700));
    trail.note({ event: 'operator_request' });
    expect(lines()).toHaveLength(1);
    expect(statSync(`${file}.1`).size).toBe(10_485_700);
  });

  it('reports once that it cannot write, and again after a success', () => {
    const { trail, file, onFailure } = aTrail(folder.file('missing/audit.jsonl'));
    trail.note(REFUSED);
    trail.note(REFUSED);
    expect(onFailure).toHaveBeenCalledTimes(1);
    mkdirSync(folder.file('missing'));
    trail.note(REFUSED);
    expect(existsSync(file)).toBe(true);
    expect(onFailure).toHaveBeenCalledTimes(1);
  });

  it('writes nothing without a file', () => {
    const onFailure = jest.fn();
    new AuditTrail('', { now: () => NOW, onFailure }).note(REFUSED);
    expect(onFailure).not.toHaveBeenCalled();
  });
});

describe('the file of the audit at the start', () => {
  it('is made for its owner alone, and one that others can read is closed to them', () => {
    const file = folder.file('new.jsonl');
    prepareAudit(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { trail, file: open } = aTrail();
    trail.note(REFUSED);
    chmodSync(open, 0o644);
    prepareAudit(open);
    expect(statSync(open).mode & 0o777).toBe(0o600);
    expect(readFileSync(open, 'utf8')).toContain('"status":401');
  });

  it('is refused if it belongs to another program, and stays as it is', () => {
    const file = folder.file('other.log');
    writeFileSync(file, 'a line of another program\n', { mode: 0o644 });
    expect(() => prepareAudit(file)).toThrow(`PITH_AUDIT_FILE: ${file} can't be used: it has other text`);
    expect(readFileSync(file, 'utf8')).toBe('a line of another program\n');
    expect(statSync(file).mode & 0o777).toBe(0o644);
  });

  it.each(['nowhere/audit.jsonl', '.'])('is refused if it can not be written: %s', (name) => {
    expect(() => prepareAudit(folder.file(name))).toThrow(/PITH_AUDIT_FILE: .* can't be used: E/);
  });

  it('may be a device or a pipe, or not be wanted', () => {
    const pipe = folder.file('pipe');
    execFileSync('mkfifo', [pipe]);
    prepareAudit(pipe);
    prepareAudit('/dev/null');
    prepareAudit('');
  });
});
