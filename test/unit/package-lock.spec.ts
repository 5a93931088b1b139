import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../src/core/package-facts.js';

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly engines?: { readonly node?: string };
}

const { satisfies } = jest.requireActual<{ satisfies: (version: string, range: string) => boolean }>(
  'semver',
);

const lock: { readonly packages: Readonly<Record<string, LockedPackage>> } = JSON.parse(
  readFileSync(join(PACKAGE_ROOT, 'package-lock.json'), 'utf8'),
);
const packages = Object.entries(lock.packages);

describe('package-lock.json', () => {
  it.each(['20.19.0', '22.13.0', '24.0.0'])('holds only packages that run on Node %s', (version) => {
    const refused = packages.flatMap(([path, { engines }]) =>
      satisfies(version, engines?.node ?? '*') ? [] : [`${path} needs Node ${engines?.node}`],
    );
    expect(refused).toEqual([]);
  });

  it('promises the version of Node that the README names', () => {
    const readme = readFileSync(join(PACKAGE_ROOT, 'README.md'), 'utf8');
    expect(lock.packages['']?.engines?.node).toBe(
      `>=${/Node\]\([^)]*\) ([\d.]+) or later/.exec(readme)?.[1]}`,
    );
  });

  it('names the public registry only', () => {
    const urls = packages.flatMap(([, { resolved }]) => resolved ?? []);
    expect(urls.filter((url) => !url.startsWith('https://registry.npmjs.org/'))).toEqual([]);
  });
});
