import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importsAcross } from '../scripts/source-measures.mjs';
import {
  duplicateExports,
  folderImports,
  folderOf,
  foldersInCycles,
  levelSizes,
  longestChain,
  readSources,
  siblingImports,
  type SourceFile,
} from '../scripts/source-tree.mjs';

/** Folders on the longest path of imports: features, the shells that show them, answering, the foundation. */
const LONGEST_CHAIN = 12;
/** Folders on a level of the tree. The root holds one for each part of the plan. */
const MAX_FOLDERS = { root: 22, other: 20 };

const files = readSources(join(__dirname, '..', 'src'));

const isTool = ({ path }: { path: string }): boolean => /\.(?:tools?|resource|prompt)\.ts$/.test(path);
const isService = ({ path }: { path: string }): boolean => path.endsWith('.service.ts');
const isCommand = ({ path }: { path: string }): boolean =>
  folderOf(path) === 'cli' || path.split('/').includes('commands');
// The composition root and the commands may import every file.
const isRoot = ({ path }: { path: string }): boolean => folderOf(path) === '' || isCommand({ path });
const isNestFile = ({ path }: { path: string }): boolean =>
  /\.(?:tools?|resource|prompt|service|module|feature|guard|stage|interceptor|filter|controller|config|pages)\.ts$/.test(
    path,
  );

/** `a -> b` for every import from one kind of file to another, without type imports. */
function arrows(
  from: (file: SourceFile) => boolean,
  to: (target: string, file: SourceFile) => boolean,
  importsOf = ({ imports }: SourceFile): readonly string[] => imports,
): string[] {
  return files.filter(from).flatMap((file) =>
    importsOf(file)
      .filter((target) => to(target, file))
      .map((target) => `${file.path} -> ${target}`),
  );
}

const typeImportsOf = ({ typeImports }: SourceFile): readonly string[] => typeImports;

const FEATURE_FOLDERS = ['governance', 'work', 'engines', 'legacy', 'langgraph'];

/** Services of every feature may call those of these features, and otherwise follow `CALLS`. */
const SHARED_SERVICES = ['scope', 'scratch', 'diagnostics'];
const CALLS: Readonly<Record<string, readonly string[]>> = {
  'search-docs': ['kb', 'graph'],
  legacy: ['kb', 'graph', 'search-docs'],
  kb: ['graph'],
  work: ['kb'],
};

/** Commands print through one function, but for the export of a ledger, which waits for a slow reader. */
const STDOUT_OWNERS = [
  'cli/print.ts',
  'governance/commands/ledger/ledger.command.ts',
  'main.cli.ts',
  'mcp/transport/stdio-transport.ts',
];

/**
 * The files that read the system's clock, for instants that are shown, stored, signed or compared with those of others.
 * Durations are measured by `steadyNow` or `performance.now`, which don't jump.
 */
const CLOCK_READERS = [
  'admin/admin.module.ts',
  'cli/command-parts.ts',
  'cli/commands/eval.command.ts',
  'cli/commands/memory.command.ts',
  'cli/commands/sources.command.ts',
  'cli/eval/eval-services.ts',
  'core/turns/clock.ts',
  'diagnostics/diagnostics.module.ts',
  'engines/models/http/post-json.ts',
  'engines/open-models.ts',
  'governance/access/open-access.ts',
  'governance/approvals/approvals.module.ts',
  'governance/commands/approvals/approvals.command.ts',
  'governance/commands/policy.command.ts',
  'governance/commands/providers.command.ts',
  'governance/governance.feature.ts',
  'governance/ledger/daily-removal.ts',
  'governance/ledger/store/open-ledger.ts',
  'governance/providers/providers.ts',
  'governance/registry/definition-recorder.service.ts',
  'ingest/index-run.ts',
  'main.in-process.ts',
  'mcp/transport/open-strategy.ts',
  'search-docs/search-docs.module.ts',
  'sources/sync-sources.ts',
  'sqlite/stores/sqlite-database.ts',
  'work/questions/commands/gaps.command.ts',
  'work/questions/question-maintenance.service.ts',
  'work/runs/run-maintenance.service.ts',
  'work/work.feature.ts',
];
/** These subtract instants: of the start of a call, and of what an operator asks for. */
const MEASURED_INSTANTS = ['cli/command-parts.ts', 'diagnostics/record/build-record.ts'];

/** Only here, packages of engines and models are named. */
const ADAPTERS = /^(?:engines|sqlite)\//;
const TELEMETRY = /^(?:@opentelemetry\/|prom-client)/;
/** Imports that load telemetry at start. Type imports load nothing. */
const LOADED_AT_START = /^import (?!type )[^;]*? from '(?:@opentelemetry\/(?!api')|prom-client)/m;
const VENDORS =
  /^(?:@photostructure\/sqlite|node:sqlite|@qdrant\/|neo4j-driver|pg$|@redis\/|redis|ioredis|cockatiel)/;
/** Imports that load an engine or model other than SQLite at start. Type imports load nothing. */
const ENGINES_AT_START = /^import (?!type )[^;]*? from '(?:@qdrant\/|neo4j-driver|pg'|@redis\/|cockatiel)/m;

/** A private field of the MCP SDK or of mcp-nest: they mark them so, and our own classes do not. `_meta` is MCP's. */
const PRIVATE_FIELD = /\._(?!meta\b)\w|[\w)\]]\['_(?!meta\b)\w|(?:\{|^)\s*(?:readonly )?_(?!meta\b)\w+\??:/m;
/** No public path reaches the output of a program that the SDK starts; the spec of this file fails if the field moves. */
const PRIVATE_FIELD_READERS = ['governance/providers/link/message-gate.ts'];

/**
 * Members that the MCP SDK marks `@internal`, read from its types: they can change in any release. One is overwritten,
 * because tools are not registered with the SDK, and no public way tells it their schemas for `Mcp-Param-*` headers.
 */
const SDK_TYPES = join(__dirname, '..', 'node_modules', '@modelcontextprotocol', 'server', 'dist');
const INTERNAL_MEMBER =
  /\/\*\*(?:(?!\*\/)[\s\S])*@internal(?:(?!\*\/)[\s\S])*\*\/\s*(?:(?:private|protected|static|readonly|declare|function|const|class) +)*(\w+)/g;
const INTERNAL_MEMBER_USERS = ['mcp/transport/pith-strategy.ts: toolInputSchemaJson'];

function internalMembers(): string[] {
  const types = readdirSync(SDK_TYPES).filter((name) => name.endsWith('.d.cts'));
  const texts = types.map((name) => readFileSync(join(SDK_TYPES, name), 'utf8'));
  const members = texts.flatMap((text) => [...text.matchAll(INTERNAL_MEMBER)].map(([, name = '']) => name));
  return [...new Set(members)];
}

describe('the structure of src', () => {
  it('has folders that import in one direction only, types included', () => {
    const graph = folderImports(files);
    expect(foldersInCycles(graph)).toEqual([]);
    expect(longestChain(graph).filter(Boolean).length).toBeLessThanOrEqual(LONGEST_CHAIN);
  });

  it('has subfolders that import in one direction only, types included', () => {
    expect(foldersInCycles(siblingImports(files))).toEqual([]);
  });

  it('has only the module, the features, the entries and the parts of the HTTP server in its root', () => {
    const root = files.map(({ path }) => path).filter((path) => folderOf(path) === '');
    expect(root.sort()).toEqual([
      'app.module.ts',
      'feature-commands.ts',
      'features.ts',
      'http-projects.ts',
      'http-server.ts',
      'main.cli.ts',
      'main.http.ts',
      'main.in-process.ts',
      'main.stdio.ts',
    ]);
  });

  it('has at most 20 files and 20 folders on a level, 22 folders in the root', () => {
    const mostFolders = (folder: string): number => (folder === '' ? MAX_FOLDERS.root : MAX_FOLDERS.other);
    const crowded = levelSizes(files).filter(
      ({ folder, files: held, folders }) => held > 20 || folders > mostFolders(folder),
    );
    expect(crowded).toEqual([]);
  });

  it('exports each name from one file only', () => {
    expect(duplicateExports(files)).toEqual([]);
  });
});

describe('the architecture', () => {
  it('lets tools import services of their own folder only, and no port, store or adapter', () => {
    expect(
      arrows(isTool, (target, { path }) => {
        if (isService({ path: target })) return folderOf(target) !== folderOf(path);
        return /(?:\.port|-store)\.ts$/.test(target) || ADAPTERS.test(target) || isTool({ path: target });
      }),
    ).toEqual([]);
  });

  it('lets services call services of other features only as CALLS and SHARED_SERVICES allow', () => {
    const mayCall = (from: string, to: string): boolean =>
      from === to || SHARED_SERVICES.includes(to) || (CALLS[from] ?? []).includes(to);
    expect(
      arrows(
        isService,
        (target, { path }) => isService({ path: target }) && !mayCall(folderOf(path), folderOf(target)),
      ),
    ).toEqual([]);
  });

  it('lets services import no tool, types included', () => {
    const isChecked = (file: SourceFile): boolean => isService(file);
    const isToolPath = (path: string): boolean => isTool({ path });
    expect(arrows(isChecked, isToolPath)).toEqual([]);
    expect(arrows(isChecked, isToolPath, typeImportsOf)).toEqual([]);
  });

  it('lets no folder import from those before it in the order legacy, kb, graph', () => {
    const order = ['legacy', 'kb', 'graph'];
    const isBackwards = (target: string, { path }: SourceFile): boolean =>
      order.includes(folderOf(target)) && order.indexOf(folderOf(target)) < order.indexOf(folderOf(path));
    expect(arrows(() => true, isBackwards)).toEqual([]);
    expect(arrows(() => true, isBackwards, typeImportsOf)).toEqual([]);
  });

  it('lets answering folders and the shells import no feature, types included', () => {
    const across = ['governance', 'work', 'engines', 'legacy', 'langgraph'].flatMap((feature) =>
      (['answering', 'shell'] as const).flatMap((side) => importsAcross(files, side, feature)),
    );
    expect(across).toEqual([]);
  });

  it('lets no file of the root import a feature, types included, except the two lists of features', () => {
    const isEntry = ({ path }: SourceFile): boolean =>
      folderOf(path) === '' && !['features.ts', 'feature-commands.ts'].includes(path);
    const isFeature = (target: string): boolean => FEATURE_FOLDERS.includes(folderOf(target));
    expect(arrows(isEntry, isFeature)).toEqual([]);
    expect(arrows(isEntry, isFeature, typeImportsOf)).toEqual([]);
  });

  it('imports no feature before it is known to be on', () => {
    const list = files.find(({ path }) => path === 'features.ts');
    const atStart = [...(list?.text ?? '').matchAll(/^import (?!type )[^;]*? from '([^']+)'/gm)];
    expect(atStart.map(([, from]) => from)).toEqual([]);
  });

  it('lets only the root, the command line and features import the embedded engine', () => {
    const mayImport = (file: SourceFile): boolean =>
      isRoot(file) || ['sqlite', ...FEATURE_FOLDERS].includes(folderOf(file.path));
    const isEngine = (target: string): boolean => folderOf(target) === 'sqlite';
    expect(arrows((file) => !mayImport(file), isEngine)).toEqual([]);
    expect(arrows((file) => !mayImport(file), isEngine, typeImportsOf)).toEqual([]);
  });

  it('lets features import each other along work, governance, engines only, types included', () => {
    const order = ['engines', 'governance', 'work'];
    const isUpwards = (target: string, { path }: SourceFile): boolean => {
      const [from, to] = [folderOf(path), folderOf(target)];
      if (from === to || !FEATURE_FOLDERS.includes(from) || !FEATURE_FOLDERS.includes(to)) return false;
      return !order.includes(to) || order.indexOf(from) < order.indexOf(to);
    };
    expect(arrows(() => true, isUpwards)).toEqual([]);
    expect(arrows(() => true, isUpwards, typeImportsOf)).toEqual([]);
  });

  it('lets adapters import neither tools nor services', () => {
    expect(
      arrows(
        (file) => ADAPTERS.test(file.path),
        (target) => isTool({ path: target }) || isService({ path: target }),
      ),
    ).toEqual([]);
  });

  it('lets pure files import neither Nest nor services nor tools', () => {
    const isPure = (file: SourceFile): boolean =>
      !isNestFile(file) && !isRoot(file) && folderOf(file.path) !== 'mcp';
    const nest = files
      .filter((file) => isPure(file))
      .flatMap(({ path, packages }) =>
        packages.filter((name) => name.startsWith('@nestjs/')).map((n) => `${path} -> ${n}`),
      );
    expect(nest).toEqual([]);
    expect(arrows(isPure, (target) => isService({ path: target }) || isTool({ path: target }))).toEqual([]);
  });

  it('reads arguments of tools and renders results in one place: the pipeline', () => {
    const isPipeline = (path: string): boolean => path.startsWith('mcp/pipeline/');
    // The strategy answers for a call that is over its deadline.
    const RENDERERS = ['mcp/rendering/render.ts', 'mcp/transport/pith-strategy.ts'];
    const readers = files.filter(({ text }) => /\binput\.(?:safeParse|parse)(?:Async)?\(/.test(text));
    expect(readers.map(({ path }) => path)).toEqual(['mcp/pipeline/input.stage.ts']);
    const rendering = arrows(
      ({ path }) => !isPipeline(path) && !RENDERERS.includes(path),
      (target) => target === 'mcp/rendering/render.ts' || target === 'mcp/rendering/render-within.ts',
    );
    expect(rendering).toEqual([]);
  });

  it('names vendors in adapters only', () => {
    const named = files
      .filter(({ path }) => !ADAPTERS.test(path))
      .flatMap(({ path, packages }) =>
        packages.filter((name) => VENDORS.test(name)).map((name) => `${path} -> ${name}`),
      );
    expect(named).toEqual([]);
  });

  it('names packages of telemetry in telemetry only', () => {
    const named = files
      .filter(({ path }) => folderOf(path) !== 'telemetry')
      .flatMap(({ path, packages }) =>
        packages.filter((name) => TELEMETRY.test(name)).map((name) => `${path} -> ${name}`),
      );
    expect(named).toEqual([]);
  });

  it('loads no telemetry package at start except the API', () => {
    const loading = files.filter(({ text }) => LOADED_AT_START.test(text));
    expect(loading.map(({ path }) => path)).toEqual([]);
  });

  it('loads engines and models other than SQLite only when they are used', () => {
    const loading = files.filter(({ text }) => ENGINES_AT_START.test(text));
    expect(loading.map(({ path }) => path)).toEqual([]);
  });

  it('reads the environment in config only', () => {
    const readers = files.filter(
      ({ path, text }) => folderOf(path) !== 'config' && text.includes('process.env'),
    );
    expect(readers.map(({ path }) => path)).toEqual([]);
  });

  it('measures no duration by the clock of the system, which can jump', () => {
    const readers = files.filter(({ text }) => /\bDate\.now\b/.test(text));
    expect(readers.map(({ path }) => path).sort()).toEqual(CLOCK_READERS);
    const measuring = files.filter(
      ({ path, text }) =>
        path !== 'core/turns/clock.ts' &&
        /\b(?:call|Date)\.now\(\) *[-<>]|[-<>] *(?:call|Date)\.now\(\)/.test(text),
    );
    expect(measuring.map(({ path }) => path)).toEqual(MEASURED_INSTANTS);
  });

  it('writes to stdout from the command line only', () => {
    const users = files.filter(({ text }) => /process\.stdout(?!\.(?:isTTY|columns))/.test(text));
    expect(users.map(({ path }) => path).sort()).toEqual(STDOUT_OWNERS);
    expect(
      arrows(
        (file) => !isCommand(file),
        (target) => target === 'cli/print.ts',
      ),
    ).toEqual([]);
  });

  it('reads the structure of sections while indexing only', () => {
    const isIndexing = ({ path }: { path: string }): boolean => path.startsWith('ingest/');
    const isStructure = (target: string): boolean => target.startsWith('ingest/structure/');
    expect(arrows((file) => !isIndexing(file), isStructure)).toEqual([]);
  });

  it('writes to stderr in one place, which escapes the text', () => {
    const writers = files.filter(({ text }) => /process\.stderr\.write|\bconsole\.\w+\(/.test(text));
    expect(writers.map(({ path }) => path)).toEqual(['core/stderr.ts']);
  });

  it('uses private fields of libraries in one file only', () => {
    const users = files.filter(({ text }) => PRIVATE_FIELD.test(text));
    expect(users.map(({ path }) => path)).toEqual(PRIVATE_FIELD_READERS);
  });

  it('uses internal members of the SDK in one place only, which its next release can break', () => {
    const users = internalMembers().flatMap((name) =>
      files
        .filter(({ text }) => new RegExp(`\\b${name}\\b`).test(text))
        .map(({ path }) => `${path}: ${name}`),
    );
    expect(users).toEqual(INTERNAL_MEMBER_USERS);
  });

  it('has no barrels, helpers or base services', () => {
    const suspicious = files.filter(({ path }) =>
      /(?:^|\/)(?:index|utils?|helpers?|common|base[.-].*)\.ts$/.test(path),
    );
    expect(suspicious.map(({ path }) => path)).toEqual([]);
  });

  it('has no import cycles', () => {
    const importsOf = new Map(files.map(({ path, imports }) => [path, imports]));
    const cycles: string[] = [];
    const done = new Set<string>();
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
      if (trail.includes(path) || done.has(path)) return;
      for (const target of importsOf.get(path) ?? []) visit(target, [...trail, path]);
      done.add(path);
    };
    for (const { path } of files) visit(path, []);
    expect(cycles).toEqual([]);
  });
});
