import { rulesFrom } from '../../../../../src/ingest/conversion/pdf/drawn-rules.js';

describe('rulesFrom', () => {
  it('takes a thin box for a line, and a shape of many points for none', () => {
    const box = [0, 10, 20, 1, 110, 20, 1, 110, 21, 1, 10, 21, 4];
    expect(rulesFrom(box, true, [1, 0, 0, 1, 0, 0])).toEqual([{ x0: 10, y0: 20.5, x1: 110, y1: 20.5 }]);
    const shape = [0, 0, 0, ...Array.from({ length: 600_000 }, (_, i) => (i % 3 === 0 ? 1 : i))];
    expect(rulesFrom(shape, true, [1, 0, 0, 1, 0, 0])).toEqual([]);
  });
});
