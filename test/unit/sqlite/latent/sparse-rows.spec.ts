import { addWeightedRows, multiply, transpose } from '../../../../src/sqlite/latent/sparse-rows.js';
import { aSparseRow } from './a-sparse-row.js';

describe('addWeightedRows', () => {
  it('adds to existing values', () => {
    const sum = new Float64Array([10, 20]);
    addWeightedRows(sum, new Int8Array([1, 2, 3, 4]), aSparseRow({ 1: 2 }));
    expect([...sum]).toEqual([16, 28]);
  });

  it('handles groups of four rows and the remaining ones', () => {
    const sum = new Float64Array(1);
    const matrix = new Float32Array([1, 2, 3, 4, 5, 6]);
    addWeightedRows(sum, matrix, aSparseRow({ 0: 1, 1: 1, 2: 1, 3: 1, 4: 10, 5: 100 }));
    expect([...sum]).toEqual([660]);
  });
});

describe('multiply', () => {
  it('gives one row for each sparse row', () => {
    const rows = [aSparseRow({ 0: 1 }), aSparseRow({}), aSparseRow({ 0: 1, 1: 2 })];
    expect([...multiply(rows, new Float32Array([1, 2, 3, 4]), 2)]).toEqual([1, 2, 0, 0, 7, 10]);
  });

  it('gives nothing for no rows', () => {
    expect([...multiply([], new Float32Array(0), 2)]).toEqual([]);
  });
});

describe('transpose', () => {
  it('makes a row of each column, even of one without values', () => {
    const rows = [aSparseRow({ 0: 1, 2: 2 }), aSparseRow({ 2: 3 })];
    expect(transpose(rows, 3)).toEqual([aSparseRow({ 0: 1 }), aSparseRow({}), aSparseRow({ 0: 2, 1: 3 })]);
  });
});
