import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { parse, parseAllDocuments } from 'yaml';
import { manifestHeader, MANIFESTS } from '../../scripts/chart-digest.mjs';
import { givenSettings, parseConfig } from '../../src/config/config.js';
import { PACKAGE_ROOT, VERSION } from '../../src/core/package-facts.js';

interface Container {
  readonly image: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[];
  readonly securityContext: object;
  readonly resources: object;
  readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
  readonly readinessProbe?: object;
  readonly livenessProbe?: object;
}
interface Pod {
  readonly securityContext: object;
  readonly automountServiceAccountToken: boolean;
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly [Container];
  readonly volumes: readonly { readonly name: string; readonly emptyDir?: object }[];
}
interface Part {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly replicas?: number;
    readonly maxUnavailable?: number;
    readonly concurrencyPolicy?: string;
    readonly accessModes?: readonly string[];
    readonly strategy?: object;
    readonly sessionAffinity?: string;
    readonly template?: { readonly spec: Pod };
    readonly jobTemplate?: { readonly spec: { readonly template: { readonly spec: Pod } } };
  };
}

/** What the Secret has. */
const SECRETS: Readonly<Record<string, string>> = {
  PITH_SECRET: 'x'.repeat(40),
  PITH_SCRATCH_KEY: 'x'.repeat(40),
  PITH_DATABASE: 'postgres://pith@postgres.engines.svc/pith',
  PITH_REDIS_URL: 'redis://redis.engines.svc',
};

/** Names that stand in the list of settings. */
const settingNames = (): readonly string[] =>
  [...readText('docs/settings.md').matchAll(/^\| `([A-Z\d_]+)`/gmu)].map(([, name = '']) => name);
const keysOf = (values: object): object =>
  Object.fromEntries(Object.keys(values).map((key) => [key, expect.anything()]));
const readText = (path: string): string => readFileSync(join(PACKAGE_ROOT, path), 'utf8');
const partsIn = (name: string): readonly Part[] =>
  parseAllDocuments(readText(`deploy/kubernetes/${name}`)).map((document) => document.toJS() as Part);
const affinity = (parts: readonly Part[]): string | undefined =>
  parts.find(({ kind }) => kind === 'Service')?.spec?.sessionAffinity;
const podIn = ({ spec }: Part): Pod | undefined =>
  spec?.template?.spec ?? spec?.jobTemplate?.spec.template.spec;

describe.each(MANIFESTS)('deploy/kubernetes/%s', (name) => {
  const parts = partsIn(name);
  const pods = parts.map(podIn).filter((pod) => pod !== undefined);
  const settings = parts.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
  const server = parts.find(({ kind }) => kind === 'Deployment');
  const needed = pods.flatMap(({ containers }) => containers[0].env.map(({ name: key }) => key));
  const config = parseConfig({
    ...settings,
    ...Object.fromEntries(needed.map((key) => [key, SECRETS[key]])),
  });

  it('is what the chart was rendered to', () => {
    const [header = '', ...lines] = readText(`deploy/kubernetes/${name}`).split('\n');
    expect(`${header}\n`).toBe(manifestHeader(PACKAGE_ROOT, lines.join('\n')));
  });

  it('runs without root, on a read-only file system, with requests and limits', () => {
    for (const { containers, securityContext, automountServiceAccountToken } of pods) {
      expect(securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(automountServiceAccountToken).toBe(false);
      expect(containers).toMatchObject([
        {
          image: `pith:${VERSION}`,
          securityContext: {
            readOnlyRootFilesystem: true,
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'] },
          },
          resources: { requests: { cpu: expect.anything(), memory: expect.anything() }, limits: {} },
        },
      ]);
    }
  });

  it('has no secret, and needs the one that replicas share', () => {
    expect(parts.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    expect(
      Object.keys(settings).filter((key) => /SECRET|TOKEN|PASSWORD|KEY|DATABASE|REDIS_URL/u.test(key)),
    ).toEqual([]);
    for (const { containers } of pods) {
      expect(containers[0].env.filter(({ value }) => value !== undefined)).toEqual([]);
      expect(containers[0].env.map(({ name: key }) => key)).toContain('PITH_SECRET');
    }
  });

  it('has two replicas of which one answers at any time', () => {
    expect(server?.spec).toMatchObject({
      replicas: 2,
      strategy: { rollingUpdate: { maxUnavailable: 0 } },
    });
    expect(parts.find(({ kind }) => kind === 'PodDisruptionBudget')?.spec?.maxUnavailable).toBe(1);
  });

  it('gives a server the time that it takes to end', () => {
    const pod = server?.spec?.template?.spec;
    const sleep = pod?.containers[0].lifecycle?.preStop.sleep.seconds ?? 0;
    expect(sleep).toBeGreaterThan(0);
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(sleep + config.http.shutdownMs / 1000 + 2);
  });

  it('asks the server whether it is ready, and whether it runs', () => {
    expect(server?.spec?.template?.spec.containers[0]).toMatchObject({
      ports: [{ name: 'http', containerPort: config.http.port }],
      readinessProbe: { httpGet: { path: '/readyz', port: 'http' } },
      livenessProbe: { httpGet: { path: '/livez', port: 'http' } },
    });
  });
});

describe('the manifest with PostgreSQL alone', () => {
  const parts = partsIn('pith-postgres.yaml');
  const [server, job] = ['Deployment', 'CronJob'].map((kind) => {
    const part = parts.find((each) => each.kind === kind);
    return part && podIn(part);
  });

  it('has one writer of the index, which replicas follow', () => {
    expect(parts.find(({ kind }) => kind === 'CronJob')?.spec?.concurrencyPolicy).toBe('Forbid');
    expect(job?.containers[0].args).toEqual([
      ...['index', '/documents', '--allow-partial', '--project', 'docs', '--environment', 'prod'],
    ]);
    expect(server?.containers[0].args).toEqual(['http']);
    expect(parts.find(({ kind }) => kind === 'ConfigMap')?.data).toMatchObject({
      ...{ PITH_INDEX_STORE: 'database', PITH_PROJECT: 'docs', PITH_ENVIRONMENT: 'prod' },
    });
  });

  it('keeps nothing on disks', () => {
    expect(parts.filter(({ kind }) => kind === 'PersistentVolumeClaim')).toEqual([]);
    for (const pod of [server, job]) {
      expect(pod?.volumes.find(({ name }) => name === 'index')?.emptyDir).toBeDefined();
      expect(pod?.containers[0].env.map(({ name }) => name)).toEqual(['PITH_SECRET', 'PITH_DATABASE']);
    }
  });

  it('shares passages and the ledger, so any replica may answer', () => {
    expect(affinity(parts)).toBeUndefined();
    const settings = parts.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
    expect([settings['PITH_LEDGER'], settings['PITH_SCRATCH_ENGINE']]).toEqual([undefined, undefined]);
    expect(affinity(partsIn('pith-engines.yaml'))).toBeUndefined();
    expect(affinity(partsIn('pith.yaml'))).toBe('ClientIP');
  });
});

describe('the manifest with engines', () => {
  const parts = partsIn('pith-engines.yaml');

  it('has one writer of the index, with a disk of its own', () => {
    const job = parts.find(({ kind }) => kind === 'CronJob');
    expect(job?.spec?.concurrencyPolicy).toBe('Forbid');
    expect(job && podIn(job)?.containers[0].args).toEqual([
      ...['index', '/documents', '--allow-partial', '--project', 'docs', '--environment', 'prod'],
    ]);
    expect(parts.find(({ kind }) => kind === 'PersistentVolumeClaim')?.spec?.accessModes).toEqual([
      'ReadWriteOnce',
    ]);
    const server = parts.find(({ kind }) => kind === 'Deployment');
    expect(server && podIn(server)?.containers[0].args).toEqual(['http']);
  });

  it('shares passages and the ledger, and answers to the name of its ingress', () => {
    const settings = parts.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
    expect(settings).toMatchObject({
      PITH_SECTION_ENGINE: 'qdrant',
      PITH_GRAPH_ENGINE: 'neo4j',
      PITH_SCRATCH_ENGINE: 'redis',
    });
    expect(settings['PITH_LEDGER']).toBeUndefined();
    expect(settings['PITH_HTTP_ALLOWED_HOSTS']?.split(',')).toContain('pith.example.org');
  });
});

describe('the chart', () => {
  const schema = JSON.parse(readText('deploy/helm/pith/values.schema.json')) as object;
  const isValid = new Ajv().compile(schema);

  it.each(['values.yaml', 'ci/postgres-values.yaml', 'ci/engines-values.yaml'])('accepts %s', (name) => {
    isValid(parse(readText(`deploy/helm/pith/${name}`)));
    expect(isValid.errors ?? []).toEqual([]);
  });

  it('describes each of its values', () => {
    const values = parse(readText('deploy/helm/pith/values.yaml')) as { engines: object; index: object };
    expect(schema).toMatchObject({ properties: expect.objectContaining(keysOf(values)) });
    expect(schema).toMatchObject({
      properties: {
        engines: { properties: keysOf(values.engines) },
        index: { properties: keysOf(values.index) },
      },
    });
  });

  it.each([
    ['a value that it does not know', { engine: { redis: true } }],
    ['an unknown engine', { engines: { postgresql: true } }],
    ['an index in an unknown place', { engines: { index: 'database' } }],
    ['a number as a setting, which YAML may change', { settings: { PITH_SUBSTRATE_MAX_BYTES: 1000000000 } }],
  ])('refuses %s', (_, values) => {
    expect(isValid(values)).toBe(false);
  });

  it('refuses each setting that is a secret', () => {
    const [, list = ''] =
      /\$secrets := list([^}]*)\}/u.exec(readText('deploy/helm/pith/templates/_helpers.tpl')) ?? [];
    const everything = Object.fromEntries(settingNames().map((name) => [name, 'x']));
    expect(list.match(/\w+/gu)).toEqual(givenSettings(everything).secrets.sort());
  });

  it.each([
    ['effect: approve', true],
    ["- { name: a, 'effect': 'review' }", true],
    ['version: 1\nproviders:\n  files: {}', true],
    ['effect: allow # not approve', false],
    ['# effect: approve', false],
    ['providers_of: x\nnames: [providers]', false],
  ])('finds what a governance file keeps: %j', (text, isKept) => {
    const [, pattern = ''] =
      /regexMatch "((?:[^"\\]|\\.)*)"/u.exec(readText('deploy/helm/pith/templates/_helpers.tpl')) ?? [];
    const [, source = ''] = /^\(\?m\)(.*)$/su.exec(JSON.parse(`"${pattern}"`) as string) ?? [];
    expect(new RegExp(source, 'mu').test(text)).toBe(isKept);
  });

  it('has the version of Pith, and supports Kubernetes with a sleep before the end', () => {
    expect(parse(readText('deploy/helm/pith/Chart.yaml'))).toMatchObject({
      appVersion: VERSION,
      kubeVersion: '>=1.30.0-0',
    });
  });
});
