import { definitionFinder, versionFinder } from '../../../../src/kb/search/find-definition.js';

const inText = (name: string, text: string) => definitionFinder(name)('Page', text);
const inTitle = (name: string, title: string) => definitionFinder(name)(title, '');

describe('definitionFinder', () => {
  it.each([
    ['--frost', '--frost'],
    ['app.listen', 'app.listen(port[, host])'],
    ['http.Agent', 'Class: `http.Agent`'],
    ['FrostLevel', 'FrostLevel Directive'],
    ['frostlevel', 'FrostLevel'],
    ['level', 'The `level` option'],
  ])('finds %s in the heading %s', (name, title) => {
    expect(inTitle(name, title)).toBe('heading');
  });

  it.each([
    ['--frost', '--frost-level'],
    ['app.listen', 'myapp.listen'],
    ['level', 'Level conversions'],
    ['level', 'Custom frost level'],
    ['--frost', 'When --frost is not enough for berries'],
  ])('finds no definition of %s in the heading %s', (name, title) => {
    expect(inTitle(name, title)).toBe('none');
  });

  it.each([
    ['an item', '- `frost`: cold'],
    ['an item with a type', '* **`frost`** {number} cold'],
    ['an item with a dash', '1. `frost` - cold'],
    ['a row', '| `frost` | cold |'],
    ['a row below an empty cell', '|  | `-f`, `frost` | cold |'],
    ['a value', '| `frost LEVEL` | cold |'],
    ['a bold line', '**_class_ `frost`(_level_, _time=None_)**\nKeeps it cold.'],
    ['a definition list', 'frost\n: cold'],
  ])('finds the term of %s', (_, text) => {
    expect(inText('frost', `Some text.\n\n${text}\n`)).toBe('term');
  });

  it.each([
    ['a sentence', 'The `frost` is: cold'],
    ['a longer name', '- `frost_level`: cold'],
    ['an item without a meaning', '- `frost`\n- `thaw`'],
    ['a link', '- [frost](#frost): see there'],
    ['a later cell', '| `cold` | frost |'],
    ['code', '```yaml\n- frost: 3\n```'],
  ])('finds no term in %s', (_, text) => {
    expect(inText('frost', `Some text.\n\n${text}\n`)).toBe('none');
  });
});

describe('versionFinder', () => {
  it.each([
    ['3.2', 'Version 3.2 (2031-05-01)'],
    ['3.2', 'v3.2 - 2031-05-01'],
    ['v3.2', 'Icebox 3.2 release notes'],
    ['3.2', "What's new in Icebox 3.2"],
    ['3.2', '3.2.0'],
  ])('finds %s in %s', (version, title) => {
    expect(versionFinder(version)(title, false)).toBe(true);
  });

  it.each([
    ['3.2', 'Version 3.2.1'],
    ['3.2', 'Version 13.2'],
    ['3.2', 'Version 3.2-beta1'],
    ['3.2', 'Freezing with Icebox 3.2'],
  ])('does not find %s in %s', (version, title) => {
    expect(versionFinder(version)(title, false)).toBe(false);
  });
});
