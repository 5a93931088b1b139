import { indexDocument } from '../../../../src/ingest/index-document.js';

const anchorsOf = async (path: string, text: string) => {
  const bytes = Buffer.from(text);
  const file = { kind: 'file', path, absolute: `/${path}`, bytes: bytes.length, mtimeMs: 0 } as const;
  const rules = { docTag: undefined, repository: 'repo', metadata: {}, declaredKeys: [] };
  const { sections } = await indexDocument({ file, bytes, rules, hash: 'h' });
  return sections.map(({ id, anchor }) => `${id.replace(/^.*#/, '')} ${anchor ?? '-'}`);
};

describe('the anchors of a page', () => {
  it('are those of docutils in reStructuredText, and none for an equal title or one without letters', async () => {
    const text =
      "Sails\n=====\n\nA.\n\nDon't moor_it\n-------------\n\nB.\n\nDon't moor it\n-------------\n\nC.\n\nПричал\n------\n\nD.\n";
    expect(await anchorsOf('a.rst', text)).toEqual([
      '_preamble sails',
      'dont-moor_it don-t-moor-it',
      'dont-moor-it -',
      'причал -',
    ]);
  });

  it('are the ids of HTML, of the heading or beside it, and none without an id', async () => {
    const text =
      '<h1>Top</h1><p>A.</p><h2 id="one">One</h2><p>B.</p><a name="two"></a><h2>Two</h2><p>C.</p>' +
      '<h2><a id="three"></a>Three</h2><p>D.</p><h2>Four</h2><p>E.</p>';
    expect(await anchorsOf('a.html', text)).toEqual([
      '_preamble -',
      'one one',
      'two two',
      'three three',
      'four -',
    ]);
  });

  it('are those that AsciiDoc declares, or makes with the prefix of the page', async () => {
    const text =
      '= Top\n:idprefix:\n:idseparator: -\n\nA.\n\n[#one]\n== First\n\nB.\n\n== Set the sails\n\nC.\n\n[[two]]\n== Last\n\nD.\n';
    expect(await anchorsOf('a.adoc', text)).toEqual([
      '_preamble -',
      'first one',
      'set-the-sails set-the-sails',
      'last two',
    ]);
  });

  it('leave section ids as they are', async () => {
    expect(await anchorsOf('a.md', '# T\n\n## Set up {: .x #moor }\n\nA.')).toEqual(['set-up moor']);
  });
});
