import { symlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { embedderNamed } from '../../../src/sqlite/latent/embedder-named.js';
import { makePort, SqliteReader } from '../../../src/sqlite/reader-ports.js';
import { buildIndex } from '../../support/build-index.js';
import { aQuery } from '../../support/indexed-documents.js';
import { type TestFolder, testFolder } from '../../support/test-folder.js';
import { writeFiles } from '../../support/write-files.js';

let folder: TestFolder;
beforeEach(() => {
  folder = testFolder();
  writeFiles(folder.file('docs'), {
    'guide.md': '# Guide\n\nRun the tracer:\n\n{* src/tracer.py *}\n',
    'src/tracer.py': 'import kestrel\n',
  });
});
afterEach(() => folder.remove());

const build = () => buildIndex(folder.file('docs'), folder.file('index.sqlite'));

async function textsWith(term: string): Promise<string[]> {
  const index = makePort('sections', new SqliteReader(folder.file('index.sqlite'), embedderNamed('lsa')));
  const { candidates } = await index.search(aQuery(term, { scope: { projectId: 'docs' } }));
  await index.close();
  return candidates.map(({ section }) => section.text);
}

describe('files that pages include', () => {
  it('are part of the text of the page', async () => {
    await build();
    expect(await textsWith('kestrel')).toEqual(['Run the tracer:\n\n```py\nimport kestrel\n```']);
  });

  it('make the page change when they change', async () => {
    await build();
    writeFiles(folder.file('docs'), { 'src/tracer.py': 'import osprey\n' });
    expect(await build()).toMatchObject({ parsed: 1 });
    expect([await textsWith('kestrel'), (await textsWith('osprey')).length]).toEqual([[], 1]);
  });

  it('are in pages of reStructuredText and AsciiDoc, with what their sites define', async () => {
    writeFiles(folder.file('docs'), {
      'conf.py': "release = '2.1'\n",
      'a.rst': 'Yard\n====\n\nVersion |release|.\n\n.. include:: part.inc\n',
      'part.inc': 'A kestrel. See |more|.\n\n.. |more| replace:: an osprey\n',
      'b.adoc': '= Berth\n\ninclude::attributes.adoc[]\n\nA {bird}.\n\ninclude::_more.adoc[leveloffset=+1]\n',
      'attributes.adoc': ':bird: kestrel\n',
      '_more.adoc': '= More\n\nFurther.\n',
    });
    await build();
    expect(await textsWith('osprey')).toEqual(['Version 2.1.\n\nA kestrel. See an osprey.']);
    expect(await textsWith('kestrel')).toContain('A kestrel.');
    expect(await textsWith('further')).toEqual(['Further.']);
  });

  it('are in pages of MyST, with the substitutions of their site and of the page', async () => {
    writeFiles(folder.file('docs'), {
      'conf.py':
        'myst_substitutions = {\n    "made": f"{release}",\n    "port": "**4077** of {{ bird }}"  # last\n}\n',
      'b.md': '# B\n\nA plover.\n\n```{math}\na^{{port}}\n```\n',
      'c.html': '<p>A plover: {{ port }}.</p>',
      'd.mdx': '# D\n\nA plover: <X y={{port}} />\n',
      'a.md':
        '---\nmyst:\n  substitutions:\n    bird: gannet\n---\n# A\n\nOpen {{ port }}: {{made}}, `{{ port }}`.\n\n```{tip}\nThe {{bird}}.\n```\n\n```\n{{ bird }}\n```\n',
    });
    await build();
    expect(await textsWith('gannet')).toEqual([
      'Open **4077** of gannet: {{made}}, `{{ port }}`.\n\n**Tip:** The gannet.\n\n```\n{{ bird }}\n```',
    ]);
    expect((await textsWith('plover')).join()).not.toContain('4077');
  });

  it('make the page change when a value of its site changes', async () => {
    writeFiles(folder.file('docs'), {
      'conf.py': "release = '2.1'\n",
      'a.rst': 'Yard\n====\n\nA kestrel |release|.\n',
    });
    await build();
    writeFiles(folder.file('docs'), { 'conf.py': "release = '2.2'\n" });
    expect(await build()).toMatchObject({ parsed: 1 });
    expect(await textsWith('kestrel')).toContain('A kestrel 2.2.');
  });

  it('are not pages of their own if their names say so', async () => {
    writeFiles(folder.file('docs'), {
      'guide.md': '# Guide\n\n--8<-- "_part.md"\n',
      '_part.md': 'A kestrel.\n',
      '_alone.md': 'Nobody includes this osprey.\n',
    });
    const { documents, remarks } = await build();
    expect([documents, await textsWith('kestrel')]).toEqual([2, ['A kestrel.']]);
    expect(await textsWith('osprey')).toHaveLength(1);
    expect(remarks).toEqual([
      {
        path: '1 file',
        reason: 'parts of the pages that include them or templates, not pages of their own: _part.md',
        isProblem: false,
      },
    ]);
    expect(await build()).toMatchObject({ parsed: 0, unchanged: 2, removed: 0 });
  });

  it.each([
    ['in its header', '---\nallow: [hr]\n---\n', ''],
    ['by the manifest', '', 'documents:\n  - match: ["guide.md"]\n    allow: [hr]\n'],
  ])('are pages of their own if the page has groups that they lack: %s', async (_, header, manifest) => {
    writeFiles(folder.file('docs'), {
      '.pith.yaml': manifest,
      'guide.md': `${header}# Guide\n\nFor some.\n\n--8<-- "notes.txt"\n`,
      'notes.txt': 'A kestrel.\n',
    });
    await build();
    expect(await textsWith('kestrel')).toEqual(['A kestrel.']);
  });

  it('are pages of their own if no page with them is in the index', async () => {
    writeFiles(folder.file('docs'), {
      'broken.html': `{% include_relative notes.txt %}${'<div>'.repeat(5_000)}`,
      '_config.yml': 'title: Yard\n',
      'notes.txt': 'A kestrel.\n',
    });
    const { skipped } = await build();
    expect(skipped.map(({ path }) => path)).toEqual(['broken.html:1']);
    expect(await textsWith('kestrel')).toContain('A kestrel.');
  });

  it('are pages of their own if all pages of their site have the same extension', async () => {
    writeFiles(folder.file('docs'), {
      'index.txt': 'Index\n=====\n\nText.\n\n.. include:: zoo.txt\n\n.. include:: _part.txt\n',
      'apes.txt': 'A kestrel.\n\n.. include:: zoo.txt\n',
      'zoo.txt': 'An osprey.\n',
      '_part.txt': 'A heron.\n',
    });
    await build();
    expect(await textsWith('osprey')).toContain('An osprey.');
    expect(await textsWith('heron')).toHaveLength(1);
  });

  it('are pages of their own if only a part of them is put in', async () => {
    writeFiles(folder.file('docs'), {
      'guide.md': '# Guide\n\n--8<-- "_part.md:1:1"\n\n--8<-- "_marked.md:a"\n',
      '_part.md': 'A kestrel.\n\nAn osprey.\n',
      '_marked.md': '<!-- --8<-- [start:a] -->\nA heron.\n<!-- --8<-- [end:a] -->\n',
    });
    await build();
    expect(await textsWith('osprey')).toEqual(['A kestrel.\n\nAn osprey.']);
    expect(await textsWith('heron')).toEqual(['A kestrel.\n\nA heron.']);
  });

  it('are pages of their own in a folder of content that is named like one of templates', async () => {
    writeFiles(folder.file('docs'), {
      'hugo.toml': 'baseURL = "https://example.org"\n',
      'content/layouts/flex.html': '<p>A kestrel flex.</p>',
      'layouts/_default/single.html': '<p>An osprey.</p>',
      'themes/plain/layouts/single.html': '<p>An osprey.</p>',
    });
    await build();
    expect(await textsWith('flex')).toEqual(['A kestrel flex.']);
    expect(await textsWith('osprey')).toEqual([]);
  });

  it('are not pages of their own if they are the text of a page, or templates of an engine', async () => {
    writeFiles(folder.file('docs'), {
      'a.rst': 'A\n=\n\nText.\n\n.. include:: shared.txt\n\n.. include:: net_snippets/care.rst\n',
      'shared.txt': '.. note:: A gannet.\n',
      'alone.txt': 'A gannet alone.\n',
      'net_snippets/care.rst': 'A plover.\n',
      'templates/page.html': '{% extends "base.html" %}\n{% block main %}<p>A curlew.</p>{% endblock %}',
      'overrides/main.html': '<div>{%- if page %}<p>A curlew.</p>{% endif -%}</div>',
      'templates/guide.html': '<h1>Blocks</h1><p>A curlew in <code>{% block a %}</code>.</p>',
      'templates/page.md': '# Page\n\nA curlew {% if a %}.{% endif %}\n',
      'pages/home.html': '{% set a = 1 %}<p>A curlew at home.</p>',
      'templates/base.html': '<title>A curlew</title>\n<body>\n  {% block main %}{% endblock %}\n</body>',
      'templates/jinja.html': '<!-- {% if %} -->\n<p>Write {% if user %} for a curlew in jinja.</p>',
      'themes/plain.html': '<table><tr><td>{% extends %}</td><td>A curlew in a table.</td></tr></table>',
    });
    const { remarks } = await build();
    expect(remarks.at(-1)).toMatchObject({
      path: '5 files',
      reason: expect.stringMatching(/: .*templates\/base\.html/) as unknown,
    });
    expect((await textsWith('gannet')).sort()).toEqual([
      'A gannet alone.',
      'Text.\n\n**Note:** A gannet.\n\nA plover.',
    ]);
    expect(await textsWith('plover')).toHaveLength(1);
    expect((await textsWith('curlew')).map((text) => text.replace(/\s+/g, ' ')).sort()).toEqual([
      'A curlew in `{% block a %}`.',
      'A curlew {% if a %}.{% endif %}',
      'Write {% if user %} for a curlew in jinja.',
      '{% set a = 1 %} A curlew at home.',
      '| | | | --- | --- | | {% extends %} | A curlew in a table. |',
    ]);
  });

  it('are not documents if they are the rows of a table of a page', async () => {
    const table = (file: string) => `.. csv-table:: Birds\n   :file: ${file}\n   :header-rows: 1\n`;
    writeFiles(folder.file('docs'), {
      'a.rst': `A\n=\n\nText.\n\n${table('birds.csv')}`,
      'birds.csv': 'Bird,Berths\ngannet,2\n',
      'alone.csv': 'Bird,Berths\nosprey,3\n',
      '_inner.csv': 'Bird,Berths\nheron,4\n',
    });
    await build();
    expect(await textsWith('gannet')).toEqual([expect.stringMatching(/^Text\./)]);
    expect([await textsWith('osprey'), await textsWith('heron')].map(({ length }) => length)).toEqual([1, 1]);
  });

  it('make the page change when the settings of its site appear', async () => {
    writeFiles(folder.file('docs'), { 'a.md': '# A\n\nSee {{ site.title }}.\n' });
    // A run reads a page again that changed within two seconds of the last run.
    await sleep(2_100);
    await build();
    writeFiles(folder.file('docs'), { '_config.yml': 'title: Kestrel yard\n' });
    await build();
    expect(await textsWith('yard')).toEqual(['See Kestrel yard.']);
  });

  it('are counted and named if they are not put in, on each run', async () => {
    const lost = (at: number) => `.. include:: lost-${at}.inc\n\n`;
    writeFiles(folder.file('docs'), {
      'a.rst': `A\n=\n\nText.\n\n.. include:: ../../outside.inc\n\n${[1, 2, 3, 4, 5].map(lost).join('')}`,
      'b.rst': `B\n=\n\nText.\n\n${lost(5)}`,
    });
    const expected = [
      ['7 includes in 2 pages', 'not put in'],
      ['a.rst:16', 'lost-5.inc is not among the files of the folder, and 1 more place'],
      ['a.rst:6', '../../outside.inc is outside of the folder'],
      ['a.rst:8', 'lost-1.inc is not among the files of the folder'],
      ['a.rst:10', 'lost-2.inc is not among the files of the folder'],
      ['a.rst:12', 'lost-3.inc is not among the files of the folder'],
      ['a.rst:14', 'lost-4.inc is not among the files of the folder'],
    ].map(([path, reason]) => ({ path, reason, isProblem: false }));
    expect((await build()).remarks).toEqual(expected);
    expect(await build()).toMatchObject({ remarks: expected, parsed: 0 });
  });

  it('are not documents of another repository', async () => {
    writeFiles(folder.file('docs'), {
      '.pith.yaml':
        'repository: yard\nrepositories:\n  vendor: { trusted: false }\ndocuments:\n  - match: ["vendor/**"]\n    repository: vendor\n',
      'secret.md': '# Secret\n\nA kestrel.\n',
      'vendor/a.md': '# A\n\nText.\n\n--8<-- "../secret.md"\n\n--8<-- "src/tracer.py"\n',
      'vendor/b.txt': 'An osprey.\n',
      'vendor/b.rst': 'B\n=\n\n.. include:: b.txt\n',
      'b.md': '# B\n\n--8<-- "vendor/b.txt"\n\n--8<-- "vendor/b.rst"\n',
    });
    const { remarks } = await build();
    expect(remarks[0]).toMatchObject({ path: '4 includes in 2 pages' });
    expect((await textsWith('kestrel')).sort()).toEqual([
      'A kestrel.',
      'Run the tracer:\n\n```py\nimport kestrel\n```',
    ]);
    expect(await textsWith('osprey')).toEqual(['An osprey.']);
  });

  const VENDOR_AND_PRIVATE = `repository: yard
repositories:
  vendor: { trusted: false }
documents:
  - match: ["vendor/**"]
    repository: vendor
  - match: ["private/**"]
    repository: private
`;

  it.each([
    [
      'templates of a site',
      {
        'hugo.toml': 'baseURL = "https://example.org"\n',
        'vendor/layouts/shortcodes/warn.html': 'An osprey.',
        'a.md': '# A\n\nText {{< warn >}}\n',
      },
    ],
    [
      'data of a site of Jekyll',
      {
        '_config.yml': 'title: Yard\n',
        '_data/vendor/e.yml': 'bird: osprey\n',
        '.pith.yaml': VENDOR_AND_PRIVATE.replace('vendor/**', '_data/vendor/**'),
        'a.md': '# A\n\nText {{ site.data.vendor.e.bird }}\n',
      },
    ],
    [
      'parameters of a site of Hugo',
      {
        'config/_default/hugo.toml': 'baseURL = "https://example.org"\n',
        'config/_default/params.toml': 'bird = "osprey"\n',
        '.pith.yaml': VENDOR_AND_PRIVATE.replace('vendor/**', '**/params.toml'),
        'a.md': '# A\n\nText {{< param bird >}}\n',
      },
    ],
    [
      'definitions of a site of Sphinx',
      {
        'site/conf.py': 'rst_prolog = """\n.. include:: ../private/birds.rst\n"""\n',
        'private/birds.rst': '.. |bird| replace:: an osprey\n',
        'site/a.rst': 'A\n=\n\nText |bird|.\n',
      },
    ],
  ])('are not in %s if they are of another repository', async (_, files) => {
    writeFiles(folder.file('docs'), { '.pith.yaml': VENDOR_AND_PRIVATE, ...files });
    await build();
    expect((await textsWith('text')).filter((text) => text.startsWith('Text'))).toHaveLength(1);
    expect((await textsWith('osprey')).filter((text) => text.startsWith('Text'))).toEqual([]);
  });

  it('are not documents with another tag', async () => {
    writeFiles(folder.file('docs'), {
      '.pith.yaml':
        'documents:\n  - match: ["open/**"]\n    doc_tag: public\n  - match: ["closed/**"]\n    doc_tag: internal\n',
      'closed/plan.md': 'A kestrel.\n',
      'open/_part.md': 'An osprey.\n',
      'open/a.md': '# A\n\n--8<-- "closed/plan.md"\n\n--8<-- "_part.md"\n\n{* src/tracer.py *}\n',
      '_config.yml': 'title: Yard\n',
      '_includes/note.html': 'A heron.',
      'open/b.md': '# B\n\n{% include note.html %}\n',
    });
    await build();
    expect((await textsWith('kestrel')).filter((text) => text.startsWith('A kestrel'))).toEqual([
      'A kestrel.',
    ]);
    expect(await textsWith('osprey')).toEqual([
      '--8<-- "closed/plan.md"\n\nAn osprey.\n\n```py\nimport kestrel\n```',
    ]);
    expect(await textsWith('heron')).toEqual(['A heron.']);
  });

  it.each([
    ['is outside the folder', '../outside.py'],
    ['is a symbolic link', 'link.py'],
    ['is behind a symbolic link', 'linked/outside.py'],
    ['is hidden', '.env'],
    ['is ignored', 'ignored.py'],
    ['is not text', 'binary.py'],
  ])('are not read if one %s', async (_, path) => {
    writeFiles(folder.file('.'), { 'outside.py': 'kestrel', 'far/outside.py': 'kestrel' });
    writeFiles(folder.file('docs'), {
      'guide.md': `# Guide\n\nText.\n\n{* ${path} *}\n\n--8<-- "${path}"\n`,
      'a.rst': `A\n=\n\n.. include:: ${path}\n\n.. literalinclude:: /${path}\n`,
      'a.adoc': `= A\n\ninclude::${path}[]\n`,
      'a.mdx': `import A from './${path}.mdx'\nimport B from '!!raw-loader!./${path}'\n\n<A />\n\n<CodeBlock>{B}</CodeBlock>\n`,
      '_config.yml': 'title: A\n',
      'b.md': `Text {% include_relative ${path} %}`,
      '.env': 'kestrel',
      '.ignore': 'ignored.py\n',
      'ignored.py': 'kestrel',
      'binary.py': 'kestrel\0',
    });
    symlinkSync(folder.file('outside.py'), folder.file('docs/link.py'));
    symlinkSync(folder.file('far'), folder.file('docs/linked'));
    await build();
    expect(await textsWith('kestrel')).toEqual([]);
  });
});
