import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';

const SRC = join(__dirname, '..', 'src');

interface SourceFile {
  /** Relative to src, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** Imported files of ours, relative to src; type-only imports apart. */
  readonly imports: readonly string[];
  readonly typeImports: readonly string[];
  readonly packages: readonly string[];
}

const slashed = (path: string): string => path.split(sep).join('/');

function readSource(path: string): SourceFile {
  const text = readFileSync(join(SRC, path), 'utf8');
  const found = [...text.matchAll(/^import (type )?[^;]*? from '([^']+)';|import\('([^']+)'\)/gms)];
  const resolved = (target: string): string =>
    slashed(normalize(join(dirname(path), target))).replace(/\.js$/, '.ts');
  const own = found.filter((match) => (match[2] ?? match[3] ?? '').startsWith('.'));
  return {
    path,
    text,
    imports: own.filter((match) => !match[1]).map((match) => resolved(match[2] ?? match[3] ?? '')),
    typeImports: own.filter((match) => match[1]).map((match) => resolved(match[2] ?? '')),
    packages: found.map((match) => match[2] ?? match[3] ?? '').filter((target) => !target.startsWith('.')),
  };
}

const files = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /(?<!\.d)\.ts$/.test(entry.name))
  .map((entry) => readSource(slashed(relative(SRC, join(entry.parentPath ?? entry.path, entry.name)))));

const room = (path: string): string => (path.includes('/') ? (path.split('/')[0] ?? '') : '');
const isTool = ({ path }: { path: string }): boolean => /\.(?:tool|resource|prompt)\.ts$/.test(path);
const isService = ({ path }: { path: string }): boolean => path.endsWith('.service.ts');
// Where everything is put together, and the edge of the process.
const isRoot = ({ path }: { path: string }): boolean => room(path) === '' || room(path) === 'cli';
const isNestFile = ({ path }: { path: string }): boolean =>
  /\.(?:tool|resource|prompt|service|module|guard|interceptor|filter|controller|config)\.ts$/.test(path);

/** `a -> b` for every import from one kind of file to another. */
function arrows(
  from: (file: SourceFile) => boolean,
  to: (target: string, file: SourceFile) => boolean,
): string[] {
  return files
    .filter(from)
    .flatMap((file) =>
      file.imports.filter((target) => to(target, file)).map((target) => `${file.path} -> ${target}`),
    );
}

/** Which feature a service may call beside its own: along docs, legacy → kb → graph, and any → these three. */
const SHARED_SERVICES = ['scope', 'scratch', 'diagnostics'];
const CALLS: Readonly<Record<string, readonly string[]>> = {
  docs: ['kb', 'graph'],
  legacy: ['kb', 'graph', 'docs'],
  kb: ['graph'],
};

/** Beside the command line: its entry, and the door whose wire stdout is. */
const STDOUT_OWNERS = ['main.cli.ts', 'mcp/stdio-door.ts'];

const TELEMETRY = /^(?:@opentelemetry\/|prom-client)/;
/** What only a configured server may load; types cost nothing. */
const LOADED_AT_START = /^import (?!type )[^;]*? from '(?:@opentelemetry\/(?!api')|prom-client)/m;
const VENDORS =
  /^(?:@photostructure\/sqlite|node:sqlite|@qdrant\/|neo4j-driver|@redis\/|redis|ioredis|@huggingface\/|cockatiel)/;
/** Engines and models of others: a server on the index file loads none of them; types cost nothing. */
const ENGINES_AT_START =
  /^import (?!type )[^;]*? from '(?:@qdrant\/|neo4j-driver|@redis\/|@huggingface\/|cockatiel)/m;

describe('the architecture', () => {
  it('lets tools import services of their own room only, and no port or adapter', () => {
    expect(
      arrows(isTool, (target, { path }) => {
        if (isService({ path: target })) return room(target) !== room(path);
        return target.endsWith('.port.ts') || room(target) === 'adapters' || isTool({ path: target });
      }),
    ).toEqual([]);
  });

  it('lets services call only along docs, legacy → kb → graph, and scope, scratch and diagnostics', () => {
    const mayCall = (from: string, to: string): boolean =>
      from === to || SHARED_SERVICES.includes(to) || (CALLS[from] ?? []).includes(to);
    expect(
      arrows(
        isService,
        (target, { path }) => isService({ path: target }) && !mayCall(room(path), room(target)),
      ),
    ).toEqual([]);
  });

  it('lets no room know those before it in legacy → kb → graph', () => {
    const rooms = ['legacy', 'kb', 'graph'];
    const isBackwards = (target: string, { path }: SourceFile): boolean =>
      rooms.includes(room(target)) && rooms.indexOf(room(target)) < rooms.indexOf(room(path));
    expect(arrows(() => true, isBackwards)).toEqual([]);
    const told = files.flatMap((file) =>
      file.typeImports
        .filter((target) => isBackwards(target, file))
        .map((target) => `${file.path} -> ${target}`),
    );
    expect(told).toEqual([]);
  });

  it('lets nobody but the roots import an adapter', () => {
    expect(
      arrows(
        (file) => !isRoot(file) && room(file.path) !== 'adapters',
        (target) => room(target) === 'adapters',
      ),
    ).toEqual([]);
  });

  it('lets adapters import neither tools nor services', () => {
    expect(
      arrows(
        (file) => room(file.path) === 'adapters',
        (target) => isTool({ path: target }) || isService({ path: target }),
      ),
    ).toEqual([]);
  });

  it('lets pure files import neither Nest nor services nor tools', () => {
    const isPure = (file: SourceFile): boolean =>
      !isNestFile(file) && !isRoot(file) && room(file.path) !== 'mcp';
    const nest = files
      .filter((file) => isPure(file))
      .flatMap(({ path, packages }) =>
        packages.filter((name) => name.startsWith('@nestjs/')).map((n) => `${path} -> ${n}`),
      );
    expect(nest).toEqual([]);
    expect(arrows(isPure, (target) => isService({ path: target }) || isTool({ path: target }))).toEqual([]);
  });

  it('names vendors in adapters only', () => {
    const named = files
      .filter(({ path }) => room(path) !== 'adapters')
      .flatMap(({ path, packages }) =>
        packages.filter((name) => VENDORS.test(name)).map((name) => `${path} -> ${name}`),
      );
    expect(named).toEqual([]);
  });

  it('names packages of telemetry in telemetry only', () => {
    const named = files
      .filter(({ path }) => room(path) !== 'telemetry')
      .flatMap(({ path, packages }) =>
        packages.filter((name) => TELEMETRY.test(name)).map((name) => `${path} -> ${name}`),
      );
    expect(named).toEqual([]);
  });

  it('loads of telemetry nothing but its API at start', () => {
    const loading = files.filter(({ text }) => LOADED_AT_START.test(text));
    expect(loading.map(({ path }) => path)).toEqual([]);
  });

  it('loads engines and models of others only when they are asked', () => {
    const loading = files.filter(({ text }) => ENGINES_AT_START.test(text));
    expect(loading.map(({ path }) => path)).toEqual([]);
  });

  it('reads the environment in config only', () => {
    const readers = files.filter(({ path, text }) => room(path) !== 'config' && text.includes('process.env'));
    expect(readers.map(({ path }) => path)).toEqual([]);
  });

  it('writes to stdout from the command line only', () => {
    const writers = files.filter(
      ({ path, text }) =>
        room(path) !== 'cli' && !STDOUT_OWNERS.includes(path) && text.includes('process.stdout'),
    );
    expect(writers.map(({ path }) => path)).toEqual([]);
  });

  it('writes to stderr in one place, which escapes', () => {
    const writers = files.filter(({ text }) => /process\.stderr\.write|\bconsole\.\w+\(/.test(text));
    expect(writers.map(({ path }) => path)).toEqual(['stderr.ts']);
  });

  it('has no barrels, helpers or base services', () => {
    const suspicious = files.filter(({ path }) =>
      /(?:^|\/)(?:index|utils?|helpers?|common|base[.-].*)\.ts$/.test(path),
    );
    expect(suspicious.map(({ path }) => path)).toEqual([]);
  });

  it('has no circle of imports', () => {
    const importsOf = new Map(files.map(({ path, imports }) => [path, imports]));
    const circles: string[] = [];
    const done = new Set<string>();
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
      if (trail.includes(path) || done.has(path)) return;
      for (const target of importsOf.get(path) ?? []) visit(target, [...trail, path]);
      done.add(path);
    };
    for (const { path } of files) visit(path, []);
    expect(circles).toEqual([]);
  });
});
