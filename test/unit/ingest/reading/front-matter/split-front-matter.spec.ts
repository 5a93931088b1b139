import { splitFrontMatter } from '../../../../../src/ingest/reading/front-matter/split-front-matter.js';

describe('splitFrontMatter', () => {
  it('splits the map from the top and returns the first line of the body', () => {
    const split = splitFrontMatter('---\ntitle: A\ntags: [x, y]\n---\nBody\n');
    expect(split).toMatchObject({
      frontMatter: { title: 'A', tags: ['x', 'y'] },
      body: 'Body\n',
      bodyLine: 5,
    });
  });

  it.each([
    ['dots close it', '---\na: 1\n...\nx', { a: 1 }, 'x', 4],
    ['nothing is in it', '---\n---\nx', {}, 'x', 3],
    ['blank lines are above it', '\n \n---\na: 1\n---\nx', { a: 1 }, 'x', 6],
    ['only a comment is in it', '---\n# none\n---\nx', {}, 'x', 4],
    ['the file ends with it', '---\na: 1\n---', { a: 1 }, '', 4],
    [
      'patterns of Cursor have no quotation marks',
      '---\nglobs: *.ts,**/*.tsx\na: true\n---\nx',
      { globs: '*.ts,**/*.tsx', a: true },
      'x',
      5,
    ],
    ['a list closes in the first column', '---\na: [\n  x\n]\n---\n', { a: ['x'] }, '', 6],
  ])('reads front matter if %s', (_what, source, frontMatter, body, bodyLine) => {
    expect(splitFrontMatter(source)).toMatchObject({ frontMatter, body, bodyLine });
  });

  it.each([
    ['prose follows a rule that nothing closes', '---\nNote: ships leave at noon.\n'],
    ['prose follows a thematic break', '---\nJust prose.\n---\n'],
    ['it is a list', '---\n- a\n---\n'],
    ['it is not at the top', '\nText\n\n---\na: 1\n---\n'],
    ['prose between rules follows a blank line', '\n---\nJust prose.\n---\n'],
    ['the first line has more text', '--- x\na: 1\n---\n'],
  ])('leaves the text unchanged if %s', (_what, source) => {
    expect(splitFrontMatter(source)).toEqual({
      ...{ frontMatter: {}, written: [], problems: [] },
      ...{ body: source, bodyLine: 1 },
    });
  });

  it.each([
    ['YAML', '---\ntitle: A\n\nText\n', 'no line ends it'],
    ['TOML', '+++\ntitle = "A"\n\nText\n', 'no line ends it'],
    ['an object', '{\n  "title": "A"\n\nText\n', 'the JSON has no end'],
    ['an object with text after it', '{ "title": "A" } and more\n', 'the JSON has no end'],
  ])('keeps %s without an end as text, and says so', (_what, source, reason) => {
    expect(splitFrontMatter(source)).toEqual({
      ...{
        frontMatter: {},
        written: [],
        problems: [{ line: 1, reason: `front matter not read: ${reason}` }],
      },
      ...{ body: source, bodyLine: 1 },
    });
  });

  it.each([
    ['TOML', '+++\ntitle = "A"\ntags = ["x"]\n+++\nText'],
    ['TOML below blank lines', '\n\n+++\ntitle = "A"\ntags = ["x"]\n+++\nText'],
    ['TOML named in the first line', '---toml\ntitle = "A"\ntags = ["x"]\n---\nText'],
    ['an object', '{\n  "title": "A",\n  "tags": ["x"] }\nText'],
    ['JSON without braces', ';;;\n"title": "A",\n"tags": ["x"]\n;;;\nText'],
    ['JSON named in the first line', '---json\n{ "title": "A",\n"tags": ["x"] }\n---\nText'],
  ])('reads %s', (_what, source) => {
    const bodyLine = source.split('\n').length;
    const frontMatter = { title: 'A', tags: ['x'] };
    expect(splitFrontMatter(source)).toMatchObject({ frontMatter, problems: [], body: 'Text', bodyLine });
  });

  it.each([
    ['a comment of MDX', '{/* about */}\n'],
    ['a template', '{{ title }}\n'],
    ['a passed block of AsciiDoc', '++++\n<b>x</b>\n++++\n'],
    ['plus signs around prose', '+++\nJust prose.\n+++\n'],
  ])('takes %s as text', (_what, source) => {
    expect(splitFrontMatter(source)).toMatchObject({ frontMatter: {}, problems: [], body: source });
  });

  it('returns the entries of TOML as written, with their lines', () => {
    const toml =
      'version = 7.10 # now\ndate = 2024-05-06\ndraft = false\ntags = ["a"]\n[metadata]\nbeta = "yes"';
    const { frontMatter, written } = splitFrontMatter(`+++\n${toml}\n+++\n`);
    expect(frontMatter).toMatchObject({ date: '2024-05-06', draft: false });
    expect(written).toEqual([
      { below: 'top', key: 'version', value: '7.10', line: 2 },
      { below: 'top', key: 'date', value: '2024-05-06', line: 3 },
      { below: 'top', key: 'draft', value: 'false', line: 4 },
      { below: 'top', key: 'tags', value: null, line: 5 },
      { below: 'metadata', key: 'beta', value: 'yes', line: 7 },
    ]);
  });

  it('returns the entries of an object with their lines', () => {
    expect(splitFrontMatter('{\n  "title": "A"\n}\n').written).toEqual([
      { below: 'top', key: 'title', value: 'A', line: 2 },
    ]);
  });

  it.each([
    ['TOML', '+++\ntitle = "A"\n[extra]\ntitle = "B"\nowner = "ops"\n[taxonomies]\ntags = ["x"]\n+++\n'],
    ['YAML', '---\ntitle: A\nparams:\n  title: B\n  owner: ops\ntaxonomies:\n  tags: [x]\n---\n'],
  ])(
    'reads parameters and taxonomies of %s as entries of the page, whose own come first',
    (_what, source) => {
      const { frontMatter, written } = splitFrontMatter(source);
      expect(frontMatter).toMatchObject({ title: 'A', owner: 'ops', tags: ['x'] });
      expect(Object.fromEntries(written.map(({ key, value }) => [key, value]))).toMatchObject({
        title: 'A',
        owner: 'ops',
      });
    },
  );

  it('reads the entries of TOML around a broken one', () => {
    const toml = 'title = "A"\nowner = ops\n[extra]\ntone = "low"';
    expect(splitFrontMatter(`+++\n${toml}\n+++\nText`)).toMatchObject({
      frontMatter: { title: 'A', tone: 'low' },
      problems: [{ line: 3, reason: expect.stringMatching(/^front matter partly read: /) }],
      body: 'Text',
    });
  });

  it('keeps dates as written', () => {
    expect(splitFrontMatter('---\ndate: 2024-05-01\n---\n').frontMatter).toEqual({ date: '2024-05-01' });
  });

  it('returns entries as written, at the top level and below the two metadata keys', () => {
    const yaml =
      'version: 7.10\nmetadata: &m\n  beta: yes\n  big: 0x1F\n  none:\nmcp_metadata: *m\ntags: [a]';
    expect(splitFrontMatter(`---\n${yaml}\n---\n`).written).toEqual([
      { below: 'top', key: 'version', value: '7.10', line: 2 },
      { below: 'top', key: 'tags', value: null, line: 8 },
      { below: 'metadata', key: 'beta', value: 'yes', line: 4 },
      { below: 'metadata', key: 'big', value: '0x1F', line: 5 },
      { below: 'mcp_metadata', key: 'beta', value: 'yes', line: 4 },
      { below: 'mcp_metadata', key: 'big', value: '0x1F', line: 5 },
    ]);
  });

  it('reads the entries around a broken one, and keeps the body', () => {
    const yaml = 'title: ForEach-Object\naliases:\n  - %\n  - foreach\nms.date: 01/18/2026 # today\n';
    expect(splitFrontMatter(`---\n${yaml}---\nBody\n`)).toEqual({
      frontMatter: { title: 'ForEach-Object', 'ms.date': '01/18/2026' },
      written: [
        { below: 'top', key: 'title', value: 'ForEach-Object', line: 2 },
        { below: 'top', key: 'ms.date', value: '01/18/2026', line: 6 },
      ],
      problems: [
        {
          line: 4,
          reason: 'front matter partly read: Plain value cannot start with directive indicator character %',
        },
      ],
      body: 'Body\n',
      bodyLine: 8,
    });
  });

  it.each([
    ['the last of equal keys', 'a: 1\nb: 2\na: 3', { a: 3, b: 2 }, 4],
    ['a text with an open quote', 'a: "x y\nb: 2', { a: 'x y', b: 2 }, 4],
    ['a text with a colon', 'title: Disks: a guide\nb: 2', { title: 'Disks: a guide', b: 2 }, 2],
    [
      'a text that looks like an alias',
      'title: *Disks* and more\nb: 2',
      { title: '*Disks* and more', b: 2 },
      2,
    ],
    ['nothing of an open list', 'a: [x, "y]\nb: 2', { b: 2 }, 4],
    ['nothing of a line without a key', 'a: 1\n@ lost\nb: 2', { a: 1, b: 2 }, 3],
    ['a map below a key', 'bad: [\nmetadata:\n  beta: yes\n', { metadata: { beta: 'yes' } }, 3],
  ])('keeps %s of broken YAML', (_what, yaml, frontMatter, line) => {
    expect(splitFrontMatter(`---\n${yaml}\n---\nx`)).toMatchObject({
      frontMatter,
      problems: [{ line, reason: expect.stringMatching(/^front matter partly read: /) }],
      body: 'x',
    });
  });

  it('returns the lines of entries around a broken one', () => {
    const { written } = splitFrontMatter('---\nbad: [\nmetadata:\n  beta: yes\nversion: 7.10\n---\n');
    expect(written).toEqual([
      { below: 'metadata', key: 'beta', value: 'yes', line: 4 },
      { below: 'top', key: 'version', value: '7.10', line: 5 },
    ]);
  });

  it('leaves out entries whose aliases expand exponentially', () => {
    const level = (name: string, of: string) => `${name}: &${name} [${`*${of},`.repeat(9)}]\n`;
    const bomb = `---\na: &a [x,x,x]\n${level('b', 'a')}${level('c', 'b')}${level('d', 'c')}---\nBody`;
    expect(splitFrontMatter(bomb)).toMatchObject({ frontMatter: { a: ['x', 'x', 'x'] }, body: 'Body' });
  });

  it.each([
    ['too long', `a: ${'x'.repeat(500_001)}`],
    ['made of too many keys', 'a: 1\n'.repeat(5_001)],
  ])('does not read front matter that is %s', (_what, yaml) => {
    expect(splitFrontMatter(`---\n${yaml}\n---\nBody`)).toMatchObject({
      frontMatter: {},
      problems: [{ line: 1, reason: expect.stringMatching(/^front matter not read: /) }],
      body: 'Body',
    });
  });
});

it('counts the blank lines above front matter', () => {
  const { written } = splitFrontMatter('\n\n---\na: 1\n---\nx');
  expect(written).toEqual([{ key: 'a', value: '1', below: 'top', line: 4 }]);
});

it.each(['---\nallow: hr\n', '+++\nallow = "hr"\n'])(
  'reports front matter below blank lines that nothing ends: %j',
  (written) => {
    const source = `\n\n${written}\nText.\n`;
    const { body, bodyLine, problems } = splitFrontMatter(source);
    expect({ body, bodyLine }).toEqual({ body: source, bodyLine: 1 });
    expect(problems).toEqual([{ line: 3, reason: 'front matter not read: no line ends it' }]);
  },
);
