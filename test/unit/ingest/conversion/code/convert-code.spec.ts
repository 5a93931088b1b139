import { CODE_LANGUAGES } from '../../../../../src/ingest/conversion/code/code-languages.js';
import { codeConverter } from '../../../../../src/ingest/conversion/code/convert-code.js';
import { CODE_EXTENSIONS } from '../../../../../src/ingest/conversion/converted-text.js';
import { readerFor } from '../../../../../src/ingest/reading/readers.js';

/** The Markdown of a file of code. */
async function markdown(path: string, source: string): Promise<string> {
  const convert = codeConverter(path.slice(path.lastIndexOf('.') + 1));
  return (await convert(Buffer.from(source), path)).text;
}

const headings = async (path: string, source: string): Promise<string[]> =>
  (await markdown(path, source)).match(/^## .*$/gm) ?? [];

describe('codeConverter', () => {
  it('has a language for each extension', () => {
    expect([...CODE_LANGUAGES.keys()].sort()).toEqual([...CODE_EXTENSIONS].sort());
  });

  it.each(CODE_EXTENSIONS)('gives nothing for a .%s file without declarations', async (extension) => {
    expect(await markdown(`a.${extension}`, '')).toBe('');
  });

  it('keeps what can be read of a file with errors', async () => {
    expect(await headings('a.py', 'class (:\n\ndef f():\n    """Docs."""\n')).toEqual(['## `f` {#L3}']);
  });

  it.each([
    ['a.ts', 'export class A {\n  /** Runs. */\n  run() {}\n  x( {{{\n}\n'],
    ['a.py', 'class A(:\n  def run(self):\n    "Runs."\n\n  x = ((\n'],
    ['a.java', 'class A {\n  /** Runs. */\n  public void run() {}\n  int x = ;;; }}} (\n}\n'],
    ['a.rs', 'fn x( {{\n\n/// Runs.\npub fn run() {}\n'],
  ])('finds the names in a part of %s with errors, and reports the errors: %j', async (path, source) => {
    const convert = codeConverter(path.slice(2));
    const { text, leftOut } = await convert(Buffer.from(source), path);
    expect(leftOut).toEqual(['its syntax has errors, so declarations can be missing']);
    expect(text).toMatch(/^## `(?:\w+\.)?run` /m);
  });

  it('has the line of a declaration as the anchor of its section', async () => {
    const read = await readerFor('a.py', 'md');
    const page = await read?.(await markdown('a/__init__.py', 'def f(): pass\n\n\ndef __g__():\n    "G."\n'));
    expect(page?.blocks.filter(({ kind }) => kind === 'heading')).toMatchObject([
      { title: 'a/__init__.py' },
      { title: 'f', anchor: 'L1' },
      { title: '__g__', anchor: 'L4' },
    ]);
  });

  it('refuses invalid UTF-8', async () => {
    await expect(codeConverter('py')(Uint8Array.of(0x61, 0xff), 'a.py')).rejects.toThrow('invalid UTF-8');
  });

  it('counts characters outside of the basic plane as editors do', async () => {
    expect(await markdown('a.go', '// 🚢🚢\npackage a\n\n// F 🚢.\nfunc F() {}\n')).toBe(
      '# `a.go`\n\n🚢🚢\n\n## `F` {#L5}\n\n```go\nfunc F()\n```\n\nF 🚢.',
    );
  });
});

describe('codeConverter for Python', () => {
  it('gives the docstrings of a module, a class and a method, with the signatures', async () => {
    const source = [
      ...[
        '"""A client."""',
        '',
        '@final',
        'class Client(Base):',
        '    """Talks to a port.',
        '',
        '    Slowly.',
        '    """',
        '',
      ],
      ...[
        '    async def send(self, cargo: str = "x") -> bool:',
        '        """Sends it."""',
        '        return True',
        '',
      ],
    ].join('\n');
    expect(await markdown('port/client.py', source)).toBe(
      [
        ...[
          '# `port/client.py`',
          'A client.',
          '## `Client` {#L4}',
          '```python\n@final\nclass Client(Base)\n```',
        ],
        ...['Talks to a port.', 'Slowly.', '## `Client.send` {#L10}'],
        ...['```python\nasync def send(self, cargo: str = "x") -> bool\n```', 'Sends it.'],
      ].join('\n\n'),
    );
  });

  it('leaves out private functions without docstring, and those in functions', async () => {
    const source = 'def _a(): pass\ndef _b():\n    "B."\ndef c():\n    def d():\n        "D."\n';
    expect(await headings('a.py', source)).toEqual(['## `_b` {#L2}', '## `c` {#L4}']);
  });

  it('looks into conditions of a module', async () => {
    const source =
      'if X:\n    def a(): pass\nelse:\n    try:\n        def b(): pass\n    except E:\n        class C: pass\n';
    expect(await headings('a.py', source)).toEqual(['## `a` {#L2}', '## `b` {#L5}', '## `C` {#L7}']);
  });

  it('gives an assignment only with the docstring after it', async () => {
    expect(await headings('a.py', 'A = 1\n"""Docs."""\nB = 2\n')).toEqual(['## `A` {#L1}']);
  });

  it.each([
    [
      'fields',
      ':param str a: How.\n:raises KeyError: If not.\n:returns: It.',
      '- `a`: How.\n- Raises `KeyError`: If not.\n- Returns: It.',
    ],
    [
      'Google',
      'Args:\n    a (int): How.\n        More.\n\nNext.',
      '**Args**\n\n- `a` (int): How.\n  More.\n\nNext.',
    ],
    ['NumPy', 'Parameters\n----------\na : int\n    How.', '**Parameters**\n\n- `a` (int):\n  How.'],
    ['doctest', 'So:\n\n>>> f()\n1\n\nEnd.', 'So:\n\n\n```pycon\n>>> f()\n1\n```\n\n\nEnd.'],
    ['roles', 'See :class:`~a.B`.', 'See `a.B`.'],
  ])('reads docstrings with %s', async (_, doc, expected) => {
    const text = await markdown('a.py', `def f():\n    """${doc.replaceAll('\n', '\n    ')}\n    """\n`);
    expect(text.split('```\n\n').slice(1).join('```\n\n')).toBe(expected);
  });
});

describe('codeConverter for TypeScript and JavaScript', () => {
  it('gives exports, documented functions and members, with tags as a list', async () => {
    const source = [
      ...[
        '/**',
        ' * Sends it. See {@link Port}.',
        ' * @param cargo - What',
        ' *   is sent',
        ' * @param {number} [n] How often',
        ' * @returns True if done',
        ' * @internals x',
        ' */',
      ],
      ...[
        'export async function send(cargo: string, n = 1): Promise<boolean> { return true; }',
        'function hidden() {}',
      ],
    ].join('\n');
    expect(await markdown('a.ts', source)).toBe(
      '# `a.ts`\n\n## `send` {#L9}\n\n```ts\nexport async function send(cargo: string, n = 1): Promise<boolean>\n```\n\n' +
        'Sends it. See `Port`.\n\n- `cargo`: What is sent\n- `n`: How often\n- Returns: True if done\n- internals: x',
    );
  });

  it('qualifies members, and leaves out private ones and those of classes that are not exported', async () => {
    const source =
      'export class A { m() {} private p() {} #q() {} /** D */ x = 1; y = 2 }\nclass B { m() {} /** D */ n() {} }\n';
    expect(await headings('a.ts', source)).toEqual([
      '## `A` {#L1}',
      '## `A.m` {#L1}',
      '## `A.x` {#L1}',
      '## `B.n` {#L2}',
    ]);
  });

  it('gives interfaces, types, enums and constants as a whole, arrow functions without their body', async () => {
    const source =
      'export interface I { a: 1; /** D */ b: 2 }\nexport type T = string;\nexport enum E { A }\nexport const f = (a: T) => a;\nexport const C = 1;\n';
    const text = await markdown('a.mts', source);
    expect(text.match(/^(?!#|`|$).*$/gm)).toEqual([
      ...[
        'export interface I { a: 1; /** D */ b: 2 }',
        'b: 2',
        'D',
        'export type T = string',
        'export enum E { A }',
      ],
      ...['export const f = (a: T)', 'export const C = 1'],
    ]);
  });

  it('gives documented assignments of CommonJS, and nothing that is marked private', async () => {
    const source =
      '/** D */\nexports.a = function () {};\n/** D */\nApp.prototype.use = function (fn) {};\n/** D\n * @private */\nfunction b() {}\nexports.c = 1;\n';
    expect(await headings('a.cjs', source)).toEqual(['## `a` {#L2}', '## `App.use` {#L4}']);
  });

  it.each([
    ['function moor(rope) { return rope; }', 'moor', 'function moor(rope)'],
    ['class Crane { lift() {} }', 'Crane', 'class Crane'],
    ['(rope) => rope', 'module.exports', '(rope)'],
    ['{ moor, lift }', 'module.exports', '{ moor, lift }'],
  ])('gives the documented export of a module of CommonJS: %s', async (value, name, signature) => {
    const text = await markdown('a.cjs', `/** D */\nmodule.exports = ${value};\n`);
    expect(text).toContain(`## \`${name}\` {#L2}\n\n\`\`\`js\nmodule.exports = ${signature}\n\`\`\`\n\nD`);
  });

  it('reads JSX and TSX', async () => {
    expect(await headings('a.tsx', 'export const A = () => <b>x</b>;\n')).toEqual(['## `A` {#L1}']);
    expect(await headings('a.jsx', 'export function A() { return <b>x</b>; }\n')).toEqual(['## `A` {#L1}']);
  });
});

describe('codeConverter for Go', () => {
  it('gives comments directly before a declaration, and methods with their type', async () => {
    const source =
      '// Package a sails.\npackage a\n\n// Not about it.\n\n// Send sends.\n//\n// # Limits\n//go:noinline\nfunc (c *Client[T]) Send(x int) error { return nil }\n\nfunc hidden() {}\n';
    expect(await markdown('a.go', source)).toBe(
      '# `a.go`\n\nPackage a sails.\n\n## `Client.Send` {#L10}\n\n```go\nfunc (c *Client[T]) Send(x int) error\n```\n\nSend sends.\n\n**Limits**',
    );
  });

  it('gives types, and of groups the documented parts', async () => {
    const source =
      'package a\n\ntype T struct{ A int }\n\n// Kinds.\nconst (\n\tA = 1\n\tB = 2\n\t// C is it.\n\tC = 3\n)\n';
    expect(await headings('a.go', source)).toEqual(['## `T` {#L3}', '## `A` {#L7}', '## `C` {#L10}']);
  });
});

describe('codeConverter for Rust', () => {
  it('gives outer and inner documentation, and public items', async () => {
    const source =
      '//! A crate.\n\n/// Sends.\n///\n/// # Errors\n/// None.\n#[must_use]\npub fn send<T>(a: T) -> u8 where T: X { 1 }\nfn hidden() {}\n//// No documentation.\nfn b() {}\n/** Block. */\nstruct S;\n';
    expect(await markdown('a.rs', source)).toBe(
      '# `a.rs`\n\nA crate.\n\n## `send` {#L8}\n\n```rust\npub fn send<T>(a: T) -> u8 where T: X\n```\n\nSends.\n\n**Errors**\n\nNone.\n\n' +
        '## `S` {#L13}\n\n```rust\nstruct S\n```\n\nBlock.',
    );
  });

  it('names methods by the type of their impl, and those of traits and modules', async () => {
    const source =
      'impl<T> C<T> { pub fn a(&self) {} fn b() {} }\npub trait R { fn c(); }\nimpl R for C { fn c() {} }\npub mod m { pub(crate) fn d() {} pub const E: u8 = 1; }\n';
    expect(await headings('a.rs', source)).toEqual([
      '## `C.a` {#L1}',
      '## `R` {#L2}',
      '## `R.c` {#L2}',
      '## `m.E` {#L4}',
    ]);
  });
});

describe('codeConverter for Java', () => {
  it('gives Javadoc with its inline tags, elements and block tags', async () => {
    const source = [
      ...[
        '/** A port. */',
        'public class Port {',
        '  /**',
        '   * Sends {@code a < b}.<p>So &amp; <b>so</b>:',
        '   * <ul><li>one</ul>',
      ],
      ...[
        '   * @param cargo what',
        '   * @throws IOException if not',
        '   * @return done',
        '   */',
        '  public boolean send(String cargo) throws IOException { return true; }',
        '  int hidden() { return 1; }',
        '}',
      ],
    ].join('\n');
    const text = await markdown('Port.java', source);
    expect(text).toContain(
      '## `Port.send` {#L10}\n\n```java\npublic boolean send(String cargo) throws IOException\n```\n\nSends `a < b`.',
    );
    expect(text).toContain('So & so:');
    expect(text).toContain('\n- one');
    expect(text).toContain('\n- `cargo`: what\n- Throws `IOException` if not\n- Returns: done');
    expect(text).not.toContain('hidden');
  });

  it('gives public types and members, the methods of interfaces and documented constants', async () => {
    const source =
      'public interface I { void a(); private void b() {} }\nenum E { /** K. */ K, L; }\npublic record R(int a) {}\nclass C { public C() {} /** F. */ int f; }\n';
    expect(await headings('a.java', source)).toEqual([
      '## `I` {#L1}',
      '## `I.a` {#L1}',
      '## `E.K` {#L2}',
      '## `R` {#L3}',
      '## `C.f` {#L4}',
    ]);
  });
});
