import fc from 'fast-check';
import { readUnits } from '../../../src/ingest/structure/read-units.js';
import { packUnits, unpackUnits } from '../../../src/text/units.js';
import { aUnit } from '../../support/builders.js';

describe('packUnits', () => {
  it('writes three numbers for a plain sentence', () => {
    const units = [
      { ...aUnit({ start: 2, end: 9 }), needs: [0] },
      { ...aUnit({ start: 10, end: 20 }), needs: [1] },
    ];
    expect(packUnits(units)).toBe('[[2,7,0,1,10,0]]');
  });

  it('writes each label once', () => {
    const units = [0, 1].map((at) => ({
      ...aUnit({ start: at, end: at + 1 }),
      needs: [at],
      label: 'Linux "x"',
    }));
    expect(packUnits(units)).toBe('[[0,1,4096,0,0,1,4096,0],"Linux \\"x\\""]');
    expect(unpackUnits(packUnits(units))).toEqual(units);
  });
});

describe('unpackUnits', () => {
  it('finds none in an empty text and in a section without units', () => {
    expect(unpackUnits('')).toEqual([]);
    expect(unpackUnits(packUnits([]))).toEqual([]);
  });

  const LINES = [
    ...['Do this:', '- One. Two.', '  - inner', '1. step', '', '', '| a | b |', '|---|---|', '| 1 | 2 |'],
    ...[
      '```sh',
      'run {',
      '}',
      '```',
      '!!! note "Careful"',
      '    Mind it.',
      '**Term**',
      'Type: number',
      '> quoted',
    ],
  ];

  it('reads what was written, for the units of every text', () => {
    const text = fc.array(fc.constantFrom(...LINES), { maxLength: 40 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, (section) => {
        const units = readUnits(section);
        expect(unpackUnits(packUnits(units))).toEqual(units);
      }),
    );
  });
});
