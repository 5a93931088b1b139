import { join } from 'node:path';
import { antoraAttributesOf } from '../../../src/ingest/antora-attributes.js';
import { testFolder } from '../../support/test-folder.js';
import { writeFiles } from '../../support/write-files.js';

const COMPONENT =
  'name: boats\nasciidoc:\n  attributes:\n    url-yard: https://example.org\n    url-docks: "{url-yard}/docks"\n';

describe('antoraAttributesOf', () => {
  const folder = testFolder();
  const attributesOf = (path: string) => antoraAttributesOf()(join(folder.path, path));

  beforeAll(() =>
    writeFiles(folder.path, {
      'a/b/c/antora.yml': COMPONENT,
      'site/antora-playbook.yml':
        'asciidoc:\n  attributes:\n    idprefix: ""\n    idseparator: "-"\n    url-yard: https://example.net\n    note: soft@\n',
      'site/boats/antora.yml': `${COMPONENT}    note: own\n    hidden: false\n    shown: true\n    depth: 2\n`,
      'bad/antora.yml': 'asciidoc: {',
      'bad/modules/ROOT/pages/a.adoc': '',
    }),
  );

  afterAll(() => folder.remove());

  it('reads the settings of the site and of the component, with references', () => {
    expect(attributesOf('site/boats/modules/ROOT/pages/deep/a.adoc')).toEqual({
      idprefix: '',
      idseparator: '-',
      'url-yard': 'https://example.net',
      'url-docks': 'https://example.net/docks',
      note: 'own',
      hidden: null,
      shown: '',
      depth: '2',
    });
  });

  it('leaves references to names that objects have', async () => {
    await writeFiles(folder.path, {
      'named/antora.yml': 'name: x\nasciidoc:\n  attributes:\n    a: "{constructor}"\n',
    });
    expect(attributesOf('named/modules/ROOT/pages/a.adoc')).toMatchObject({ a: '{constructor}' });
  });

  it('reads the version of the component as it is written', async () => {
    const versions = ['version: 2.10', "version: '3'", 'version: ~', 'version: true', 'version:\n  2: x'];
    await writeFiles(
      folder.path,
      Object.fromEntries(versions.map((line, i) => [`v${i}/antora.yml`, `name: boats\n${line}\n`])),
    );
    const read = versions.map(
      (_, i) => attributesOf(`v${i}/modules/ROOT/pages/a.adoc`)?.['page-component-version'],
    );
    expect(read).toEqual(['2.10', '3', undefined, undefined, undefined]);
  });

  it.each([
    ['a/b/c/modules/ROOT/pages/a.adoc', 'https://example.org/docks'],
    ['bad/modules/ROOT/pages/a.adoc', undefined],
  ])('knows no prefix of ids without settings of the site: %s', (path, docks) => {
    const found = attributesOf(path);
    expect(found).toMatchObject({ idprefix: null });
    expect(found?.['url-docks']).toBe(docks);
  });

  it.each(['a/b/c/modules/ROOT/pages/a.md', 'site/boats/a.adoc', 'x/modules/ROOT/pages/a.adoc'])(
    'gives none to %s',
    (path) => {
      expect(attributesOf(path)).toBeNull();
    },
  );
});
