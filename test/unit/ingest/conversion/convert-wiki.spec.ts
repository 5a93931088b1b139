import { strToU8 } from 'fflate';
import { convertDokuwiki } from '../../../../src/ingest/conversion/wiki/convert-dokuwiki.js';
import { convertMediawiki } from '../../../../src/ingest/conversion/wiki/convert-mediawiki.js';
import { convertOrg } from '../../../../src/ingest/conversion/wiki/convert-org.js';
import { convertTextile } from '../../../../src/ingest/conversion/wiki/convert-textile.js';
import { convertFixture } from '../../../support/convert-fixture.js';
import { growthOf } from '../../../support/growth.js';

const read = async (name: string, text: string) => {
  const { title, lines, leftOut } = await convertFixture(name, strToU8(text));
  return { title, leftOut, text: lines.join('\n') };
};

describe('Org', () => {
  it('has headings, marks, lists, tables, code, links and footnotes', async () => {
    const { title, text } = await read(
      'a.org',
      `#+TITLE: Harbour
# A comment
* TODO [#A] Berths :north:quay:
:PROPERTIES:
:CUSTOM_ID: berths
:END:
A *bold* berth with =code=, ~more~ and
/slanted words/, see [[file:tugs.org][the tugs]][fn:1] and 2*3*4.

- one
  goes on
  1. first
  2. [X] second
- Depth :: in metres
| Berth | Fee |
|-------+-----|
| 1     | 20  |
#+BEGIN_SRC sh
  moor -d 4
  ,* star
#+END_SRC
: fixed  width
* COMMENT Hidden
Nothing.
* Last
[fn:1] They are strong.
`,
    );
    expect(title).toBe('Harbour');
    expect(text).toBe(`# Harbour
## Berths
TODO, north, quay
A **bold** berth with \`code\`, \`more\` and _slanted words_, see [the tugs](tugs.org)[fn:1] and 2*3*4.
- one goes on
  1. first
  2. [X] second
**Depth**
in metres
| Berth | Fee |
| --- | --- |
| 1 | 20 |
\`\`\`sh
moor -d 4
* star
\`\`\`
\`\`\`
fixed  width
\`\`\`
## Last
[1] They are strong.`);
  });
});

describe('what a wiki shows as text', () => {
  it.each([
    [
      'a.org',
      'Note:\n:hint:\n\n* One\nText.\n* Two\n:PROPERTIES:\n:CUSTOM_ID: two\n:END:\nMore.',
      'Note: :hint: ## One Text. ## Two More.',
    ],
    ['a.org', 'A. Einstein wrote it.', 'A. Einstein wrote it.'],
    [
      'a.org',
      'See [[*Set up]], [[*Set up][the start]] and [[file:b.org::*Go on][more]].',
      'See [Set up](#set-up), [the start](#set-up) and [more](b.org#go-on).',
    ],
    [
      'a.wiki',
      'Set <port> to 80 in a List<String>, <b>now</b>.<translate>Go <br>on</translate>',
      'Set <port> to 80 in a List<String>, **now**.Go on',
    ],
    ['a.dokuwiki', 'Set <port number> to 80. <note>Now</note>', 'Set <port number> to 80. Now'],
    [
      'a.wiki',
      '<languages />Loop while i<n\nand wait\nuntil x>0 holds. <noinclude>Now',
      'Loop while i<n and wait until x>0 holds. Now',
    ],
    ['a.org', '* One\n:PROPERTIES:\n:CATEGORY:\n:ID: x\n:END:\nText.', '## One Text.'],
    ['a.textile', 'Set <port> to 80. <div class="x">Now</div>', 'Set <port> to 80. Now'],
    ['a.wiki', '[[File:x.png|thumb|see [[y|the y]] there]]', 'see [the y](y) there'],
    ['a.wiki', '<table><tr><td>A</td><td>B</td></tr></table>', 'A B'],
  ])('%s: %j', async (name, written, shown) => {
    const { text } = await read(name, written);
    expect(text.replace(/\s+/g, ' ').replaceAll('\\', '').trim()).toBe(shown);
  });

  it('is in the right column of a table with cells over several rows and columns, and with a table in a cell', async () => {
    const { text } = await read(
      'a.wiki',
      '{|\n! A !! B !! C\n|-\n| rowspan="2" | one || two || three\n|-\n| colspan=2 | four\n|-\n| five\n{|\n! D\n|-\n| six || seven\n|}\n| eight || nine\n|}\nAfter.',
    );
    expect(text).toBe(`| A | B | C |
| --- | --- | --- |
| one | two | three |
| one | four |  |
| five<br>D<br>six seven | eight | nine |
After.`);
  });
});

describe('MediaWiki', () => {
  it('has headings, marks, lists, tables, code, links, notes and the texts of templates', async () => {
    const { text, leftOut } = await read(
      'a.wiki',
      `{{Notice|Closed in winter.}}{{Stub}}
'''Tugs''' pull ''ships'', see [[Berth|the berths]], [https://tug.example our site]<ref>Seen in {{cite|title=Tugs}}.</ref>.
== Types ==
* one
** deeper
# first
; Depth : in metres
{| class="wikitable"
|+ Fees
! Berth !! Fee
|-
| style="x" | 1 || 20
|}
<syntaxhighlight lang="sh">
moor -d 4
</syntaxhighlight>
<nowiki>''not slanted''</nowiki> and <code>a < b</code> [[File:a.png|thumb|A tug]] [[Category:Ships]]
<!-- hidden -->
`,
    );
    expect(leftOut).toEqual(['1 templates without text of their own are left out']);
    expect(text)
      .toBe(`Closed in winter. **Tugs** pull _ships_, see [the berths](Berth), [our site](https://tug.example) (Seen in title: Tugs.).
## Types
- one
  - deeper
1. first
**Depth**
in metres
Fees
| Berth | Fee |
| --- | --- |
| 1 | 20 |
\`\`\`sh
moor -d 4
\`\`\`
''not slanted'' and \`a < b\` A tug`);
  });
});

describe('DokuWiki', () => {
  it('has headings, marks, lists, tables, code, links and notes', async () => {
    const { text } = await read(
      'a.dokuwiki',
      `====== Tugs ======
**Tugs** pull //ships// at https://tug.example/a//b, see [[berth|the berths]] and ''code''((A note.)).
===== Types =====
  * one
    * deeper
  - first
^ Berth ^ Fee ^
| 1 | 20 |
| both ||
<code sh>
moor -d 4
</code>

  indented code
~~NOTOC~~ <note tip>Take care.</note>
`,
    );
    expect(text).toBe(`# Tugs
**Tugs** pull _ships_ at https://tug.example/a//b, see [the berths](berth) and \`code\` (A note.).
## Types
- one
  - deeper
1. first
| Berth | Fee |
| --- | --- |
| 1 | 20 |
| both |  |
\`\`\`sh
moor -d 4
\`\`\`
\`\`\`
indented code
\`\`\`
Take care.`);
  });
});

describe('Textile', () => {
  it('has headings, marks, lists, tables, code and links', async () => {
    const { text } = await read(
      'a.textile',
      `h1. Tugs

*Tugs* pull _ships_ with @code@, see "the berths":berth.html and 2*3*4[1].

h2(#types). Types

* one
** deeper

# first

- Depth := in metres

|_. Berth|_. Fee|
|1|20|

bc. moor -d 4
tug

fn1. A note.
`,
    );
    expect(text).toBe(`# Tugs
**Tugs** pull _ships_ with \`code\`, see [the berths](berth.html) and 2*3*4[1].
## Types
- one
  - deeper
1. first
**Depth**
in metres
| Berth | Fee |
| --- | --- |
| 1 | 20 |
\`\`\`
moor -d 4
tug
\`\`\`
[1] A note.`);
  });
});

describe('texts with marks take time in proportion to their length', () => {
  const readers = {
    org: convertOrg,
    mediawiki: convertMediawiki,
    dokuwiki: convertDokuwiki,
    textile: convertTextile,
  };
  const units = [
    'word ',
    '*a ',
    "'' ",
    '[[',
    '{{',
    '}}',
    '{{a|',
    '<ref>',
    '<!--',
    '| a ',
    '{|\n',
    '"a":',
    '* a\n',
    '#+begin_a\n',
  ];
  it.each(
    Object.entries(readers).flatMap(([name, convert]) => units.map((unit) => ({ name, unit, convert }))),
  )('$name of $unit', ({ unit, convert }) => {
    const text = (length: number): string => unit.repeat(length / unit.length);
    expect(growthOf((page) => void convert(strToU8(page)), text, 200_000, 32)).toBeLessThan(32);
  });
});
