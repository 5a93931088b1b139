import { MalformedDocumentError } from '../../../../../src/ingest/reading/parsed-document';
import { parseHtml } from '../../../../../src/work/documents/tables/html-tree';

const nested = (name: string, depth: number): string =>
  `<${name}>`.repeat(depth) + `</${name}>`.repeat(depth);
const attributes = (count: number): string => Array.from({ length: count }, (_, i) => ` a${i}="x"`).join('');

describe('parseHtml', () => {
  it.each([
    ['unclosed elements', '<pre>'.repeat(2_500)],
    ['unclosed lists', '<ul><li>'.repeat(8_000)],
    ['unclosed annotations', '<rt>'.repeat(2_500)],
    ['cells outside HTML', `<svg>${'<td>'.repeat(2_500)}`],
    ['nested tables', '<table><td colspan=60>'.repeat(2_900)],
    ['end tags that are comments or values', '<pre title="</pre>"><!-- </pre> -->'.repeat(1_500)],
    ['closed elements, again and again', nested('div', 240).repeat(20)],
    ['closed elements of less depth', nested('div', 90).repeat(60)],
  ])('refuses deep nesting: %s', (_, html) => {
    expect(() => parseHtml(html, false)).toThrow(MalformedDocumentError);
  });

  it.each([
    ['alone', `<p${attributes(6_000)}>x`],
    ['in a tag that does not end', `<p${attributes(6_000)}`],
    ['whose values contain brackets', `<p${' a=">"'.repeat(6_000)}>x`],
    ['after a comment', `<!-- <b a=" --><p${' a'.repeat(6_000)}>"`],
  ])('refuses many attributes of one tag: %s', (_, html) => {
    expect(() => parseHtml(html, false)).toThrow(MalformedDocumentError);
  });

  it.each([
    ['elements whose end tags are optional', `<ul>${'<li>x'.repeat(5_000)}</ul>${'<p>x'.repeat(5_000)}`],
    ['rows and cells', `<table>${'<tr><td>x<td>y'.repeat(3_000)}</table>`],
    ['void elements', '<br><img><input>'.repeat(3_000)],
    ['some deep elements', nested('div', 200)],
    ['many tags with some attributes', `<p${attributes(20)}>x</p>`.repeat(300)],
  ])('reads %s', (_, html) => {
    expect(() => parseHtml(html, false)).not.toThrow();
  });
});
