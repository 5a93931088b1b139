import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { commandLine } from '../../src/cli/program.js';
import { GROUPS } from '../../src/config/config.js';
import { settingsOf } from '../../src/config/setting.js';
import { PACKAGE_ROOT } from '../../src/core/package-facts.js';
import { FEATURE_COMMANDS } from '../../src/feature-commands.js';

const readJson = (name: string): unknown => JSON.parse(readFileSync(join(PACKAGE_ROOT, name), 'utf8'));

/** One version: no range and no tag, which the registry refuses. */
const version = z.string().regex(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/);

/** What every argument and every environment variable may have. */
const input = {
  description: z.string().min(1).optional(),
  format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
  isRequired: z.boolean().optional(),
};

/** The fields that server.json has, as the registry's format of 2025-12-11 defines them; no other field is accepted. */
const serverSchema = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version,
  packages: z.tuple([
    z.strictObject({
      registryType: z.literal('npm'),
      identifier: z.string().min(1),
      version,
      runtimeHint: z.literal('npx'),
      transport: z.strictObject({ type: z.literal('stdio') }),
      packageArguments: z.tuple([
        z.strictObject({ type: z.literal('positional'), value: z.string().min(1) }),
        z.strictObject({ type: z.literal('named'), name: z.string().startsWith('--'), ...input }),
      ]),
      environmentVariables: z.array(
        z.strictObject({ name: z.string().regex(/^[A-Z][A-Z0-9_]*$/), ...input }),
      ),
    }),
  ]),
});

const packageSchema = z.object({
  name: z.string(),
  version: z.string(),
  mcpName: z.string(),
  bin: z.record(z.string(), z.string()),
});

describe('server.json', () => {
  const product = packageSchema.parse(readJson('package.json'));
  const file = readJson('server.json');
  const { packages, ...server } = file as z.output<typeof serverSchema>;
  const [npm] = packages;

  it('has only fields of the registry format, within its bounds', () => {
    expect(serverSchema.safeParse(file).error).toBeUndefined();
  });

  it('has the name and the version of package.json', () => {
    expect(server).toMatchObject({ name: product.mcpName, version: product.version });
    expect(npm).toMatchObject({ identifier: product.name, version: product.version });
  });

  it('has a package that npx runs: its command has the name of the package', () => {
    expect(Object.keys(product.bin)).toEqual([product.name]);
  });

  it('starts a command of Pith with an option that it has', () => {
    const [{ value }, { name }] = npm.packageArguments;
    const nothing = (): Promise<never> => Promise.reject(new Error('no server is started here'));
    const { commands } = commandLine({
      ...{
        stdio: nothing,
        http: nothing,
        startHttp: nothing,
        inProcess: nothing,
        tools: nothing,
        engines: nothing,
        features: FEATURE_COMMANDS,
      },
    });
    const options = commands.find((command) => command.name() === value)?.options.map(({ long }) => long);
    expect(options).toContain(name);
  });

  it('names only settings of Pith as environment variables', () => {
    const settings = Object.values(GROUPS).flatMap((group) =>
      [...settingsOf(group).values()].map(({ env }) => env),
    );
    expect(settings).toEqual(expect.arrayContaining(npm.environmentVariables.map(({ name }) => name)));
  });
});
