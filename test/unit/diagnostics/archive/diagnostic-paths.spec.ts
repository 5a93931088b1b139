import { join } from 'node:path';
import {
  isDay,
  isDiagnosticId,
  isOurs,
  pathsOf,
} from '../../../../src/diagnostics/archive/diagnostic-paths.js';
import { aDiagnosticRecord } from '../../../support/a-diagnostic.js';

describe('pathsOf', () => {
  it('puts a record into the folder of its day', () => {
    expect(pathsOf('reports', aDiagnosticRecord())).toEqual({
      jsonl: join('reports', '2026-01-01', 'retrieval_diagnostics.jsonl'),
      markdown: join('reports', '2026-01-01', '11111111-1111-4111-8111-111111111111.md'),
    });
  });

  it.each([{ diagnostic_id: '../../etc/passwd' }, { timestamp: '../../../xx' }])('refuses %j', (parts) => {
    expect(() => pathsOf('reports', aDiagnosticRecord(parts))).toThrow(RangeError);
  });
});

describe('isDay', () => {
  it.each(['2026-01-01', '2024-02-29'])('accepts %s', (text) => expect(isDay(text)).toBe(true));

  it.each(['2026-02-30', '2026-13-01', '2026-1-1', '2026-01-01\n', '', '..', '٢٠٢٦-01-01'])(
    'refuses %j',
    (text) => expect(isDay(text)).toBe(false),
  );
});

describe('isDiagnosticId', () => {
  it('accepts a UUID', () => {
    expect(isDiagnosticId('11111111-1111-4111-8111-111111111111')).toBe(true);
  });

  it.each([
    '',
    '11111111-1111-4111-8111-11111111111',
    '11111111-1111-4111-8111-111111111111\n',
    '../11111111-1111-4111-8111-111111111111',
  ])('refuses %j', (text) => expect(isDiagnosticId(text)).toBe(false));
});

describe('isOurs', () => {
  it.each(['retrieval_diagnostics.jsonl', '11111111-1111-4111-8111-111111111111.md'])('accepts %s', (name) =>
    expect(isOurs(name)).toBe(true),
  );

  it.each(['notes.md', 'retrieval_diagnostics.jsonl.gz', '11111111-1111-4111-8111-111111111111'])(
    'refuses %s',
    (name) => expect(isOurs(name)).toBe(false),
  );
});
