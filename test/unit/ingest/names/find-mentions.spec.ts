import fc from 'fast-check';
import { findMentions } from '../../../../src/ingest/names/find-mentions.js';
import { aSection } from '../../../support/builders.js';

/** Formats a mention as `Type name`, with `×n` if it occurs more than once and `!` if it is defined. */
const mentions = (text: string, title = 'Use'): string[] =>
  findMentions([aSection({ text, title })]).map(
    ({ type, name, count, isDefined }) =>
      `${type} ${name}${count === 1 ? '' : `×${count}`}${isDefined ? '!' : ''}`,
  );

describe('findMentions', () => {
  describe('in inline code', () => {
    it.each<[string, string, string[]]>([
      ['an identifier', 'Call `openLid` now.', ['Symbol openLid']],
      ['a call', 'Call `openLid()` now.', ['Symbol openLid']],
      ['a call with arguments', 'Call `openLid(() => lid)` now.', ['Symbol openLid']],
      ['a member', 'Call `box.lid.open()` now.', ['Symbol box.lid.open']],
      ['a qualified name', 'Call `acme::box` now.', ['Symbol acme::box']],
      ['type arguments', 'Use `Box<Lid>` here.', ['Symbol Box']],
      ['a decorator', 'Use `@Lid({ open: 1 })` here.', ['Symbol @Lid']],
      ['a package', 'Use `@acme/lids` here.', ['Symbol @acme/lids']],
      ['a name after a keyword', 'Use `new Lid()` here.', ['Symbol Lid']],
      ['an endpoint', 'Ask `GET /lids/:id` here.', ['Symbol GET /lids/:id']],
      ['an option', 'Pass `--lid-size` here.', ['Option --lid-size']],
      ['an option with a value', 'Pass `--port=8080` or `--port <n>`.', ['Option --port×2']],
      ['a short and a long option', 'Pass `-p, --port`.', ['Option --port', 'Option -p']],
      ['a switch with a slash', 'Pass `/Zc:inline` or `/O2`.', ['Option /O2', 'Option /Zc:inline']],
      ['a variable', 'Set `ACME_PORT` first.', ['EnvironmentVariable ACME_PORT']],
      ['a variable that is set', 'Set `PORT=80` first.', ['EnvironmentVariable PORT']],
      ['a variable that code reads', 'Read `process.env.PORT` here.', ['EnvironmentVariable PORT']],
      ['a variable in braces', 'Read `${HOME}` or `$env:Home`.', ['EnvironmentVariable HOME×2']],
      ['a file', 'Edit `acme.json` and `src/lid.ts`.', ['File acme.json', 'File src/lid.ts']],
      ['a folder', 'Look in `./lids/big` now.', ['File ./lids/big']],
      ['a dot file', 'Edit `.env` now.', ['File .env']],
      ['an error class', 'It throws `LidStuckError` then.', ['Error LidStuckError']],
      ['an error code', 'It fails with `ECONNREFUSED`.', ['Error ECONNREFUSED']],
      ['a cmdlet', 'Run `Get-Lid -Open` now.', ['Option -Open', 'Command Get-Lid']],
      ['a command line', 'Run `npm install --save lids` now.', ['Option --save', 'Command npm install']],
      [
        'an unknown program with an option',
        'Run `lidctl open --wide`.',
        ['Option --wide', 'Command lidctl open'],
      ],
      ['a quoted key', 'Set `"lid": true` there.', ['Symbol lid']],
      [
        'a dotted key where settings are the subject',
        'The setting `lid.size` holds.',
        ['ConfigurationKey lid.size'],
      ],
      ['a dotted name elsewhere', 'The tool `lid.open` answers.', ['Symbol lid.open']],
    ])('reads %s', (_, text, expected) => {
      expect(mentions(text)).toEqual(expected);
    });

    it.each([
      ['keywords and literals', '`true`, `null`, `string`, `void`, `const` and `int`'],
      ['single characters and short words', '`x`, `n` and `is`'],
      ['numbers and versions', '`42`, `3.5` and `v1.2.3`'],
      ['punctuation', '`=>` and `...`'],
      ['sentences', '`Lid is open`'],
      ['text in quotes', "`'hello'`"],
      ['placeholders', '`<name>`'],
      ['addresses', '`https://acme.example/lid` and `acme.com`'],
      ['routes', '`/lids`'],
    ])('leaves %s out', (_, text) => {
      expect(mentions(text)).toEqual([]);
    });

    it('treats upper-case words as constants if code uses them as such', () => {
      expect(mentions('Use `LID_SIZE`.\n\n```ts\nopen(LID_SIZE);\n```')).toEqual(['Symbol LID_SIZE×2']);
    });
  });

  describe('in fences', () => {
    it.each<[string, string, string[]]>([
      ['a command line', '```sh\nlid open big.txt\n```', ['Command lid open']],
      [
        'several commands',
        '```bash\ncd lids && lid open | grep big\n```',
        ['Command cd', 'Command grep', 'Command lid open'],
      ],
      [
        'options over lines',
        '```sh\nlid open \\\n  --wide -f x\n```',
        ['Option --wide', 'Option -f', 'Command lid open'],
      ],
      ['only lines with a prompt', '```console\n$ lid open\nopening now\n```', ['Command lid open']],
      ['prompts without a language', '```\n$ lid open\nopening now\n```', ['Command lid open']],
      [
        'variables of a command',
        '```sh\nLID_SIZE=3 lid open $LID_DIR\n```',
        ['EnvironmentVariable LID_DIR', 'EnvironmentVariable LID_SIZE', 'Command lid open'],
      ],
      [
        'cmdlets with parameters',
        '```powershell\n$x = Get-Lid -Open | Set-Lid\n```',
        ['Option -Open', 'Command Get-Lid', 'Command Set-Lid'],
      ],
      [
        'variables that code reads',
        '```ts\nconst a = process.env.LID_SIZE;\n```',
        ['EnvironmentVariable LID_SIZE'],
      ],
      ['variables of an .env file', '```env\nLID_SIZE=3\n```', ['EnvironmentVariable LID_SIZE']],
      ['error codes', '```text\nerror LNK2019: no lid\n```', ['Error LNK2019']],
      [
        'names that are inline code, too',
        'Use `openLid`.\n\n```ts\nopenLid(shut); box.openLid();\n```',
        ['Symbol openLid×3'],
      ],
      [
        'keys that are inline code, too',
        'Set `lid`.\n\n```yaml\nlid: big\nbox: small\n```',
        ['ConfigurationKey lid×2'],
      ],
    ])('reads %s', (_, text, expected) => {
      expect(mentions(text)).toEqual(expected);
    });

    it.each([
      ['names of other code', '```ts\nconst lid = openLid(box);\n```'],
      ['comments of a shell', '```sh\n# lid open\n```'],
      ['a shell’s own words', '```sh\nif true; then\nfi\n```'],
    ])('leaves %s out', (_, text) => {
      expect(mentions(text)).toEqual([]);
    });

    it('finds names of one section in a fence of another', () => {
      const found = findMentions([
        aSection({ ordinal: 0, anchor: 'a', text: 'Use `openLid`.' }),
        aSection({ ordinal: 1, anchor: 'b', text: '```ts\nopenLid();\n```' }),
      ]);
      expect(found.map(({ section, name }) => [section, name])).toEqual([
        [0, 'openLid'],
        [1, 'openLid'],
      ]);
    });
  });

  describe('in prose', () => {
    it.each<[string, string, string[]]>([
      ['camel case', 'Then openLid runs.', ['Symbol openLid']],
      ['snake case', 'Then open_lid runs.', ['Symbol open_lid']],
      ['an escaped name', 'Then open\\_lid runs.', ['Symbol open_lid']],
      ['empty call marks', 'Then open() runs.', ['Symbol open']],
      ['a dotted name', 'Then box.lid runs.', ['Symbol box.lid']],
      ['a qualified name', 'Then acme::lid runs.', ['Symbol acme::lid']],
      ['a product', 'It needs LidMaker here.', ['Concept LidMaker']],
      ['a name in Pascal case that is code, too', 'LidMaker is `LidMaker`.', ['Symbol LidMaker×2']],
      ['a variable', 'Then set LID_SIZE.', ['EnvironmentVariable LID_SIZE']],
      ['a long option', 'Then pass --wide.', ['Option --wide']],
      ['a file', 'Then edit acme.json.', ['File acme.json']],
      ['error codes', 'It says C2065 or EADDRINUSE.', ['Error C2065', 'Error EADDRINUSE']],
      ['statuses', 'It says 404 Not Found or -32602.', ['Error -32602', 'Error 404 Not Found']],
    ])('reads %s', (_, text, expected) => {
      expect(mentions(text)).toEqual(expected);
    });

    it.each([
      ['words', 'A well-known lid, e.g. Fig. 3 and/or so; Node.js, macOS, iPhone, APIs.'],
      ['standards', 'It speaks ISO8601, RFC6749 and SHA256.'],
      ['addresses', 'See https://acme.example/openLid or acme.com for it.'],
      ['the address of a link', 'See [the lid](open_lid.md).'],
      ['tags', 'A <a href="open_lid.md">lid</a>.'],
      ['English that looks like a cmdlet', 'It is Read-Only here.'],
    ])('leaves %s out', (_, text) => {
      expect(mentions(text).filter((mention) => !mention.endsWith('macOS'))).toEqual([]);
    });
  });

  describe('as definitions', () => {
    it.each<[string, string, string[]]>([
      ['a term in bold', '**Lid** is what shuts a box.', ['Concept Lid!']],
      ['a term in italics', 'So. *Open lid* means that it is not shut.', ['Concept Open lid!']],
      ['a term of an item', '- **Lid size**: how wide a lid is', ['Concept Lid size!']],
      ['a code name of an item', '- `lid` - what shuts a box', ['Symbol lid!']],
      ['a code name of a sentence', '`openLid` is what opens it.', ['Symbol openLid!']],
      [
        'rows of a table',
        '| Name | Use |\n| --- | --- |\n| `openLid` | opens `shutLid` |',
        ['Symbol openLid!', 'Symbol shutLid'],
      ],
      [
        'rows of a table of settings',
        '| Option | Use |\n| --- | --- |\n| `lid-size` | width |',
        ['ConfigurationKey lid-size!'],
      ],
      ['options of a table', '| Option | Use |\n| --- | --- |\n| `--wide` | width |', ['Option --wide!']],
    ])('reads %s', (_, text, expected) => {
      expect(mentions(text)).toEqual(expected);
    });

    it.each([
      ['a remark', '**Note:** this is what you need.'],
      ['a label with a value', '**Header**: lids'],
      ['emphasis within a sentence', 'So the **lid** is what you need.'],
      ['bold without a definition', '**Open the lid.**'],
    ])('leaves %s out', (_, text) => {
      expect(mentions(text)).toEqual([]);
    });

    it.each<[string, string, string, string[]]>([
      ['a name of its own form', 'The openLid() function', '', ['Symbol openLid!']],
      ['an option', '--wide', '', ['Option --wide!']],
      ['a variable', 'LID_SIZE', '', ['EnvironmentVariable LID_SIZE!']],
      ['an error', 'Error C2065', '', ['Error C2065!']],
      ['a switch with a slash', '/Zc:inline (lids)', '', ['Option /Zc:inline!']],
      ['a plain word that is code', 'lid', 'Use `lid`.', ['Symbol lid×2!']],
      ['an operator of a class', 'box::operator!=', '', ['Symbol box::operator!=!']],
      ['no plain word in a longer heading', 'Open a lid', 'Use `lid`.', ['Symbol lid']],
    ])('reads the name in a heading: %s', (_, title, text, expected) => {
      expect(mentions(text, title)).toEqual(expected);
    });

    it('counts a heading once if its section has several parts', () => {
      const parts = [0, 1].map((ordinal) => aSection({ ordinal, title: 'openLid()', text: 'Text.' }));
      expect(findMentions(parts)).toEqual([
        { section: 0, name: 'openLid', type: 'Symbol', count: 1, isDefined: true },
      ]);
    });
  });

  it('counts all spellings of a name as the most frequent one', () => {
    expect(mentions('`kb.search`, `KB.Search` and `kb.search()`')).toEqual(['Symbol kb.search×3']);
  });

  it('uses the first of equally frequent spellings', () => {
    expect(mentions('`KB.Search` and `kb.search`')).toEqual(['Symbol KB.Search×2']);
  });

  it('gives a name one type in a document, the most specific one', () => {
    expect(mentions('Use `lid`.\n\n```sh\nlid\n```')).toEqual(['Command lid×2']);
  });

  it('lists definitions first, then by count, then by name', () => {
    expect(mentions('- `zip`: what shuts it\n\nUse `box`, `lid`, `lid`, `art`.')).toEqual([
      'Symbol zip!',
      'Symbol lid×2',
      'Symbol art',
      'Symbol box',
    ]);
  });

  it('keeps 64 mentions per section', () => {
    const names = Array.from({ length: 100 }, (_, i) => `\`lidName${i}\``);
    expect(mentions(names.join(' '))).toHaveLength(64);
  });

  it('finds nothing without sections', () => {
    expect(findMentions([])).toEqual([]);
    expect(mentions('')).toEqual([]);
  });

  it('returns only names that occur in the section', () => {
    const piece = fc.constantFrom(
      '`',
      '``',
      'openLid',
      'LID_SIZE',
      '--wide',
      '-x',
      'npm run',
      '**',
      '| ',
      '\n',
      '- ',
      ' is ',
      '()',
      '.',
      '$',
      '```sh\n',
      '```\n',
      'a',
      '::',
      '<',
      '>',
      '/',
      '1. ',
      'C2065',
      '@',
      '404 Not Found',
      '\\',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        const said = bare(`${text} Use`);
        for (const { name } of findMentions([aSection({ text })])) expect(said).toContain(bare(name));
      }),
      { numRuns: 500 },
    );
  });
});

/** Removes marks and case; a command may lose its arguments, but not its words. */
function bare(text: string): string {
  return text.replace(/[`*\\\s]+/g, '').toLowerCase();
}
