import {
  filesNamed,
  filesOfTrace,
  importsAcross,
  mutableTraceFields,
  namesEndingInOf,
  portsOf,
  sideOf,
  smallFiles,
  topFolders,
} from '../../../scripts/source-measures.mjs';
import type { SourceFile } from '../../../scripts/source-tree.mjs';

const aFile = (path: string, more: Partial<SourceFile> = {}): SourceFile => ({
  path,
  text: '',
  imports: [],
  typeImports: [],
  packages: [],
  ...more,
});

const withText = (path: string, ...lines: readonly string[]): SourceFile =>
  aFile(path, { text: `${lines.join('\n')}\n` });

describe('sideOf', () => {
  it.each([
    ['kb/search/rank-parts.ts', 'answering'],
    ['core/scope.ts', 'answering'],
    ['sqlite/driver.ts', 'answering'],
    ['sources/site.ts', 'answering'],
    ['admin/pages/page.ts', 'shell'],
    ['cli/program.ts', 'shell'],
    ['engines/qdrant/points.ts', 'feature'],
    ['governance/governance.service.ts', 'feature'],
    ['work/runs/run.ts', 'feature'],
    ['legacy/legacy.feature.ts', 'feature'],
    ['app.module.ts', null],
  ])('has %s on the side %s', (path, side) => {
    expect(sideOf(path)).toBe(side);
  });
});

describe('importsAcross', () => {
  const files = [
    aFile('main.ts', { imports: ['governance/policy.ts'] }),
    aFile('admin/page.ts', { imports: ['governance/policy.ts', 'kb/answer.ts'] }),
    aFile('kb/answer.ts', { imports: ['governance/log.ts'], typeImports: ['governance/log.ts'] }),
    aFile('mcp/call.ts', { typeImports: ['governance/policy.ts', 'work/run.ts'] }),
    aFile('governance/policy.ts', { imports: ['core/ref.ts'] }),
  ];

  it('lists each import of a side into the feature once, types included', () => {
    expect(importsAcross(files, 'answering', 'governance')).toEqual([
      'kb/answer.ts -> governance/log.ts',
      'mcp/call.ts -> governance/policy.ts',
    ]);
    expect(importsAcross(files, 'answering', 'work')).toEqual(['mcp/call.ts -> work/run.ts']);
    expect(importsAcross(files, 'shell', 'governance')).toEqual(['admin/page.ts -> governance/policy.ts']);
  });
});

describe('filesNamed', () => {
  const named = (noun: string, ...paths: readonly string[]): string[] =>
    filesNamed(
      paths.map((path) => aFile(path)),
      noun,
    ).map(({ path }) => path);

  it('finds a noun as a word of a folder or a file, in the singular or plural', () => {
    expect(
      named('run', 'work/runs/store.ts', 'kb/last-run.ts', 'run.port.ts', 'kb/running.ts', 'kb/truncate.ts'),
    ).toEqual(['work/runs/store.ts', 'kb/last-run.ts', 'run.port.ts']);
    expect(named('corpus', 'work/corpora/list.ts', 'mcp/corpus-lists.ts')).toHaveLength(2);
  });

  it('takes the role of a file of schemas for no noun', () => {
    expect(named('schema', 'kb/kb.schemas.ts', 'work/schemas/schema.schemas.ts')).toEqual([
      'work/schemas/schema.schemas.ts',
    ]);
  });

  it('counts the folders of the top level', () => {
    expect(topFolders([{ path: 'work/runs/a.ts' }, { path: 'cli/runs.ts' }, { path: 'work/b.ts' }])).toEqual([
      'cli',
      'work',
    ]);
  });
});

describe('smallFiles', () => {
  const importing = (path: string, ...imports: readonly string[]): SourceFile =>
    aFile(path, { imports: [...imports], text: '\n\n\n' });

  it('finds files whose only importer is in the same folder, types included', () => {
    const files = [
      importing('kb/answer.ts', 'kb/only.ts', 'kb/twice.ts', 'kb/deep/below.ts', 'kb/typed.ts'),
      importing('kb/only.ts', 'kb/twice.ts'),
      importing('kb/twice.ts'),
      importing('kb/deep/below.ts'),
      importing('kb/typed.ts'),
      aFile('kb/types.ts', { text: '\n\n\n', typeImports: ['kb/typed.ts'] }),
    ];
    expect(smallFiles(files, 60)).toEqual([{ path: 'kb/only.ts', lines: 3, importer: 'kb/answer.ts' }]);
    expect(smallFiles(files, 3)).toEqual([]);
  });
});

describe('portsOf', () => {
  it('counts classes that extend or implement a port, also wrapped or through an abstract class', () => {
    const files = [
      withText('core/ports/shelf.port.ts', 'export abstract class Shelf {', '}'),
      withText('core/ports/lamp.port.ts', 'export abstract class Lamp<T> {', '}'),
      withText('work/table.port.ts', 'export abstract class Table {', '}'),
      withText('mcp/surface.ts', 'export abstract class Surface {', '}'),
      withText('a.ts', 'export class Oak extends Shelf {', '}', 'abstract class Wall extends Shelf {', '}'),
      withText('b.ts', 'class Brick extends Wall implements OnModuleDestroy {', '}'),
      withText('c.ts', 'export class Bulb implements Synchronous<Lamp<string>> {', '}'),
    ];
    expect(portsOf(files)).toEqual([
      { port: 'Shelf', path: 'core/ports/shelf.port.ts', implementations: ['Brick', 'Oak'] },
      { port: 'Lamp', path: 'core/ports/lamp.port.ts', implementations: ['Bulb'] },
      { port: 'Table', path: 'work/table.port.ts', implementations: [] },
    ]);
  });
});

describe('the measures of the trace', () => {
  const call = withText(
    'core/call.ts',
    'export interface Trace {',
    '  /** Milliseconds. */',
    '  readonly timings: Record<string, number>;',
    '  readonly warnings: string[];',
    '  readonly ids: readonly string[];',
    '  readonly name: string;',
    '  run: string | null;',
    '}',
    'export interface Other {',
    '  field: string;',
    '}',
  );

  it('find the fields that can be written, or whose value can be', () => {
    expect(mutableTraceFields([call])).toEqual(['timings', 'warnings', 'run']);
  });

  it('find the files that read, write or pass on the trace', () => {
    const files = [
      call,
      withText('a.ts', 'note(call.trace);'),
      withText('b.ts', 'const f = ({ trace }: Call) => trace.run;'),
      withText('c.ts', 'const { run } = trace;'),
      withText('d.ts', 'trace.setSpan(context);', "import('sdk-trace-base');"),
    ];
    expect(filesOfTrace(files)).toEqual(['a.ts', 'b.ts', 'c.ts']);
  });
});

describe('namesEndingInOf', () => {
  it('lists each declared name once', () => {
    const files = [
      withText('a.ts', 'export function factsOf() {', '  const keyOf = 1;', '  list.indexOf(keyOf);', '}'),
      withText('b.ts', 'const keyOf = 2;', 'const offset = 3;'),
    ];
    expect(namesEndingInOf(files)).toEqual(['factsOf', 'keyOf']);
  });
});
