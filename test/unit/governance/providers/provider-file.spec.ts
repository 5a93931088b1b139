import { homedir } from 'node:os';
import { join } from 'node:path';
import { InvalidConfigurationError } from '../../../../src/config/invalid-configuration.js';
import { parseGovernance } from '../../../../src/governance/agents/read-governance.js';
import { providerConfigs, safetyOf } from '../../../../src/governance/providers/provider-file.js';
import { toolDefinitions } from '../../../support/all-tools.js';

const providersOf = (yaml: string) =>
  providerConfigs(parseGovernance(`version: 1\nproviders:\n${yaml}`, 'g.yaml', []).providers);

/** The problems of a file with these providers; [] if it is valid. */
function problemsOf(yaml: string): readonly string[] {
  try {
    providersOf(yaml);
    return [];
  } catch (error) {
    if (error instanceof InvalidConfigurationError) return error.problems;
    throw error;
  }
}

describe('providers of governance.yaml', () => {
  it('describe a program, with defaults', () => {
    expect(providersOf('  files: { command: npx, args: [server, /srv] }')).toEqual([
      {
        name: 'files',
        transport: { kind: 'stdio', command: 'npx', args: ['server', '/srv'], env: {}, cwd: null },
        reads: [],
        allow: [],
        roots: [],
        timeoutMs: 30_000,
        ratePerMinute: 120,
        maxConcurrent: 4,
        budget: { bytes: 49_152, tokens: 12_000 },
      },
    ]);
  });

  it('have paths in which ~ is the home folder', () => {
    const [provider] = providersOf('  x: { command: ~/y, cwd: ~/z, allow: [roots], roots: [~/docs] }');
    expect(provider?.transport).toMatchObject({ command: join(homedir(), 'y'), cwd: join(homedir(), 'z') });
    expect(provider?.roots).toEqual([join(homedir(), 'docs')]);
  });

  it.each([
    ['cwd: "file:///srv"'],
    ['cwd: "${workspaceFolder}/srv"'],
    ['allow: [roots], roots: ["file:///srv"]'],
  ])('name the cause for what is no path: %s', (fields) => {
    const place = fields.startsWith('cwd') ? 'cwd' : 'roots';
    expect(problemsOf(`  x: { command: y, ${fields} }`)).toEqual([
      expect.stringMatching(new RegExp(`x.*${place}.*(?:is a URI|was not replaced)`)),
    ]);
  });

  it('allow requests of the server, with its roots', () => {
    expect(providersOf('  x: { command: y, allow: [roots, elicitation], roots: [/srv] }')).toMatchObject([
      { allow: ['roots', 'elicitation'], roots: ['/srv'] },
    ]);
    expect(problemsOf('  x: { command: y, roots: [/srv] }')).not.toEqual([]);
    expect(problemsOf('  x: { command: y, allow: [roots] }')).not.toEqual([]);
    expect(problemsOf('  x: { command: y, allow: [roots], roots: [srv] }')).not.toEqual([]);
    expect(problemsOf('  x: { command: y, allow: [logging] }')).not.toEqual([]);
  });

  it('describe an endpoint whose headers are references', () => {
    const [crm] = providersOf(
      `  crm: { url: 'https://crm.test/mcp', headers: { Authorization: 'Bearer env:CRM_TOKEN' } }`,
    );
    expect(crm?.transport).toEqual({
      kind: 'http',
      url: 'https://crm.test/mcp',
      headers: { Authorization: 'Bearer env:CRM_TOKEN' },
    });
  });

  it.each([
    [
      'a namespace of ours',
      '  kb: { command: x }',
      'g.yaml:3: providers.kb: this namespace is reserved for tools of Pith. Choose another, such as the name of the product.',
    ],
    [
      'the start of a name of ours',
      '  inner: { command: x }',
      'g.yaml:3: providers.inner: this namespace is reserved for tools of Pith. Choose another, such as the name of the product.',
    ],
    [
      'underscores',
      '  my_files: { command: x }',
      'g.yaml:3: providers.my_files: use up to 32 lower-case letters, digits and hyphens, a letter first; connector. may stand before them.',
    ],
    [
      'the namespace of connectors alone',
      '  connector: { command: x }',
      'g.yaml:3: providers.connector: this namespace is reserved for tools of Pith. Choose another, such as the name of the product.',
    ],
    [
      'further dots',
      '  connector.files.old: { command: x }',
      'g.yaml:3: providers.connector.files.old: use up to 32 lower-case letters, digits and hyphens, a letter first; connector. may stand before them.',
    ],
    ['no way to reach it', '  a: {}', 'g.yaml:3: providers.a: give either command or url.'],
    [
      'two ways to reach it',
      `  a: { command: x, url: 'http://b.test' }`,
      'g.yaml:3: providers.a: give either command or url.',
    ],
    [
      'arguments of an endpoint',
      `  a: { url: 'http://b.test', args: [x] }`,
      'g.yaml:3: providers.a.args: needs command.',
    ],
    [
      'a secret in a header',
      `  a:\n    url: 'http://b.test'\n    headers: { Authorization: Bearer 12345678 }`,
      'g.yaml:5: providers.a.headers.Authorization: looks like a secret; use env:NAME or file:PATH.',
    ],
    [
      'a secret in the environment',
      '  a: { command: x, env: { API_KEY: abc } }',
      'g.yaml:3: providers.a.env.API_KEY: looks like a secret; use env:NAME or file:PATH.',
    ],
    [
      'a secret in an argument',
      '  a: { command: x, args: [--token=abc] }',
      'g.yaml:3: providers.a.args.0: looks like a secret; give it to the program in env as env:NAME.',
    ],
    [
      'a password in an address',
      `  a: { url: 'https://u:p@b.test' }`,
      'g.yaml:3: providers.a.url: contains a secret; use a header.',
    ],
  ])('refuse %s', (_, yaml, problem) => {
    expect(problemsOf(yaml)).toEqual([problem]);
  });
});

describe('connectors', () => {
  it('are providers whose namespace is below connector', () => {
    expect(problemsOf('  connector.files: { command: x }')).toEqual([]);
  });
});

describe('reserved namespaces', () => {
  it('are the first words of all tools of Pith, in both spellings', () => {
    const words = toolDefinitions().flatMap(({ name }) => name.split(/[._]/, 1));
    expect(
      [...new Set(words)].filter((word) => problemsOf(`  ${word}: { command: x }`).length === 0),
    ).toEqual([]);
  });
});

describe('safetyOf', () => {
  it.each([
    ['read_file', 'read'],
    ['write_file', 'external'],
    ['READ_file', 'external'],
  ])('%s is %s', (tool, safety) => {
    expect(safetyOf({ reads: ['read_*'] }, tool)).toBe(safety);
  });
});
