import { Layout, recordAround } from '../../../../src/ingest/structure/layout.js';
import { splitUnits } from '../../../../src/ingest/structure/split-units.js';

/** The records of a text, each as its lines. */
function recordsOf(text: string): string[] {
  const section = { text, units: splitUnits(text) };
  const layout = new Layout(section);
  const runs = section.units.map((_, at) => recordAround(layout, at));
  const starts = [...new Set(runs.map(({ from }) => from))];
  return starts.map((from) => {
    const { to = from } = runs[from] ?? {};
    return text.slice(section.units[from]?.start, section.units[to]?.end);
  });
}

describe('recordAround', () => {
  it.each([
    [
      'rows whose first cell is empty',
      '| Field | Notes |\n|---|---|\n| depth | In metres. |\n|  | Default: 9 |\n| width | Wide. |',
      ['| Field | Notes |', '| depth | In metres. |\n|  | Default: 9 |', '| width | Wide. |'],
    ],
    [
      'the table of one field',
      '| Type: | number |\n|---|---|\n| Unit: | metres |\n| Default: | 9 |',
      ['| Type: | number |\n|---|---|\n| Unit: | metres |\n| Default: | 9 |'],
    ],
    [
      'rows below an empty header',
      '|  |  |\n|---|---|\n| Type | number |\n| Unit | metres |\n| Default | 9 |\n\nShips lie there.',
      ['| Type | number |\n| Unit | metres |\n| Default | 9 |', 'Ships lie there.'],
    ],
    [
      'the rows of a group below an empty header',
      '|  |  |\n|---|---|\n| **Berths** |  |\n|  | deep |\n|  | wide |\n| **Ships** |  |\n|  | long |',
      ['| **Berths** |  |\n|  | deep |\n|  | wide |', '| **Ships** |  |\n|  | long |'],
    ],
    [
      'a list item with its lines',
      '- `depth` of the berth\n  - Type: number\n  - Default: 9\n- `width` of the berth',
      ['`depth` of the berth\n  - Type: number\n  - Default: 9', '`width` of the berth'],
    ],
    [
      'a term with its lines',
      '**depth**\nThe depth of the berth.\n\nType: number\n\nDefault: 9\n\nShips lie there.',
      ['**depth**\nThe depth of the berth.\n\nType: number\n\nDefault: 9', 'Ships lie there.'],
    ],
    [
      'the cells of a row in HTML',
      '<table>\n<tr><td>depth</td>\n<td>In metres.</td></tr>\n<tr>\n<td>width</td>\n<td>Wide.</td>\n</tr>\n</table>',
      ['depth</td>\n<td>In metres.', 'width</td>\n<td>Wide.'],
    ],
    ['labelled lines', '- Type: number\n- Default: 9', ['Type: number\n- Default: 9']],
  ])('keeps together %s', (_, text, records) => {
    expect(recordsOf(text)).toEqual(records);
  });

  it.each([
    ['sentences', 'The berth is deep. Ships lie there.', ['The berth is deep.', 'Ships lie there.']],
    ['rows', '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |', ['| a | b |', '| 1 | 2 |', '| 3 | 4 |']],
    ['items', '- One ship.\n- Two ships.', ['One ship.', 'Two ships.']],
  ])('does not join other %s', (_, text, records) => {
    expect(recordsOf(text)).toEqual(records);
  });

  it('leaves the parts of a very long record alone', () => {
    const rows = Array.from({ length: 30 }, (_, i) => `|  | The note with number ${i} about the berth. |`);
    const text = ['| Field | Notes |', '|---|---|', '| depth | In metres. |', ...rows].join('\n');
    expect(recordsOf(text)).toHaveLength(32);
  });
});
