import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../src/core/package-facts.js';

interface Component {
  readonly 'bom-ref': string;
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly hashes: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses: readonly {
    readonly expression?: string;
    readonly license?: { readonly id: string };
  }[];
  readonly purl: string;
}

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dependencies?: object;
  readonly peerDependencies?: object;
  readonly optionalDependencies?: object;
  readonly peerDependenciesMeta?: object;
}

const read = (...path: string[]): string => readFileSync(join(PACKAGE_ROOT, ...path), 'utf8');

const product = JSON.parse(read('package.json')) as {
  readonly version: string;
  readonly files: readonly string[];
  readonly dependencies: object;
  readonly peerDependencies: object;
};
const lock = JSON.parse(read('package-lock.json')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};
const bill = JSON.parse(read('dist', 'sbom.cdx.json')) as { readonly components: readonly Component[] };

const nameOf = ({ group, name }: Component): string => (group === undefined ? name : `${group}/${name}`);
const titleOf = (component: Component): string => `${nameOf(component)} ${component.version}`;
const licenceOf = ({ licenses: [first] }: Component) => first?.expression ?? first?.license?.id;
const names = new Set(bill.components.map(nameOf));

/** The entries of package-lock.json for one version of a package. */
const locked = (component: Component): LockedPackage[] =>
  Object.entries(lock.packages).flatMap(([path, entry]) =>
    path.endsWith(`node_modules/${nameOf(component)}`) && entry.version === component.version ? [entry] : [],
  );

/** The packages that the compiled sources load, without those that an installation brings. */
function loadedPackages(): string[] {
  const dist = join(PACKAGE_ROOT, 'dist');
  const modules = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.js'),
  );
  const loaded = modules.flatMap((path) =>
    [...read('dist', path).matchAll(/\b(?:require|import)\(["']([^."'][^"']*)["']\)/g)].map(
      ([, name = '']) => name,
    ),
  );
  const installed = [...Object.keys(product.dependencies), ...Object.keys(product.peerDependencies)];
  return [...new Set(loaded.map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name))].filter(
    (name) => !isBuiltin(name) && !installed.includes(name),
  );
}

describe('the bill of materials of the bundle', () => {
  it('is published, and describes this version without a time or a serial number', () => {
    expect(product.files).toContain('dist/sbom.cdx.json');
    expect({ ...bill, components: [] }).toEqual({
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      version: 1,
      metadata: {
        component: {
          type: 'application',
          'bom-ref': `pkg:npm/pith@${product.version}`,
          name: 'pith',
          version: product.version,
          licenses: [{ license: { id: 'Apache-2.0' } }],
          purl: `pkg:npm/pith@${product.version}`,
        },
      },
      components: [],
    });
  });

  it('has the version, hash and licence of each package from package-lock.json', () => {
    const listed = bill.components.map((component) => ({
      title: titleOf(component),
      licence: licenceOf(component),
      integrity: component.hashes.map(
        ({ alg, content }) =>
          `${alg === 'SHA-512' ? 'sha512' : alg}-${Buffer.from(content, 'hex').toString('base64')}`,
      ),
    }));
    const expected = bill.components.map((component) => ({
      title: titleOf(component),
      // This package contains PDF.js, which has other licences.
      licence:
        component.name === 'unpdf' ? 'MIT AND Apache-2.0 AND BSD-3-Clause' : locked(component)[0]?.license,
      integrity: locked(component)
        .slice(0, 1)
        .map(({ integrity }) => integrity),
    }));
    expect(listed).toEqual(expected);
  });

  it('names each package by its package URL, once and in order', () => {
    const urls = bill.components.map(({ purl }) => purl);
    const expected = bill.components.map(
      (component) => `pkg:npm/${nameOf(component).replace('@', '%40')}@${component.version}`,
    );
    expect(urls).toEqual(expected);
    expect(bill.components.map((component) => component['bom-ref'])).toEqual(urls);
    const titles = bill.components.map(titleOf);
    expect([...new Set(titles)].sort()).toEqual(titles);
  });

  it('has the packages whose licences are in the bundle', () => {
    const notices = read('dist', 'THIRD-PARTY-NOTICES.txt');
    // Packages with the same text stand in lines above it.
    const titles = [...notices.matchAll(/^((?:@[^\s/]+\/)?[^\s/]+ \d\S*) \(.+\)$/gm)].map(
      ([, title]) => title,
    );
    expect(titles.sort()).toEqual(bill.components.map(titleOf));
  });

  it('has each package that the program loads', () => {
    const loaded = loadedPackages();
    expect(loaded.length).toBeGreaterThan(20);
    expect(loaded.filter((name) => !names.has(name))).toEqual([]);
  });

  it('has no package that nothing in the bundle needs', () => {
    const needed = bill.components
      .flatMap(locked)
      .flatMap(({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }) =>
        Object.keys({
          ...{ ...dependencies, ...optionalDependencies },
          ...{ ...peerDependencies, ...peerDependenciesMeta },
        }),
      );
    const all = new Set([...loadedPackages(), ...needed]);
    expect([...names].filter((name) => !all.has(name))).toEqual([]);
  });
});
