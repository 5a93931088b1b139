import { InvalidConfigurationError } from '../../../../src/config/invalid-configuration.js';
import { hashOfKey } from '../../../../src/governance/access/access-key.js';
import { FilePrincipals } from '../../../../src/governance/access/file-principals.js';
import { parseAccess, readAccess } from '../../../../src/governance/access/read-access.js';
import { NO_GOVERNANCE } from '../../../../src/governance/agents/governance-file.js';
import { parseGovernance } from '../../../../src/governance/agents/read-governance.js';
import { keyOf } from '../../../support/access.js';
import { toolDefinitions } from '../../../support/all-tools.js';

const GOVERNANCE = parseGovernance('version: 1\nagents: { support: { capabilities: [] } }', 'g.yaml', []);
const KNOWN = { governance: GOVERNANCE, tools: toolDefinitions() };
const HASH = `sha256:${'a'.repeat(64)}`;
const OTHER = `sha256:${'b'.repeat(64)}`;

/** The problems of a file, or [] if it is valid. */
function problemsOf(text: string): readonly string[] {
  try {
    parseAccess(text, 'a.yaml', KNOWN);
    return [];
  } catch (error) {
    if (error instanceof InvalidConfigurationError) return error.problems;
    throw error;
  }
}

const fileOf = (...principals: readonly string[]): string =>
  ['version: 1', 'principals:', ...principals.map((line) => `  ${line}`)].join('\n');

describe('parseAccess', () => {
  it('fills in what the file leaves out', () => {
    expect(parseAccess(fileOf(`bot: { keys: ['${HASH}'] }`), 'a.yaml', KNOWN)).toEqual({
      version: 1,
      projects: {},
      principals: { bot: { keys: [HASH], permissions: ['read'], scope: {}, limits: {}, memory: 'all' } },
    });
  });

  it('reads keys, agent, permissions, tools, scope and limits', () => {
    const text = fileOf(
      'bot:',
      `  keys: ['${HASH}', '${OTHER}']`,
      '  agent: support',
      '  permissions: [read, operator, approve]',
      "  tools: ['kb.*']",
      '  scope: { project_id: p, environment: prod, doc_tags: [guide], repositories: [docs] }',
      '  limits: { calls_per_minute: 0, concurrent_calls: 4, bytes_per_day: 50000000 }',
    );
    expect(problemsOf(text)).toEqual([]);
  });

  it.each<[string, string, string]>([
    [
      'a tool with characters that no tool has',
      fileOf(`bot: { keys: ['${HASH}'], tools: ['kb.*', 'kb.(a|b)'] }`),
      'a.yaml:3: principals.bot.tools.1: "kb.(a|b)" can match no name',
    ],
    [
      'a tool that does not exist',
      fileOf(`bot: { keys: ['${HASH}'], tools: [grahp.paths] }`),
      'a.yaml:3: principals.bot.tools.0: no tool matches grahp.paths. Did you mean graph.paths?',
    ],
    [
      'a key in plain text',
      fileOf('bot:', '  keys:', `    - ${keyOf('a')}`),
      'a.yaml:5: principals.bot.keys.0: this is a key in plain text',
    ],
    [
      'something else than a hash',
      fileOf('bot: { keys: [hunter2] }'),
      'a.yaml:3: principals.bot.keys.0: use the hash that `pith access key` prints',
    ],
    [
      'no key',
      fileOf('bot: { keys: [] }'),
      'a.yaml:3: principals.bot.keys: a principal needs a key. Make one with: pith access key',
    ],
    [
      'more than two keys',
      fileOf(`bot: { keys: ['${HASH}', '${OTHER}', 'sha256:${'c'.repeat(64)}'] }`),
      'a.yaml:3: principals.bot.keys: a principal has at most two keys',
    ],
    [
      'a key of another principal',
      fileOf(`bot: { keys: ['${HASH}'] }`, `cat: { keys: ['${OTHER}', '${HASH}'] }`),
      'a.yaml:4: principals.cat.keys.1: this is also a key of bot. Make another key with: pith access key',
    ],
    [
      'a key twice',
      fileOf(`bot: { keys: ['${HASH}', '${HASH}'] }`),
      'a.yaml:3: principals.bot.keys.1: this key is listed twice',
    ],
    [
      'an unknown agent',
      fileOf(`bot: { keys: ['${HASH}'], agent: suport }`),
      'a.yaml:3: principals.bot.agent: no agent is named suport. Did you mean support? Agents of the governance file: default, support.',
    ],
    [
      'an unknown permission',
      fileOf(`bot: { keys: ['${HASH}'], permissions: [root] }`),
      'a.yaml:3: principals.bot.permissions.0: found "root". Expected one of: read, operator, approve.',
    ],
    [
      'a reserved name',
      fileOf(`Bearer: { keys: ['${HASH}'] }`),
      'a.yaml:3: principals.Bearer: Bearer is the name of a principal of Pith. Choose another name.',
    ],
    ['an empty list in a scope', fileOf(`bot: { keys: ['${HASH}'], scope: { doc_tags: [] } }`), 'a.yaml:3:'],
    [
      'an unknown field',
      fileOf(`bot: { keys: ['${HASH}'], role: x }`),
      'a.yaml:3: principals.bot.role: this field is unknown',
    ],
    ['a file without version', 'principals: {}', 'a.yaml:1: version: this field is missing. Expected: 1.'],
    ['text that is not YAML', 'version: 1\nprincipals: {', 'a.yaml:2: '],
  ])('names the line of %s', (_, text, problem) => {
    expect(problemsOf(text)).toEqual([expect.stringContaining(problem)]);
  });

  it.each([
    fileOf(`bot: { keys: [${keyOf('a')}] }`),
    fileOf(`bot: { keys: { ${keyOf('a')}: 1 } }`),
    fileOf(`bot: { ${keyOf('a')}: 1, keys: [] }`),
    fileOf(`${keyOf('a')}: { keys: [] }`),
    fileOf(`bot: { keys: ['${HASH}'], agent: ${keyOf('a')} }`),
    fileOf(`bot: *${keyOf('a')}`),
    fileOf(`${keyOf('a')}`),
  ])('shows no key in its messages: %#', (text) => {
    const problems = problemsOf(text);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.join('\n')).not.toContain(keyOf('a').slice(0, 12));
  });

  it('takes the agents from the governance file', () => {
    const text = fileOf(`bot: { keys: ['${HASH}'], agent: support }`);
    expect(() => parseAccess(text, 'a.yaml', { governance: NO_GOVERNANCE, tools: [] })).toThrow(
      /no agent is named support\. PITH_GOVERNANCE_FILE is not set, so there is only this agent: default/,
    );
  });
});

describe('readAccess', () => {
  it('names a file that does not exist', () => {
    expect(() => readAccess('/nowhere/a.yaml', KNOWN)).toThrow(
      /PITH_ACCESS_FILE: there is no file \/nowhere\/a.yaml/,
    );
  });
});

describe('FilePrincipals', () => {
  const hash = (name: string): string => hashOfKey(keyOf(name));

  it('finds a principal by each of its keys, and by nothing else', () => {
    const text = fileOf(
      `bot: { keys: ['${hash('old')}', '${hash('new')}'] }`,
      `cat: { keys: ['${hash('cat')}'] }`,
    );
    const principals = new FilePrincipals(parseAccess(text, 'a.yaml', KNOWN), []);
    const found = ['old', 'new', 'cat', 'dog'].map((name) => principals.withKey(keyOf(name))?.name);
    expect(found).toEqual(['bot', 'bot', 'cat', undefined]);
    expect([principals.withKey(''), principals.withKey(hash('old'))]).toEqual([null, null]);
  });
});
