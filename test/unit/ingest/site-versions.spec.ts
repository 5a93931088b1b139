import { join } from 'node:path';
import { findSiteVersions } from '../../../src/ingest/site-versions.js';
import { testFolder } from '../../support/test-folder.js';
import { writeFiles } from '../../support/write-files.js';

describe('findSiteVersions', () => {
  const folder = testFolder();
  const versionOf = (path: string, version?: string) =>
    findSiteVersions()({ path, absolute: join(folder.path, path) }, version);

  afterAll(() => folder.remove());

  it('marks the version of a component that Antora calls a prerelease', () => {
    const lines = [
      'prerelease: true',
      'prerelease: -rc.1',
      'prerelease: "-SNAPSHOT" # soon',
      'prerelease: false',
      'prerelease: ~',
      'prerelease:',
      'version: 4.0',
    ];
    writeFiles(
      folder.path,
      Object.fromEntries(
        lines.map((line, i) => [`a${i}/antora.yml`, `name: boats\nversion: 4.0\n${line}\n`]),
      ),
    );
    expect(lines.map((_, i) => versionOf(`a${i}/modules/ROOT/pages/a.adoc`, '4.0').isUnreleased)).toEqual([
      ...[true, true, true],
      ...[false, false, false, false],
    ]);
  });

  it('takes the pages of Docusaurus without a version for the next one, and versions above the last for unreleased', () => {
    writeFiles(folder.path, {
      'd/versions.json': '["3.0", "2.0", "1.0"]',
      'd/docusaurus.config.js': 'module.exports = { presets: [{ docs: { lastVersion: "2.0" } }] }',
    });
    expect([
      versionOf('d/docs/a.md'),
      versionOf('d/versioned_docs/version-3.0/a.md', '3.0'),
      versionOf('d/versioned_docs/version-2.0/a.md', '2.0'),
      versionOf('d/versioned_docs/version-1.0/a.md', '1.0'),
      versionOf('d/i18n/fr/docusaurus-plugin-content-docs/current/a.md', 'current'),
    ]).toEqual([
      { version: 'next', isUnreleased: true },
      { version: '3.0', isUnreleased: true },
      { version: '2.0', isUnreleased: false },
      { version: '1.0', isUnreleased: false },
      { version: 'next', isUnreleased: true },
    ]);
  });

  it('takes them for the latest version if the site shows it first, with the name that it has there', () => {
    const config = (more: string) => `export default { docs: { lastVersion: 'current', ${more} } }`;
    writeFiles(folder.path, {
      'e/website/versions.json': '["2.0"]',
      'e/website/docusaurus.config.ts': config(''),
      'f/versions.json': '["2.0"]',
      'f/docusaurus.config.ts': config("versions: { current: { label: '3.x', path: '3.x' } }"),
    });
    expect([versionOf('e/docs/deep/a.md'), versionOf('f/docs/a.md')]).toEqual([
      { version: 'latest', isUnreleased: false },
      { version: '3.x', isUnreleased: false },
    ]);
  });

  it('reads each set of pages of Docusaurus by its own settings', () => {
    writeFiles(folder.path, {
      'g/versions.json': '["2.0"]',
      'g/community_versions.json': '["1.0"]',
      'g/docusaurus.config.js': 'module.exports = { docs: { lastVersion: "current" } }',
    });
    expect([versionOf('g/docs/a.md').version, versionOf('g/community/a.md').version]).toEqual([
      'latest',
      'next',
    ]);
  });

  it('knows nothing of a folder beside a file of another kind', () => {
    writeFiles(folder.path, {
      'h/versions.json': '["2.0"]',
      'i/versions.json': '{',
      'i/docusaurus.config.js': '',
    });
    expect([versionOf('h/docs/a.md'), versionOf('i/docs/a.md')]).toEqual(
      Array(2).fill({ version: undefined, isUnreleased: false }),
    );
  });

  it.each([
    ['hugo.yaml', 'baseURL: /\nparams:\n  latest_stable_version: v3.7\n'],
    ['config/_default/params.toml', 'latest = "v3.7"\n'],
  ])('marks the versions of Hugo above the newest release in %s', (name, settings) => {
    writeFiles(folder.path, { [`${name}.d/${name}`]: settings });
    const isUnreleased = (version: string): boolean =>
      versionOf(`${name}.d/content/en/docs/v${version}/ops/a.md`, version).isUnreleased;
    expect(['3.8', '3.7', '3.7.2', '3.6', '2.3'].map(isUnreleased)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it.each(['cascade:\n  versName: &name v3.8-DRAFT', 'title: "3.8 (unreleased)"', 'draft: true'])(
    'marks a version whose start page says "%s"',
    (header) => {
      writeFiles(folder.path, {
        'k/v3.8/_index.md': `---\n${header}\n---\n\nShips.\n`,
        'k/v3.7/_index.md': '---\ntitle: 3.7 docs\n---\n',
      });
      expect([
        versionOf('k/v3.8/a.md', '3.8').isUnreleased,
        versionOf('k/v3.7/a.md', '3.7').isUnreleased,
      ]).toEqual([true, false]);
    },
  );
});
