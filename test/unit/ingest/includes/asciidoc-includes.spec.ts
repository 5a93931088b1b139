import { expandAsciidoc } from '../../../../src/ingest/includes/asciidoc-includes.js';
import { Inclusion } from '../../../../src/ingest/includes/inclusion.js';

const TAGGED =
  'a\n// tag::one[]\nb\n// tag::two[]\nc\n// end::two[]\n// end::one[]\nd\n# tag::three[]\ne\n# end::three[]\n';
const FILES: Readonly<Record<string, string>> = {
  'modules/ROOT/pages/near.adoc': 'Near.\n',
  'modules/ROOT/pages/parts/outer.adoc': 'include::inner.adoc[]\n',
  'modules/ROOT/pages/parts/inner.adoc': 'Inner.\n',
  'modules/ROOT/pages/attributes.adoc': ':folder: parts\n',
  'modules/ROOT/pages/offset.adoc': 'include::near.adoc[leveloffset=3]\n',
  'modules/ROOT/partials/part.adoc': 'Part.\n',
  'modules/ROOT/pages/_partials/old.adoc': 'Old.\n',
  'modules/ROOT/examples/a.rb': TAGGED,
  'modules/sails/partials/part.adoc': 'Sails.\n',
  'other/modules/ROOT/partials/part.adoc': 'Other.\n',
  'modules/ROOT/examples/deep.txt': '    x\n      y\n',
};
const expand = (text: string) => {
  const inclusion = new Inclusion({ has: (path) => path in FILES, read: (path) => FILES[path] ?? null });
  const place = { page: 'modules/ROOT/pages/page.adoc', above: [], inclusion };
  const components = new Map([['boats', ['other/']]]);
  const expanded = expandAsciidoc(text, place, { attributes: { yard: 'parts', off: null }, components });
  return { text: expanded, missed: inclusion.missed.map(({ line, what, why }) => `${line}: ${what} ${why}`) };
};

describe('expandAsciidoc', () => {
  it.each([
    ['a file beside the page', 'include::near.adoc[]', 'Near.'],
    ['a file that includes another beside it', 'include::parts/outer.adoc[]', 'Inner.'],
    ['a file in a block of code', '----\ninclude::near.adoc[]\n----', '----\nNear.\n----'],
    ['a part of the module', 'include::partial$part.adoc[]', 'Part.'],
    ['a part of Antora 1', 'include::{partialsdir}/old.adoc[]', 'Old.'],
    ['a part of another module', 'include::sails:partial$part.adoc[]', 'Sails.'],
    ['a part of another component', 'include::2.0@boats::partial$part.adoc[]', 'Other.'],
    ['a file by an attribute of the site', 'include::{yard}/inner.adoc[]', 'Inner.'],
    ['a file by an attribute of the page', ':f: {yard}\ninclude::{f}/inner.adoc[]', ':f: {yard}\nInner.'],
    [
      'a file by an attribute of another one',
      'include::attributes.adoc[]\ninclude::{folder}/inner.adoc[]',
      ':folder: parts\nInner.',
    ],
    ['lines', 'include::example$a.rb[lines=1..1;8..-1]', 'a\nd\n# tag::three[]\ne\n# end::three[]'],
    ['lines in quotes', 'include::example$a.rb[lines="1,3"]', 'a\nb'],
    ['a tag with another one in it', 'include::example$a.rb[tag=one]', 'b\nc'],
    ['tags', 'include::example$a.rb[tags=two;three]', 'c\ne'],
    ['a tag without another one', 'include::example$a.rb[tags=one;!two]', 'b'],
    ['all but a tag', 'include::example$a.rb[tags=!one]', 'a\nd\ne'],
    ['all lines without the marks', 'include::example$a.rb[tag=**]', 'a\nb\nc\nd\ne'],
    ['all lines with tags', 'include::example$a.rb[tag=*]', 'b\nc\ne'],
    ['lines without their margin', 'include::example$deep.txt[indent=0]', 'x\n  y'],
    [
      'headings of another level',
      'include::near.adoc[leveloffset=+1]',
      '\n:leveloffset: +1\n\nNear.\n\n:leveloffset: -1\n',
    ],
  ])('inserts %s', (_, text, expected) => {
    expect(expand(text)).toEqual({ text: expected, missed: [] });
  });

  it.each([
    ['outside of the folder', '../../../../x.adoc', 'is outside of the folder'],
    ['of another component', 'lost::partial$part.adoc', 'is not among the files of the folder'],
    ['an address', 'https://example.org/a.adoc', 'is an address'],
    [
      'without the value of an attribute',
      '{snippets}/a.adoc',
      'needs the attribute snippets, which has no value',
    ],
    [
      'without the value of an attribute that is unset',
      '{off}/a.adoc',
      'needs the attribute off, which has no value',
    ],
  ])('leaves and names a file that is %s', (_, target, why) => {
    const text = `Text.\n\ninclude::${target}[]`;
    expect(expand(text)).toEqual({ text, missed: [`3: ${target} ${why}`] });
  });

  it('takes no part with more than a hundred ranges of lines', () => {
    const ranges = (count: number) =>
      expand(`include::near.adoc[lines="${Array(count).fill('1').join(';')}"]`);
    expect(ranges(100).text).toBe('Near.');
    expect(ranges(101).missed).toEqual(['1: near.adoc does not have this part']);
  });

  it('returns to the offset of the file that includes another', () => {
    const { text } = expand(
      ':leveloffset: 1\n\ninclude::near.adoc[leveloffset=2]\n\ninclude::offset.adoc[leveloffset=+1]',
    );
    expect(text.match(/:leveloffset: .*/g)).toEqual([
      ...[':leveloffset: 1', ':leveloffset: 2', ':leveloffset: 1'],
      ...[':leveloffset: +1', ':leveloffset: 3', ':leveloffset: 2', ':leveloffset: -1'],
    ]);
  });

  it('names a tag that the file does not have', () => {
    expect(expand('include::example$a.rb[tag=none]').missed).toEqual([
      '1: example$a.rb does not have this part',
    ]);
  });

  it.each([
    ['escaped', '\\include::near.adoc[]'],
    ['in a comment', '////\ninclude::near.adoc[]\n////'],
    ['optional and missing', 'include::none.adoc[opts=optional]'],
  ])('leaves an include that is %s', (_, text) => {
    expect(expand(text)).toEqual({ text, missed: [] });
  });
});
