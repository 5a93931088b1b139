import fc from 'fast-check';
import { linkResolver } from '../../../../src/ingest/links/resolve-links.js';
import { writtenLink } from '../../../../src/ingest/links/written-links.js';
import { codePoints } from '../../../support/code-points.js';

const PATHS = [
  'README.md',
  'start.md',
  'c#/über uns.md',
  'guide/index.md',
  'guide/install.md',
  'guide/set-up/README.md',
  'guide/set-up/linux.mdx',
  'guide/tools.html',
  'guide/tools.md',
  'harbour/_index.md',
  'harbour/berths.md',
  'harbour/fees/summer.md',
  'harbour/Lights.md',
  'twins/A.md',
  'twins/a.md',
];

const pages = (paths: readonly string[]) => paths.map((path) => ({ path, url: null }));
const resolve = (from: string, href: string, siteUrls: readonly string[] = []) => {
  const target = linkResolver(pages(PATHS), siteUrls)(from, href);
  return target.kind === 'page' ? target.path : target.kind;
};

describe('linkResolver', () => {
  it.each([
    ['the page itself', 'guide/install.md', '#top', 'guide/install.md'],
    ['a query alone', 'guide/install.md', '?tab=2', 'guide/install.md'],
    ['a sibling', 'guide/install.md', 'tools.md', 'guide/tools.md'],
    ['a sibling with a dot', 'guide/install.md', './tools.md', 'guide/tools.md'],
    ['a page above', 'guide/set-up/linux.mdx', '../install.md', 'guide/install.md'],
    ['the exact file of two', 'guide/install.md', 'tools.html', 'guide/tools.html'],
    ['no extension', 'guide/install.md', 'tools', 'guide/tools.md'],
    ['another extension', 'guide/install.md', 'set-up/linux.html', 'guide/set-up/linux.mdx'],
    ['a query', 'guide/install.md', 'tools.md?view=new', 'guide/tools.md'],
    ['a folder', 'guide/install.md', 'set-up', 'guide/set-up/README.md'],
    ['a folder with a slash', 'guide/install.md', 'set-up/', 'guide/set-up/README.md'],
    ['its folder', 'guide/install.md', './', 'guide/index.md'],
    ['the folder above', 'guide/set-up/linux.mdx', '..', 'guide/index.md'],
    ['a folder page by an underscore', 'guide/install.md', '../harbour/', 'harbour/_index.md'],
    ['a page with a slash', 'guide/index.md', 'install/', 'guide/install.md'],
    ['index.html for a page', 'guide/index.md', 'install/index.html', 'guide/install.md'],
    ['percent-encoding', 'start.md', 'c%23/%C3%BCber%20uns.md', 'c#/über uns.md'],
    ['broken percent-encoding', 'start.md', '%E0%A4%A', 'unresolved'],
    ['backslashes', 'guide/set-up/linux.mdx', '..\\install.md', 'guide/install.md'],
    ['another case', 'harbour/berths.md', 'LIGHTS.md', 'harbour/Lights.md'],
    ['the exact case of two', 'twins/A.md', 'a.md', 'twins/a.md'],
    ['two cases and neither exact', 'start.md', 'TWINS/A.MD', 'unresolved'],
    ['a page that is not there', 'start.md', 'nowhere.md', 'unresolved'],
    ['a way out of the folder', 'guide/install.md', '../../start.md', 'external'],
    ['an encoded way out', 'guide/install.md', '%2e%2e/%2E%2E/start.md', 'external'],
  ])('resolves %s', (_name, from, href, expected) => {
    expect(resolve(from, href)).toBe(expected);
  });

  it.each([
    ['its folder', 'pages/a/x.adoc', 'b.adoc', 'pages/a/b.adoc'],
    ['a folder above', 'pages/a/x.adoc', 'c/d.adoc#e', 'pages/c/d.adoc'],
    ['a published page', 'pages/a/x.adoc', 'b.html', 'pages/a/b.adoc'],
  ])('finds an AsciiDoc page from %s', (_name, from, href, path) => {
    const resolveFrom = linkResolver(pages(['pages/a/x.adoc', 'pages/a/b.adoc', 'pages/c/d.adoc']), []);
    expect(resolveFrom(from, href)).toMatchObject({ kind: 'page', path });
  });

  it.each([
    [
      'menu',
      'boats/modules/rig/nav.adoc',
      'knots/bowline.adoc#tie',
      'boats/modules/rig/pages/knots/bowline.adoc',
    ],
    ['partial', 'modules/ROOT/partials/nav/all.adoc', 'index.adoc', 'modules/ROOT/pages/index.adoc'],
  ])('finds the pages of its module from a %s of Antora', (_name, from, href, path) => {
    expect(linkResolver(pages([from, path]), [])(from, href)).toMatchObject({ kind: 'page', path });
  });

  it.each([
    ['a page shown under its own folder', 'guide/install.md', '../tools', 'guide/tools.md'],
    ['a page below that', 'guide/tools.md', '../set-up/linux', 'guide/set-up/linux.mdx'],
    ['a folder page shown without slash', 'harbour/_index.md', './guide/install', 'guide/install.md'],
    ['a base address', 'guide/set-up/linux.mdx', 'harbour/berths', 'harbour/berths.md'],
    ['no base address behind a dot', 'guide/set-up/linux.mdx', './harbour/berths', 'unresolved'],
    ['files only where there is an extension', 'guide/install.md', '../tools.md', 'unresolved'],
  ])('resolves links without extension like a browser: %s', (_name, from, href, expected) => {
    expect(resolve(from, href)).toBe(expected);
  });

  it.each([
    ['the root', 'harbour/berths.md', '/guide/install', 'guide/install.md'],
    ['a folder above the page', 'harbour/fees/summer.md', '/berths', 'harbour/berths.md'],
    ['the root page', 'harbour/berths.md', '/', 'README.md'],
    ['a tilde', 'harbour/berths.md', '~/guide/install.md', 'guide/install.md'],
    ['no folder beside the page', 'guide/install.md', '/berths', 'external'],
    ['no way out', 'guide/install.md', '/../start.md', 'external'],
    ["another site's root", 'guide/install.md', '/usr/share/doc/a.html', 'external'],
    ['a missing page in an existing folder', 'start.md', '/guide/nowhere', 'unresolved'],
  ])('resolves links from the root: %s', (_name, from, href, expected) => {
    expect(resolve(from, href)).toBe(expected);
  });

  it.each([
    ['the outermost folder', ['a/x.md', 'a/b/x.md', 'a/b/c/page.md'], '/x', 'a/x.md'],
    ['the root before folders', ['x.md', 'a/x.md', 'a/page.md'], '/x', 'x.md'],
  ])('prefers %s', (_name, paths, href, expected) => {
    const from = paths.at(-1) ?? '';
    expect(linkResolver(pages(paths), [])(from, href)).toMatchObject({ path: expected });
  });

  it.each([
    ['https://example.org/guide/install', ['https://example.org'], 'guide/install.md'],
    ['http://www.example.org/guide/install/', ['https://example.org/'], 'guide/install.md'],
    ['//EXAMPLE.org/guide/install.html?a#b', ['https://www.example.org'], 'guide/install.md'],
    ['https://example.org/docs/guide/install', ['https://example.org/docs'], 'guide/install.md'],
    [
      'https://example.org/docs/guide/install',
      ['https://example.org', 'https://example.org/docs/'],
      'guide/install.md',
    ],
    ['https://example.org/docs', ['https://example.org/docs'], 'README.md'],
    ['/docs/guide/install', ['https://example.org/docs'], 'guide/install.md'],
    ['https://example.org/summer', ['https://example.org'], 'harbour/fees/summer.md'],
    ['https://example.org/docs2/guide/install', ['https://example.org/docs'], 'external'],
    ['https://example.org.evil.test/guide/install', ['https://example.org'], 'external'],
    ['https://example.org@evil.test/guide/install', ['https://example.org'], 'external'],
    ['https://example.org/nowhere', ['https://example.org'], 'unresolved'],
    ['https://example.org/%E0%A4%A', ['https://example.org'], 'unresolved'],
    ['https://example.org/guide/install', [], 'external'],
  ])('resolves %s on the sites %j', (href, siteUrls, expected) => {
    expect(resolve('harbour/fees/summer.md', href, siteUrls)).toBe(expected);
  });

  it.each([
    ['an image', 'images/map.png'],
    ['a download', '../_downloads/0a/example.py'],
    ['an image from the root', '/guide/map.svg'],
    ['the root of a declared site', 'https://example.org/guides/'],
    ['a file of a declared site', 'https://example.org/guides/a.zip'],
  ])('treats a target that is not a document as external: %s', (_name, href) => {
    const resolveFrom = linkResolver(pages(['guide/install.md']), ['https://example.org/guides']);
    expect(resolveFrom('guide/install.md', href)).toEqual({ kind: 'external' });
  });

  it('finds an indexed document of a converted format, and does not miss one that is not indexed', () => {
    const resolveFrom = linkResolver(pages(['guide/install.md', 'guide/fees.xlsx', 'README']), []);
    expect(resolveFrom('guide/install.md', 'fees.xlsx')).toMatchObject({ path: 'guide/fees.xlsx' });
    expect(resolveFrom('guide/install.md', '../README')).toMatchObject({ path: 'README' });
    expect(resolveFrom('guide/install.md', 'gone.xlsx')).toEqual({ kind: 'external' });
  });

  it.each([
    ['../README.md', 'external'],
    ['../reports/a.md', 'external'],
    ['../hand/gone.md', 'unresolved'],
    ['gone.md', 'unresolved'],
  ])('resolves %s from one of several indexed folders as %s', (href, kind) => {
    const resolveFrom = linkResolver(pages(['docs/a.md', 'hand/b.md']), []);
    expect(resolveFrom('docs/a.md', href)).toEqual({ kind });
  });

  it('reports no broken links to a guessed site', () => {
    const resolveFrom = linkResolver(pages(PATHS), [], ['https://example.org']);
    expect(resolveFrom('start.md', 'https://example.org/guide/install')).toMatchObject({
      path: 'guide/install.md',
    });
    expect(resolveFrom('start.md', 'https://example.org/blog/2024')).toEqual({ kind: 'external' });
  });

  it('finds a page of another site at the root, if only one folder has it', () => {
    const sites = pages(['one/guide/a.md', 'two/b.md', 'two/c.md', 'three/c.md']);
    const resolveFrom = linkResolver(sites, ['https://example.org']);
    expect(resolveFrom('one/guide/a.md', 'https://example.org/b')).toMatchObject({ path: 'two/b.md' });
    expect(resolveFrom('one/guide/a.md', 'https://example.org/c')).toEqual({ kind: 'unresolved' });
  });

  it("resolves a page's own address exactly", () => {
    const own = [{ path: 'x/a.md', url: 'https://example.org/some/page/' }, ...pages(['b.md'])];
    const resolveFrom = linkResolver(own, []);
    expect(resolveFrom('b.md', 'http://www.example.org/some/page?x#part')).toEqual({
      kind: 'page',
      path: 'x/a.md',
      anchor: 'part',
    });
    expect(resolveFrom('b.md', 'https://example.org/some')).toEqual({ kind: 'external' });
  });

  it('finds a page by its title if no file has the name', () => {
    const titled = [
      { path: 'guide/providers.md', url: null, title: 'Custom providers' },
      { path: 'guide/twin-1.md', url: null, title: 'Twin' },
      { path: 'guide/twin-2.md', url: null, title: 'Twin' },
      { path: 'start.md', url: null, title: 'Providers' },
    ];
    const resolveFrom = linkResolver(titled, []);
    expect(resolveFrom('start.md', '/guide/custom-providers#x')).toMatchObject({
      path: 'guide/providers.md',
    });
    expect(resolveFrom('start.md', '/guide/providers')).toMatchObject({ path: 'guide/providers.md' });
    expect(resolveFrom('start.md', '/guide/twin')).toEqual({ kind: 'unresolved' });
  });

  it.each([
    ['mailto:a@example.org'],
    ['javascript:void(0)'],
    ['data:text/plain,a'],
    ['ftp://example.org/start.md'],
    ['https://example.org'],
    ['https:start.md'],
    ['//'],
  ])('treats %s as external', (href) => {
    expect(resolve('start.md', href)).toBe('external');
  });

  it.each([
    ['install.md#a', 'a'],
    ['install.md?x#a%20b', 'a%20b'],
    ['install.md#a#b', 'a#b'],
    ['install.md#', null],
    ['install.md', null],
  ])('returns the anchor of %s as written', (href, anchor) => {
    expect(linkResolver(pages(PATHS), [])('guide/tools.md', href)).toEqual({
      kind: 'page',
      path: 'guide/install.md',
      anchor,
    });
  });

  it('resolves no links on unknown pages', () => {
    expect(resolve('nowhere.md', '#a')).toBe('unresolved');
  });

  it('never throws, and never returns an unknown page', () => {
    const name = fc.constantFrom(
      'a',
      'b',
      'index',
      'README',
      '_index',
      '',
      '.',
      '..',
      '%2e',
      '%zz',
      'A',
      'é',
      '#',
      '?',
    );
    const ending = fc.constantFrom('', '.md', '.html', '.MDX', '/', '\\');
    const path = fc
      .array(
        fc.tuple(name, ending).map((parts) => parts.join('')),
        { maxLength: 5 },
      )
      .map((parts) => parts.join('/'));
    const start = fc.constantFrom('', '/', '~/', './', '//', 'https://a/', 'https://a', 'x:', '\\');
    const href = fc.oneof(
      fc.tuple(start, path).map((parts) => parts.join('')),
      fc.string({ unit: codePoints }),
    );
    fc.assert(
      fc.property(fc.array(path, { minLength: 1 }), href, fc.array(href), (paths, link, sites) => {
        const [from = ''] = paths;
        const target = linkResolver(pages(paths), sites)(from, link);
        expect(target.kind !== 'page' || paths.includes(target.path)).toBe(true);
      }),
    );
  });
});

describe('linkResolver in wikis', () => {
  const PAGES = [
    { path: 'Home.md', url: null },
    { path: 'birds/Grey Heron.md', url: null, names: ['Ardea', 'grey'] },
    { path: 'birds/nests/Grey-Heron.md', url: null },
    { path: 'birds/README.md', url: null },
    { path: 'lists/rivers/2024.md', url: null, title: 'The rivers' },
    { path: 'pages/lakes___Deep.md', url: null },
    { path: 'Node.js.md', url: null },
    { path: 'Cafe\u0301.md', url: null },
  ];
  const resolveWiki = (href: string, from = 'lists/rivers/2024.md') => linkResolver(PAGES, [])(from, href);

  it.each([
    ['[[Home]]', 'Home.md', null],
    ['[[home|here]]', 'Home.md', null],
    ['[[Grey Heron]]', 'birds/Grey Heron.md', null],
    ['[[grey-heron#Nests]]', 'birds/Grey Heron.md', 'Nests'],
    ['[[grey-heron#Nests#Eggs]]', 'birds/Grey Heron.md', 'Eggs'],
    ['[[nests/Grey Heron]]', 'birds/nests/Grey-Heron.md', null],
    ['[[Ardea]]', 'birds/Grey Heron.md', null],
    ['[[birds]]', 'birds/README.md', null],
    ['[[The rivers]]', 'lists/rivers/2024.md', null],
    ['[[lakes/Deep]]', 'pages/lakes___Deep.md', null],
    ['[[Node.js]]', 'Node.js.md', null],
    ['[[../../Home]]', 'Home.md', null],
    ['[[#Flow]]', 'lists/rivers/2024.md', 'Flow'],
    ['[[the grey one|Grey-Heron]]', 'birds/Grey Heron.md', null],
    ['[[Caf\u00e9]]', 'Cafe\u0301.md', null],
    ['[[Home#^a1b2]]', 'Home.md', null],
    ['[[dendron://other-vault/Home#Flow,1]]', 'Home.md', 'Flow'],
    ['[[the page|dendron://vault/birds/grey-heron]]', 'birds/Grey Heron.md', null],
  ])('finds the page of %s', (href, path, anchor) => {
    expect(resolveWiki(href)).toEqual({ kind: 'page', path, anchor });
  });

  it.each([
    ['[[Grey Egret]]', { kind: 'unresolved' }],
    ['[[map.png]]', { kind: 'external' }],
    ['[[a site|https://example.org]]', { kind: 'external' }],
    ['[[a note|obsidian://open?file=Gone]]', { kind: 'external' }],
    ['[[bin]]', { kind: 'unread', form: '[[…]]' }],
  ])('finds no page for %s', (href, target) => {
    expect(resolveWiki(href)).toEqual(target);
  });
});

describe('linkResolver on sites of generators', () => {
  const PAGES = [
    'content/en/docs/guide/_index.md',
    'content/en/docs/guide/sails.md',
    'content/en/docs/Old Sails/Main sail.md',
    'content/en/docs/masts.md',
    'content/en/docs/02-keels.md',
    '_posts/2024-05-06-launch.md',
    'boats/modules/ROOT/pages/index.adoc',
    'boats/modules/rig/pages/ropes.adoc',
    'boats/modules/rig/partials/knots.adoc',
    'yards/modules/ROOT/pages/docks.adoc',
  ].map((path) => ({
    path,
    url: null,
    ...(path.includes('masts') ? { names: ['spars', 'Spar.Type'] } : {}),
  }));
  const resolveFrom = (href: string, from = 'content/en/docs/guide/sails.md') =>
    linkResolver(PAGES, [])(from, href);

  it.each([
    ['{{< ref "masts.md" >}}', 'content/en/docs/masts.md', null],
    ['{{< ref "/docs/masts.md#step" >}}', 'content/en/docs/masts.md', 'step'],
    ['{{< relref "../masts" >}}', 'content/en/docs/masts.md', null],
    ['{{% ref masts %}}', 'content/en/docs/masts.md', null],
    ['{% link _posts/2024-05-06-launch.md %}#end', '_posts/2024-05-06-launch.md', 'end'],
    ['{% post_url 2024-05-06-launch %}', '_posts/2024-05-06-launch.md', null],
    ['{{ site.baseurl }}/docs/masts/', 'content/en/docs/masts.md', null],
    ["{{ '/docs/masts' | relative_url }}", 'content/en/docs/masts.md', null],
    ['{{ site.baseurl }}{% link content/en/docs/masts.md %}#step', 'content/en/docs/masts.md', 'step'],
    ['{% link site/content/en/docs/masts.md %}', 'content/en/docs/masts.md', null],
    ['@site/content/en/docs/masts.md', 'content/en/docs/masts.md', null],
    ['@/en/docs/masts.md', 'content/en/docs/masts.md', null],
    ['/docs/old-sails/main-sail/', 'content/en/docs/Old Sails/Main sail.md', null],
    ['../keels', 'content/en/docs/02-keels.md', null],
    ['../spars', 'content/en/docs/masts.md', null],
    ['xref:Spar.Type', 'content/en/docs/masts.md', null],
  ])('reads %s', (href, path, anchor) => {
    expect(resolveFrom(href)).toEqual({ kind: 'page', path, anchor });
  });

  it.each([
    ['rig:ropes.adoc', 'boats/modules/rig/pages/ropes.adoc'],
    ['rig:ropes.html#knots', 'boats/modules/rig/pages/ropes.adoc'],
    ['boats:rig:ropes.adoc', 'boats/modules/rig/pages/ropes.adoc'],
    ['2.0@boats::index.adoc', 'boats/modules/ROOT/pages/index.adoc'],
    ['yards::docks.adoc', 'yards/modules/ROOT/pages/docks.adoc'],
    ['rig:partial$knots.adoc', 'boats/modules/rig/partials/knots.adoc'],
    ['boats:rig:page$ropes.adoc', 'boats/modules/rig/pages/ropes.adoc'],
  ])('reads the resource %s of Antora', (href, path) => {
    expect(resolveFrom(href, 'boats/modules/ROOT/pages/index.adoc')).toMatchObject({ kind: 'page', path });
  });

  it('reads a partial of the own module', () => {
    const target = resolveFrom('partial$knots.adoc', 'boats/modules/rig/pages/ropes.adoc');
    expect(target).toMatchObject({ kind: 'page', path: 'boats/modules/rig/partials/knots.adoc' });
  });

  it.each([
    ['yards::index.adoc', 'component:module:page'],
    ['partial$gone.adoc', 'partial$'],
    ['example$docks.adoc', 'example$'],
  ])('does not take a page of the own component for %s', (href, form) => {
    expect(resolveFrom(href, 'boats/modules/ROOT/pages/index.adoc')).toEqual({ kind: 'unread', form });
  });

  it.each([
    ['{{< ref "gone.md" >}}', '{{< ref >}}'],
    ['{{% relref "gone" %}}', '{{% relref %}}'],
    ['{% link gone.md %}', '{% link %}'],
    ["{{ url_for('index') }}", '{{ url_for }}'],
    ['{{ page.next }}', '{{ variable }}'],
    ['@site/src/gone.md', '@site/'],
    ['xref:Some.Type', 'xref:'],
    ['project:gone.md', 'project:'],
    ['g', '(g)'],
    ['rig:gone.adoc', 'component:module:page'],
  ])('does not call %s dead', (href, form) => {
    expect(resolveFrom(href)).toEqual({ kind: 'unread', form });
  });

  it.each([
    ['guide/', 'content/en/docs/masts.md', 'page'],
    ['../sail/', 'boats/modules/ROOT/pages/index.adoc', 'unresolved'],
    ['../../rig/', 'boats/modules/ROOT/pages/index.adoc', 'external'],
    ['/boats/modules/', 'boats/modules/ROOT/pages/index.adoc', 'external'],
    ['/content/en', 'content/en/docs/masts.md', 'external'],
  ])('does not call a link to the folder %s dead', (href, from, kind) => {
    expect(resolveFrom(href, from).kind).toBe(kind);
  });
});

describe('writtenLink', () => {
  it('takes no longer for a template of blanks without an end', () => {
    expect(writtenLink(`{{${' '.repeat(2_000)}x`)).toEqual({ href: null, form: '{{ …' });
  });
});

describe('links between pages that are routes of their folders', () => {
  const ROUTES = [
    'app/docs/page.mdx',
    'app/docs/(guide)/sails/page.mdx',
    'app/docs/ropes/page.mdx',
    'src/routes/moor/+page.svx',
    'guide/page.md',
    'guide/sails.md',
    '_berths/north/fees.md',
    '_posts/2026-01-01-storm.md',
  ];
  it.each([
    ['app/docs/page.mdx', '/docs/sails', 'app/docs/(guide)/sails/page.mdx'],
    ['app/docs/ropes/page.mdx', './sails#knots', 'app/docs/(guide)/sails/page.mdx'],
    ['app/docs/(guide)/sails/page.mdx', '../docs', 'app/docs/page.mdx'],
    ['app/docs/page.mdx', '/docs/ropes/', 'app/docs/ropes/page.mdx'],
    ['guide/page.md', './sails', 'guide/sails.md'],
    // A collection of Jekyll.
    ['guide/page.md', "{{ '/berths/north/fees/' | relative_url }}", '_berths/north/fees.md'],
    ['guide/sails.md', '/guide/page', 'guide/page.md'],
  ])('from %s, %s is %s', (from, href, target) => {
    expect(linkResolver(pages(ROUTES), [])(from, href)).toMatchObject({ kind: 'page', path: target });
  });

  it('are the first of several that are published at one address, in any order', () => {
    const paths = ['app/docs/page.mdx', 'app/(b)/moor/page.mdx', 'app/(a)/moor/page.mdx'];
    for (const order of [paths, paths.toReversed()])
      expect(linkResolver(pages(order), [])('app/docs/page.mdx', '/moor')).toMatchObject({
        path: 'app/(a)/moor/page.mdx',
      });
  });
});
