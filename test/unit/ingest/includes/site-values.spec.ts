import { expandLiquid, jekyllSite } from '../../../../src/ingest/includes/expand-liquid.js';
import { expandShortcodes, hugoSites } from '../../../../src/ingest/includes/hugo-shortcodes.js';
import { type IncludePlace, Inclusion } from '../../../../src/ingest/includes/inclusion.js';
import { expandPartials } from '../../../../src/ingest/includes/mdx-partials.js';
import { SiteValues, valueBelow } from '../../../../src/ingest/includes/site-values.js';
import { sphinxDefinitions, withDefinitions } from '../../../../src/ingest/includes/sphinx-values.js';
import { cpuMsOf } from '../../../support/growth.js';

type Files = Readonly<Record<string, string>>;
const corpus = (files: Files) => ({
  has: (path: string) => path in files,
  read: (path: string) => files[path] ?? null,
  paths: () => Object.keys(files),
});

/** Expands a page with some files around it. */
function expand(files: Files, page: string, run: (place: IncludePlace) => string) {
  const inclusion = new Inclusion(corpus(files));
  const text = run({ page, above: [], inclusion });
  return { text, missed: inclusion.missed.map(({ line, what, why }) => `${line}: ${what} ${why}`) };
}

describe('valueBelow', () => {
  it('finds keys in any case, the exact one first, and no properties of lists', () => {
    const value = { Bird: 'a', bird: 'b', List: ['c'] };
    const found = [['bird'], ['BIRD'], ['list', '0'], ['list', 'length'], ['constructor']].map((keys) =>
      valueBelow(value, keys),
    );
    expect(found).toEqual(['b', 'a', 'c', undefined, undefined]);
  });

  it('is fast for large maps', async () => {
    const large = Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`k${at}`, at]));
    let found: unknown[] = [];
    const look = () => (found = [valueBelow(large, ['K9']), valueBelow(large, ['x'])]);
    expect(await cpuMsOf(() => Array.from({ length: 1000 }, look))).toBeLessThan(5000);
    expect(found).toEqual([9, undefined]);
  });
});

describe('expandLiquid', () => {
  const FILES: Files = {
    '_config.yml': 'title: Harbour\nrepository: https://example.org/boats\nnested:\n  depth: 3\n',
    '_data/ruby.yml': 'current: 3.4\n',
    '_data/menus/main.yml': '- title: Start\n',
    '_includes/note.html': '<b>{{ include.title }}</b> for {{ site.title }}',
    '_includes/loop.html': '{% for a in site.boats %}{{ a }}{% endfor %}',
    'docs/part.md': 'Part of {{ page.title }}.',
  };
  const liquid = (text: string) =>
    expand(FILES, 'docs/page.md', (place) => {
      const { files } = place.inclusion;
      const site = jekyllSite(place.page, { files, values: new SiteValues(files) });
      return site ? expandLiquid(text, place, site) : 'no site';
    });

  it.each([
    ['a setting', '{{ site.title }} {{ site.nested.depth }}', 'Harbour 3'],
    ['a setting in code', '```\n{{site.title}}\n```', '```\nHarbour\n```'],
    ['data', '{{ site.data.ruby.current }} {{ site.data.menus.main[0].title }}', '3.4 Start'],
    ['front matter', '---\ntitle: Boats\n---\n{{ page.title }}', '---\ntitle: Boats\n---\nBoats'],
    ['a text with filters', '{{ "a" | upcase | append: "b" }} {{ site.none | default: "c" }}', 'Ab c'],
    ['a variable of the page', '{% assign yard = site.title %}{{ yard }}', 'Harbour'],
    ['an included file', '{% include note.html title="Care" %}', '<b>Care</b> for Harbour'],
    [
      'a file beside the page',
      '---\ntitle: Boats\n---\n{% include_relative part.md %}',
      '---\ntitle: Boats\n---\nPart of Boats.',
    ],
    ['examples as they are', '{% raw %}{{ site.title }}{% endraw %}', '{{ site.title }}'],
    ['no comments', 'a{% comment %}{{ site.title }}{% endcomment %}b', 'ab'],
  ])('puts in %s', (_, text, expected) => {
    expect(liquid(text)).toEqual({ text: expected, missed: [] });
  });

  it.each([
    ['a setting without a value', '{{ site.none }}', ['1: {{ site.none }} has no value in the folder']],
    [
      'a missing file',
      '{% include none.html %}',
      ['1: {% include none.html %} is not among the files of the folder'],
    ],
    [
      'a file above the folder',
      '{% include ../../x.html %}',
      ['1: {% include ../../x.html %} is outside of the folder'],
    ],
    [
      'a file with a loop',
      '\n{% include loop.html %}',
      ['2: {% include loop.html %} has conditions or loops, which are not evaluated'],
    ],
    ['values of others', '{{ name }} {{ $t }}', []],
    ['destinations of links', '[a]({{ site.baseurl }}/a) [b]({{ "/b" | relative_url }})', []],
    [
      'properties of objects',
      '{{ site.constructor }}',
      ['1: {{ site.constructor }} has no value in the folder'],
    ],
  ])('leaves %s', (_, text, missed) => {
    expect(liquid(text)).toEqual({ text, missed });
  });

  it('puts in at most ten thousand values', () => {
    const { text, missed } = liquid('{{site.title}} '.repeat(10_002));
    expect(text.match(/Harbour/g)).toHaveLength(10_000);
    expect(missed.map((line) => line.replace(/^\d+: /, ''))).toEqual(
      Array(2).fill('{{ site.title }} would make the page more than 2000000 characters longer'),
    );
  });

  it('leaves pages of more than a million characters', () => {
    const page = (length: number) => '{{ site.title }}'.padEnd(length);
    expect(liquid(page(1_000_000)).text.trim()).toBe('Harbour');
    expect(liquid(page(1_000_001)).text.trim()).toBe('{{ site.title }}');
  });

  it('takes linear time for tags without an end', async () => {
    const text = '{% raw %}'.repeat(20_000) + '{% a '.repeat(20_000) + '{{ a '.repeat(20_000);
    expect(await cpuMsOf(() => liquid(text))).toBeLessThan(5000);
  });
});

describe('expandShortcodes', () => {
  const FILES: Files = {
    'hugo.toml':
      'baseURL = "https://example.org"\ntitle = "Harbour"\n[params]\nversion = "2.1"\n[params.deep]\nname = "x"\n',
    'data/boats.yaml': 'best: Gull\n',
    'layouts/shortcodes/best.html': '{{/* the best */}}{{- site.Data.boats.best | safeHTML -}}',
    'layouts/_shortcodes/version.html': 'v{{ .Site.Params.version }}-{{ .Get "end" }}{{ .Get 0 }}',
    'layouts/shortcodes/long.html': 'a'.repeat(10_000),
    'layouts/shortcodes/comment.html': `{{/* ${'a'.repeat(9_880)} */}}Care`,
    'layouts/shortcodes/loop.html': '{{ range site.Pages }}{{ .Title }}{{ end }}',
    'layouts/shortcodes/include.html': '{{ with .Get 0 }}{{ $.Page.GetPage . | .RenderShortcodes }}{{ end }}',
    'content/en/_common/part.md': '---\ntitle: Part\n---\nPart of {{< param version >}}.\n',
    'content/en/v1/_index.md': '---\ncascade:\n  tag: v1.9\n---\n',
  };
  const hugo = (text: string) =>
    expand(FILES, 'content/en/v1/page.md', (place) => {
      const files = corpus(FILES);
      const site = hugoSites(files, new SiteValues(files))(place.page);
      return site ? expandShortcodes(text, place, site) : 'no site';
    });

  it.each([
    ['a parameter of the site', '{{< param version >}} {{% param "deep.name" %}}', '2.1 x'],
    ['a parameter of the page', '---\nversion: 3\n---\n{{< param version >}}', '---\nversion: 3\n---\n3'],
    ['a parameter of the section', '{{< param tag >}}', 'v1.9'],
    ['data by a template', '{{< best >}}', 'Gull'],
    ['arguments in a template', '{{< version end="a" >}} {{< version b >}}', 'v2.1-a v2.1-b'],
    ['a file with its shortcodes', '{{% include "/_common/part.md" %}}', 'Part of 2.1.'],
  ])('puts in %s', (_, text, expected) => {
    expect(hugo(text)).toEqual({ text: expected, missed: [] });
  });

  it.each([
    ['a parameter without a value', '{{< param none >}}', ['1: {{< param none >}} needs Hugo']],
    ['a template with a loop', 'a\n{{< loop >}}', ['2: {{< loop >}} needs Hugo']],
    ['a shortcode of a theme', '{{< cards >}}', ['1: {{< cards >}} has no template in the folder']],
    [
      'a missing file',
      '{{% include "/none" %}}',
      ['1: {{< include /none >}} is not among the files of the folder'],
    ],
    ['a shortcode with content', '{{< note >}}Care{{< /note >}}', []],
    ['links and pictures', '[a]({{< ref "a" >}}) {{< figure src="a.png" >}}', []],
    ['an example', '{{</* param version */>}}', []],
  ])('leaves %s', (_, text, missed) => {
    expect(hugo(text)).toEqual({ text, missed });
  });

  it('puts at most two million characters into a page', () => {
    const { text, missed } = hugo('{{< long >}}'.repeat(1000));
    expect(text.match(/a{10000}/g)).toHaveLength(100);
    expect(new Set(missed)).toEqual(
      new Set(['1: {{< long >}} would make the page more than 2000000 characters longer']),
    );
  });

  it('reads templates of at most two million characters', () => {
    const { text } = hugo('{{< comment >}}'.repeat(300));
    expect(text.match(/Care/g)).toHaveLength(202);
  });
});

describe('expandPartials', () => {
  const FILES: Files = {
    'docusaurus.config.js': '',
    'docs/_part.mdx':
      "---\ntitle: Part\n---\nimport Deep from './_deep.md';\n\nRun {props.name}.\n\n<Deep />\n",
    'docs/_deep.md': 'Deep.\n',
    'src/a.py': 'x()\n',
  };
  const partials = (text: string) => expand(FILES, 'docs/page.mdx', (place) => expandPartials(text, place));

  it('puts in a page with its values, and those that it imports', () => {
    const { text, missed } = partials('import Part from \'./_part.mdx\'\n\n<Part name="it" />\n');
    expect(text.replace(/\n+/g, '\n')).toBe("import Part from './_part.mdx'\nRun it.\nDeep.\n");
    expect(missed).toEqual([]);
  });

  it('finds pages by the aliases of bundlers for the folder of the sources', () => {
    const files: Files = { 'site/src/parts/a.mdx': 'A part.\n', 'site/lib/b.md': 'Another.\n' };
    const text = "import A from '@/parts/a.mdx'\nimport B from '~/lib/b.md'\n\n<A />\n\n<B />\n";
    const found = expand(files, 'site/src/docs/page.mdx', (place) => expandPartials(text, place));
    expect(found.missed).toEqual([]);
    expect(found.text).toContain('A part.');
    expect(found.text).toContain('Another.');
  });

  it('puts in code', () => {
    const { text } = partials(
      'import Code from \'!!raw-loader!@site/src/a.py\';\n\n<CodeBlock language="python">{Code}</CodeBlock>',
    );
    expect(text).toContain('\n```python\nx()\n```');
  });

  it('reads MDX in the fences of Docusaurus', () => {
    const { text } = partials(
      "````mdx-code-block\n```mdx-code-block\nimport Deep from './_deep.md'\n```\n\n<Deep />\n````\n\n```sh\nrun\n```\n",
    );
    expect(text.replace(/\n+/g, '\n')).toBe("\nimport Deep from './_deep.md'\nDeep.\n```sh\nrun\n```\n");
  });

  it('leaves tags in examples, also behind a hundred spaces', () => {
    const head = "import Deep from './_deep.md'\nimport Code from '!!raw-loader!@site/src/a.py'\n\n";
    const tags = '<Deep />\n<CodeBlock>{Code}</CodeBlock>\n';
    const far = tags.replace(/^(?=.)/gm, ' '.repeat(101));
    const text = `${head}~~~jsx\n${tags}~~~\n${far}`;
    expect(partials(text)).toEqual({ text, missed: [] });
    expect(
      partials(text + tags)
        .text.slice(text.length)
        .trim(),
    ).toBe('Deep.\n\n```py\nx()\n```');
  });

  it('leaves other tags, examples in code and missing files', () => {
    const text =
      "import None from './_none.mdx'\n\n<None />\n<Other />\n```\nimport A from './a.mdx'\n```\n<A />\n";
    expect(partials(text)).toEqual({
      text,
      missed: ['1: ./_none.mdx is not among the files of the folder'],
    });
  });
});

describe('withDefinitions', () => {
  const CONF = `release = "2.1"
rst_prolog = """
.. |yard| replace:: the yard of |owner|
.. |owner| replace:: Anna
.. _site: https://example.org
.. include:: more.inc
"""
rst_epilog = f".. |made| replace:: {release}\\n.. |lost| replace:: {unknown}"
`;
  const FILES: Files = { 'conf.py': CONF, 'more.inc': '.. |more| replace:: more text\n' };
  const defined = (text: string) =>
    expand(FILES, 'a/page.rst', (place) =>
      withDefinitions(text, place, sphinxDefinitions(CONF, 'index.rst', place.inclusion)),
    );

  it.each([
    [
      'a text with another one',
      '|yard|',
      '.. |yard| replace:: the yard of |owner|\n.. |owner| replace:: Anna',
    ],
    ['a text of an included file', '|more|', '.. |more| replace:: more text'],
    ['a text with a setting', '|made|', '.. |made| replace:: 2.1'],
    ['the release', '|release|', '.. |release| replace:: 2.1'],
    ['an address', 'See site_.', '.. _site: https://example.org'],
  ])('adds %s', (_, text, expected) => {
    expect(defined(text)).toEqual({ text: `${text}\n\n${expected}\n`, missed: [] });
  });

  it.each([
    ['a word with an underscore', 'See yard_ now.', true],
    ['words with an underscore', 'See `the yard`_.', true],
    ['bars in a table', '| |yard| |', true],
    ['none', 'A | b || c, snake_case.', false],
  ])('asks for the settings by %s', (_, text, isAsked) => {
    const inclusion = new Inclusion(corpus({}));
    withDefinitions(text, { page: 'page.rst', above: [], inclusion }, new Map());
    expect(inclusion.isAsked).toBe(isAsked);
  });

  it.each([
    ['a page without uses', 'Text.', []],
    ['a page with its own', '.. |yard| replace:: a\n\n|yard|', []],
    ['tables, code and formulas', '| a |b| c\n\n``|x|`` :math:`|y|`\n\n::\n\n   |z|', []],
    ['what a program makes', 'Text |lost|.', ['1: |lost| is not defined']],
  ])('adds nothing to %s', (_, text, missed) => {
    expect(defined(text)).toEqual({ text, missed });
  });
});
