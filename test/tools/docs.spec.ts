import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationTable } from '../../src/config/configuration-table.js';
import { GROUPS } from '../../src/config/config.js';
import { settingsOf } from '../../src/config/setting.js';
import { manifestJsonSchema } from '../../src/ingest/manifest.js';
import { hostTableSchema } from '../../src/mcp/host-profiles.js';

const ROOT = join(__dirname, '..', '..');
const read = (...path: string[]): string => readFileSync(join(ROOT, ...path), 'utf8');

describe('what is generated from the code (npm run docs)', () => {
  it('shows every setting in the README as it is', () => {
    expect(read('README.md')).toContain(configurationTable());
  });

  it('describes the manifest by the schema that checks it', () => {
    expect(JSON.parse(read('config', 'manifest.schema.json'))).toEqual(manifestJsonSchema());
  });
});

describe('the public surface', () => {
  it('has these settings', () => {
    const names = Object.values(GROUPS).flatMap((group) =>
      [...settingsOf(group).values()].map(({ env }) => env),
    );
    expect(names).toMatchSnapshot();
  });

  it('has this manifest', () => {
    expect(manifestJsonSchema()).toMatchSnapshot();
  });

  it('has a valid table of hosts', () => {
    expect(hostTableSchema.safeParse(JSON.parse(read('config', 'hosts.json'))).success).toBe(true);
  });
});
