import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { parse } from 'yaml';
import { parseConfig } from '../../src/config/config.js';
import { PACKAGE_ROOT, VERSION } from '../../src/core/package-facts.js';
import { testFolder } from '../support/test-folder.js';

interface Service {
  readonly command?: readonly string[];
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly healthcheck?: object;
  readonly ports?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly user?: string;
}
type Services = Readonly<Record<string, Service>>;

const ENGINES = ['qdrant', 'neo4j', 'redis', 'postgres'];
const FILES = ['docker-compose.yml', 'deploy/compose.postgres.yml'];

const textOf = (path: string): string => readFileSync(join(PACKAGE_ROOT, path), 'utf8');
const composeIn = (path: string) =>
  parse(textOf(path), { merge: true }) as { readonly services: Services; readonly volumes: object };
const settingsFor = (service: Service | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries(service?.environment ?? {}).map(([key, value]) => [key, filledIn(value)]),
  );

/** Expands variables like a shell: to their default, or to `x`s if they have none. */
const filledIn = (value: string): string =>
  value.replace(/\$\{\w+(?::-([^}]*)|:\?[^}]*)\}/gu, (_, standard?: string) => standard ?? 'x'.repeat(40));

describe.each(FILES)('%s', (path) => {
  const compose = composeIn(path);
  const { services } = compose;

  it('is valid by the schema of the Compose specification', () => {
    // The schema comes with the linter of Compose files.
    const schema = JSON.parse(textOf('node_modules/dclint/schemas/compose.schema.json')) as object;
    const options = { strict: false, validateFormats: false, validateSchema: false, allErrors: true };
    const validate = new Ajv(options).compile({
      ...schema,
      $schema: 'http://json-schema.org/draft-07/schema#',
    });
    validate(compose);
    expect(validate.errors ?? []).toEqual([]);
  });

  it('brings up Pith and its engines, each with a health check and a volume', () => {
    const { pith, index, ...engines } = services;
    expect([pith?.image, index?.image]).toEqual([`pith:${VERSION}`, `pith:${VERSION}`]);
    expect(Object.keys(engines)).toEqual(ENGINES.filter((name) => name in services));
    for (const { healthcheck, volumes } of Object.values(engines)) {
      expect(healthcheck).toBeDefined();
      expect(volumes).toHaveLength(1);
    }
    expect(textOf('Dockerfile')).toMatch(/^HEALTHCHECK /mu);
  });

  it('takes every password from the environment', () => {
    const secrets = Object.values(services).flatMap(({ environment = {} }) =>
      Object.entries(environment).filter(([name]) =>
        /PASSWORD|KEY|SECRET|TOKEN|AUTH|REDIS_URL|DATABASE/u.test(name),
      ),
    );
    expect(secrets.length).toBeGreaterThan(5);
    for (const [name, value] of secrets) {
      const isOptional = name === 'PITH_ADMIN_TOKEN' && value === '${PITH_ADMIN_TOKEN:-}';
      expect([name, isOptional || /\$\{\w+:\?/u.test(value)]).toEqual([name, true]);
    }
  });

  it('shows no secret in a list of processes', () => {
    const started = Object.values(services).map(({ command = [] }) =>
      command.join(' ').replace(/<<END.*/su, ''),
    );
    expect(started.filter((command) => /PASSWORD|SECRET|KEY|TOKEN/u.test(command))).toEqual([]);
  });

  it('publishes only the port of Pith, and only to this machine', () => {
    const ports = Object.values(services).flatMap(({ ports = [] }) => ports);
    expect(ports).toEqual(['127.0.0.1:7484:7484']);
  });

  it('runs Pith without root and capabilities, on a read-only file system', () => {
    for (const name of ['pith', 'index']) {
      expect(services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
      expect(services[name]?.user ?? '').not.toMatch(/^(?:root|0)\b/u);
    }
  });

  it('allows remote access to /admin, because requests from this machine come from outside the container', () => {
    const { admin, http } = parseConfig(settingsFor(services['pith']));
    expect(admin.isRemote).toBe(true);
    expect(services['pith']?.ports).toEqual([`127.0.0.1:7484:${http.port}`]);
  });

  it.each(['pith', 'index'])('passes valid settings to %s', (name) => {
    expect(() => parseConfig(settingsFor(services[name]))).not.toThrow();
  });
});

describe('docker-compose.yml', () => {
  const { services } = composeIn('docker-compose.yml');

  it('has all engines', () => {
    expect(Object.keys(services)).toEqual(['pith', 'index', ...ENGINES]);
  });

  it('runs the Qdrant version that the operations page names as tested', () => {
    expect(services['qdrant']?.image).toBe('qdrant/qdrant:v1.18.3');
    expect(textOf('docs/operations.md')).toContain('run on 1.18.3');
  });

  it('keeps data in volumes, and reports in a folder of the host', () => {
    expect(services['pith']?.volumes).toEqual(['index:/app/index', './reports:/app/reports']);
    expect(services['index']?.volumes).toContain('index:/app/index');
    // Relative paths start at the index, which is in another volume.
    expect(services['pith']?.environment?.['RETRIEVAL_DIAGNOSTICS_DIR']).toBe(
      '/app/reports/retrieval_diagnostics',
    );
  });
});

describe('deploy/compose.postgres.yml', () => {
  const { services, volumes } = composeIn('deploy/compose.postgres.yml');
  const settings = settingsFor(services['pith']);

  it('has PostgreSQL alone, for the index, passages and the ledger', () => {
    expect(Object.keys(services)).toEqual(['pith', 'index', 'postgres']);
    const { index, scope, backends } = parseConfig(settings);
    expect([index.store, backends.sections, backends.scratch]).toEqual(['database', 'sqlite', 'auto']);
    expect(parseConfig(settingsFor(services['index']))).toMatchObject({
      index: { store: 'database' },
      scope: { project: scope.project, environment: scope.environment },
      backends: { database: backends.database },
    });
  });

  it('keeps nothing but the database, and runs its version of docker-compose.yml', () => {
    expect(Object.keys(volumes)).toEqual(['postgres']);
    for (const name of ['pith', 'index']) expect(services[name]?.volumes?.[0]).toBe('/app/index');
    for (const key of ['RETRIEVAL_DIAGNOSTICS_DIR', 'XDG_DATA_HOME'])
      expect(settings[key]).toMatch(/^\/app\/index\//u);
    expect(services['postgres']).toEqual(composeIn('docker-compose.yml').services['postgres']);
  });
});

describe('the Dockerfile', () => {
  it('runs without root and without a shell', () => {
    const last = textOf('Dockerfile').split('\nFROM ').at(-1) ?? '';
    expect(last).toMatch(/^gcr\.io\/distroless\/nodejs22-debian12:nonroot\n/u);
    expect(last).not.toMatch(/^RUN /mu);
  });

  it('lets any user write to the folders that volumes are mounted on', () => {
    // A new volume takes owner and mode of the folder in the image.
    expect(textOf('Dockerfile')).toMatch(/mkdir -p -m 1777 \/image\/index \/image\/reports$/mu);
    expect(textOf('Dockerfile')).toMatch(/^COPY --from=build .*\/image \.\/$/mu);
  });

  it('checks its health on the configured port', () => {
    const [, check = ''] = /^HEALTHCHECK [^]*?CMD (\[.*\])$/mu.exec(textOf('Dockerfile')) ?? [];
    const [, , script = ''] = JSON.parse(check) as string[];
    expect(script).toContain('http://127.0.0.1:${process.env.PITH_HTTP_PORT}/livez');
    expect(textOf('Dockerfile')).toMatch(/PITH_HTTP_PORT=\d+/u);
  });
});

describe('deploy/first-look.sh', () => {
  const folder = testFolder();
  afterAll(() => folder.remove());

  /** The exit code of the next index run. */
  let indexed = 0;

  /** Runs a copy of the script with a `docker` that writes down its arguments. */
  function look(clone: string, ...more: string[]): { readonly env: string; readonly commands: string[] } {
    const place = folder.file(clone);
    mkdirSync(join(place, 'deploy'), { recursive: true });
    for (const file of ['deploy/first-look.sh', ...FILES])
      copyFileSync(join(PACKAGE_ROOT, file), join(place, file));
    mkdirSync(join(place, 'bin'), { recursive: true });
    const docker = `#!/bin/sh
      echo "$@ of $DOCUMENTS" >> docker.log
      case "$*" in *' index') exit ${indexed} ;; esac`;
    writeFileSync(join(place, 'bin/docker'), docker, { mode: 0o755 });
    const PATH = `${join(place, 'bin')}:${process.env['PATH']}`;
    // A shell with CDPATH prints where it went.
    const env = { ...process.env, PATH, CDPATH: folder.path };
    const args = [join(place, 'deploy/first-look.sh'), clone, ...more];
    execFileSync('sh', args, { env, cwd: folder.path, stdio: 'pipe' });
    expect(statSync(join(place, '.env')).mode & 0o777).toBe(0o600);
    const commands = readFileSync(join(place, 'docker.log'), 'utf8').trim().split('\n');
    return { env: readFileSync(join(place, '.env'), 'utf8'), commands };
  }

  it.each([
    ['docker-compose.yml', [], 'compose'],
    [
      'deploy/compose.postgres.yml',
      ['postgres'],
      'compose --project-directory . -f deploy/compose.postgres.yml',
    ],
  ])(
    'makes a secret for each variable that %s needs, keeps them the next time, and starts Pith',
    (file, more, compose) => {
      const clone = `clone-${more.length}`;
      const { env, commands } = look(clone, ...more);
      const place = folder.file(clone);
      const made = env
        .trim()
        .split('\n')
        .map((line) => line.split('='));
      const needed = [...textOf(file).matchAll(/\$\{(\w+):\?/gu)].map(([, name]) => name);
      expect(made.map(([name]) => name)).toEqual([...new Set(needed)].sort());
      expect(new Set(made.map(([, value]) => value)).size).toBe(made.length);
      expect(made.every(([, value = '']) => /^[\da-f]{64}$/u.test(value))).toBe(true);
      expect(commands).toEqual([
        `${compose} run --rm index of ${place}`,
        `${compose} up -d --wait pith of ${place}`,
      ]);
      expect(look(clone, ...more).env).toBe(env);
    },
  );

  it('starts Pith if some files of a published index need fixing, and not if the run failed', () => {
    indexed = 3;
    expect(look('clone-3').commands.at(-1)).toMatch(/^compose up /u);
    indexed = 1;
    expect(() => look('clone-4')).toThrow('Command failed');
    expect(readFileSync(join(folder.file('clone-4'), 'docker.log'), 'utf8')).toMatch(/ index of [^\n]*\n$/u);
    indexed = 0;
  });

  it('takes no other word for a file', () => {
    expect(() => look('clone-0', 'postgresql')).toThrow('usage: ');
  });

  it('keeps what .env has, adds what is missing, and lets only this user read it', () => {
    const file = join(folder.file('clone-0'), '.env');
    writeFileSync(file, 'PITH_SECRET=a secret of mine');
    chmodSync(file, 0o644);
    const { env } = look('clone-0');
    expect(env).toMatch(/^PITH_SECRET=a secret of mine\nNEO4J_PASSWORD=[\da-f]{64}\n/u);
    expect(env.match(/^PITH_SECRET=/gmu)).toHaveLength(1);
  });
});
