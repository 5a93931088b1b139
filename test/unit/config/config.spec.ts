import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Environment, GROUPS, nearMisses, parseConfig } from '../../../src/config/config.js';
import { InvalidConfigurationError } from '../../../src/config/invalid-configuration.js';
import { isPathSetting, settingsOf } from '../../../src/config/setting.js';

function problemsOf(environment: Environment): readonly string[] {
  try {
    parseConfig(environment);
    return [];
  } catch (error) {
    return error instanceof InvalidConfigurationError ? error.problems : ['another error'];
  }
}

describe('parseConfig', () => {
  it('has a default for every setting', () => {
    expect(parseConfig({})).toMatchObject({
      index: { file: '.pith/index.sqlite' },
      scope: { project: '', environment: '', docTags: [], repositories: [] },
      http: { host: '127.0.0.1', port: 7484, token: '' },
      limits: { maxResponseBytes: 524_288, maxTextBytesPerCall: 32_768 },
      scratch: { ttlS: 1_800, maxBytes: 268_435_456 },
      surface: {
        kbEnabled: true,
        structuredOutput: true,
        toolset: 'full',
        toolNames: 'auto',
        render: 'auto',
        uriScheme: 'wekadocs',
      },
      evidence: { pool: '', tokens: 650 },
      server: { secret: '', logLevel: 'warn' },
    });
  });

  it.each([
    ['1', true],
    ['true', true],
    ['ON', true],
    [' yes ', true],
    ['0', false],
    ['False', false],
    ['off', false],
    ['no', false],
  ])('reads the switch %j as %s', (value, isOn) => {
    expect(parseConfig({ MCP_KB_V2_ENABLED: value }).surface.kbEnabled).toBe(isOn);
    expect(parseConfig({ MCP_KB_V2_ENABLED: value }).surface.kbEnabled).toBe(isOn);
  });

  it.each([
    ['a,b', ['a', 'b']],
    [' a , ,b, ', ['a', 'b']],
    ['a', ['a']],
    ['', []],
  ])('reads the list %j as %j', (value, list) => {
    expect(parseConfig({ PITH_DOC_TAGS: value }).scope.docTags).toEqual(list);
  });

  const LISTS = Object.values(GROUPS)
    .flatMap((group) => [...settingsOf(group).values()])
    .filter(({ takes }) => takes.startsWith('comma-separated'))
    .map(({ env }) => env);

  it('refuses lists of nothing but commas and spaces, which no restriction would be taken from', () => {
    expect(LISTS).toEqual(
      expect.arrayContaining(['PITH_DOC_TAGS', 'PITH_REPOSITORIES', 'PITH_PUBLIC_DOC_TAGS', 'PITH_GROUPS']),
    );
    for (const env of LISTS)
      for (const value of [',', ' , '])
        expect(() => parseConfig({ [env]: value })).toThrow(`${env}: expected comma-separated`);
    expect(() => parseConfig({ PITH_DOC_TAGS: ' ' })).toThrow('PITH_DOC_TAGS: expected comma-separated');
  });

  const PATHS = Object.values(GROUPS)
    .flatMap((group) => [...settingsOf(group).values()])
    .filter(isPathSetting)
    .map(({ env }) => env);

  it('knows every setting that is a path', () => {
    expect(PATHS).toMatchInlineSnapshot(`
     [
       "PITH_INDEX",
       "PITH_MODEL_FOLDER",
       "PITH_ACCESS_FILE",
       "PITH_AUDIT_FILE",
       "PITH_HTTP_TLS_CERT",
       "PITH_HTTP_TLS_KEY",
       "PITH_HOSTS_FILE",
       "PITH_WORK_FILE",
       "PITH_INGEST_ROOTS",
       "PITH_GOVERNANCE_FILE",
       "PITH_GOVERNANCE_STORE_FILE",
       "RETRIEVAL_DIAGNOSTICS_DIR",
       "PITH_LEDGER_FILE",
     ]
    `);
  });

  it.each(PATHS)('reads ~ in %s as the home folder, and refuses what is no path', (env) => {
    const read = JSON.stringify(parseConfig({ [env]: '~/mooring' }));
    expect(read).toContain(JSON.stringify(join(homedir(), 'mooring')));
    expect(problemsOf({ [env]: '${workspaceFolder}/mooring' })).toEqual([
      expect.stringMatching(new RegExp(`^${env}: .*workspaceFolder.* was not replaced`)),
    ]);
  });

  it('has the run ledger on where runs are offered', () => {
    expect(parseConfig({ MCP_DOMAINS: 'schema' }).ledger.mode).toBe('auto');
    expect(parseConfig({ MCP_DOMAINS: 'schema,run' }).ledger.mode).toBe('on');
    expect(problemsOf({ MCP_DOMAINS: 'run', PITH_LEDGER: 'off' })).toEqual([
      expect.stringContaining('run needs the run ledger'),
    ]);
  });

  it('needs a database and a project for an index that all servers share', () => {
    const shared = {
      PITH_INDEX_STORE: 'database',
      PITH_PROJECT: 'harbour',
      PITH_DATABASE: 'postgres://db/pith',
    };
    expect(parseConfig(shared).index.store).toBe('database');
    for (const name of ['PITH_PROJECT', 'PITH_DATABASE'])
      expect(() => parseConfig({ ...shared, [name]: '' })).toThrow(`PITH_INDEX_STORE=database needs ${name}`);
  });

  it.each<[string, string]>([
    ['MCP_KB_V2_ENABLED', 'maybe'],
    ['MCP_KB_V2_ENABLED', ''],
    ['MCP_TOOLSET', 'tiny'],
    ['MCP_TOOL_NAMES', 'camel'],
    ['MCP_RENDER', 'FULL'],
    ['MAX_RESPONSE_BYTES', '1023'],
    ['MAX_RESPONSE_BYTES', '524289'],
    ['MAX_RESPONSE_BYTES', '1.5e3x'],
    ['MAX_RESPONSE_BYTES', '2000.5'],
    ['MAX_RESPONSE_BYTES', ''],
    ['MAX_TEXT_BYTES_PER_CALL', '-1'],
    ['PITH_HTTP_PORT', '65536'],
    ['PITH_HTTP_PORT', 'Infinity'],
    ['PITH_HTTP_TOKEN', 'short'],
    ['PITH_HTTP_TOKEN', 'with a space in between it'],
    ['PITH_SECRET', 'short'],
    ['PITH_URI_SCHEME', 'Has Space'],
    ['PITH_EVIDENCE_POOL', '8'],
    ['PITH_EVIDENCE_POOL', '51x3'],
    ['PITH_EVIDENCE_POOL', '0x3'],
    ['PITH_SCRATCH_TTL_S', '0'],
    ['PITH_LOG_LEVEL', 'loud'],
    ['PITH_PROJECT', 'x'.repeat(4_097)],
  ])('refuses %s = %j and names the setting', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([expect.stringMatching(new RegExp(`^${name}: `))]);
  });

  it('refuses a third * in an entry of PITH_QUESTIONS_REDACT, and says so', () => {
    expect(problemsOf({ PITH_QUESTIONS_REDACT: '*a*, b' })).toEqual([]);
    expect(problemsOf({ PITH_QUESTIONS_REDACT: 'b, *a*c*' })).toEqual([
      'PITH_QUESTIONS_REDACT: expected comma-separated, with at most two * in each entry, got "b, *a*c*".',
    ]);
  });

  it('names the accepted values and the given value', () => {
    expect(problemsOf({ MCP_TOOLSET: 'tiny' })).toEqual([expect.stringMatching(/full.*core.*tiny/)]);
    expect(problemsOf({ PITH_HTTP_PORT: '70000' })).toEqual([expect.stringMatching(/0.*65535.*70000/)]);
  });

  it('never prints a secret', () => {
    expect(problemsOf({ PITH_SECRET: 'hunter2', PITH_HTTP_TOKEN: 'hunter2' }).join()).not.toContain(
      'hunter2',
    );
  });

  it('suggests no setting for a name that is like none', () => {
    expect(problemsOf({ PITH_FOO: '1' })).toEqual([
      'PITH_FOO is not a setting of Pith. docs/settings.md has all of them.',
    ]);
  });

  it.each([
    ['PITH_INDX', 'PITH_INDEX'],
    ['PITH_HTTP_PROT', 'PITH_HTTP_PORT'],
    ['PITH_SCRATCH_TTL', 'PITH_SCRATCH_TTL_S'],
  ])('refuses the unknown %s and names the nearest: %s', (unknown, nearest) => {
    expect(problemsOf({ [unknown]: '1' })).toEqual([
      expect.stringMatching(new RegExp(`${unknown}.*${nearest}\\b`)),
    ]);
  });

  it.each(['PITH_', 'PITH_ANYTHING', 'RETRIEVAL_DIAGNOSTICS_NONSENSE'])('refuses the unknown %s', (name) => {
    expect(problemsOf({ [name]: '' })).toHaveLength(1);
  });

  it.each(['PATH', 'MCP_TOOLSETS', 'PITHY', 'pith_index', 'MAX_PLANCK'])('ignores %s', (name) => {
    expect(problemsOf({ [name]: '1' })).toEqual([]);
  });

  it('names every problem at once', () => {
    expect(problemsOf({ MCP_TOOLSET: 'tiny', PITH_INDX: 'a', PITH_HTTP_PORT: 'b' })).toHaveLength(3);
  });

  it('uses the default of a variable that is not set', () => {
    expect(parseConfig({ PITH_INDEX: undefined, PITH_NONSENSE: undefined }).index.file).toBe(
      '.pith/index.sqlite',
    );
  });
});

describe('nearMisses', () => {
  it.each([
    ['MCP_TOOLSETS', 'MCP_TOOLSET'],
    ['MCP_TOOL_NAME', 'MCP_TOOL_NAMES'],
    ['MAX_RESPONSE_BYTE', 'MAX_RESPONSE_BYTES'],
    ['ENABLE_LEGACY_SEARCH_DOCUMENTATIONS', 'ENABLE_LEGACY_SEARCH_DOCUMENTATION'],
  ])('warns of %s, which is similar to %s', (name, nearest) => {
    expect(nearMisses({ [name]: '1' })).toEqual([
      expect.stringMatching(new RegExp(`${name}.*${nearest}\\b`)),
    ]);
  });

  it.each(['MCP_TOOLSET', 'MCP_SOMETHING_ELSE', 'MAX_LENGTH', 'PATH', 'PITH_INDX'])(
    'does not warn of %s',
    (name) => {
      expect(nearMisses({ [name]: '1' })).toEqual([]);
    },
  );
});
