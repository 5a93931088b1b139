import { posix } from 'node:path';
import { splitFrontMatter } from '../reading/front-matter/split-front-matter.js';
import { codeFence } from './expand-includes.js';
import { fileAt, foldersUp, type IncludePlace, joined } from './inclusion.js';

/** `import Part from './_part.mdx'`, and the text of a file as Docusaurus' loader imports it. */
const IMPORT =
  /^import[ \t]+(\w{1,100})[ \t]+from[ \t]+(["'])(?:(!*raw-loader!)([^"'\n]{1,500})|([^"'\n]{1,500}\.mdx?))\2;?[ \t]*$/gm;
/** A tag without content on lines of its own. */
const TAG = /^([ \t]{0,100})<([A-Z]\w{0,99})((?:\s[^<>]{0,2000}?)?)\s*\/>[ \t]*$/gm;
const CODE =
  /^([ \t]{0,100})<CodeBlock\b([^<>]{0,500})>\s*\{(\w{1,100})(?:\.trim\(\))?\}\s*<\/CodeBlock>[ \t]*$/gm;
const ATTRIBUTE = /([\w-]{1,60})=(?:"([^"]*)"|'([^']*)'|\{(?:"([^"]*)"|'([^']*)'|(\d+))\})/g;
const MDX_FENCE = /^[ \t]*(`{3,20}|~{3,20})mdx-code-block[ \t]*$/;
const FENCE = /^[ \t]*(`{3,20}|~{3,20})/;
const CONFIGS = ['docusaurus.config.js', 'docusaurus.config.ts', 'docusaurus.config.mjs'];

/** An part file, and where it is part. */
interface Import {
  readonly target: string;
  readonly isCode: boolean;
  readonly line: number;
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;

const NOTHING: ReadonlyMap<string, Import> = new Map();

/** The text without the fences around MDX that other readers of Markdown don't see; Docusaurus removes them. */
function withoutMdxFences(text: string): string {
  if (!text.includes('mdx-code-block')) return text;
  const fences: string[] = [];
  const lines = text.split('\n').map((line) => {
    const opened = MDX_FENCE.exec(line)?.[1];
    const isEnd = line.trim() !== '' && line.trim() === fences.at(-1);
    if (opened !== undefined) fences.push(opened);
    if (isEnd) fences.pop();
    return opened !== undefined || isEnd ? '' : line;
  });
  return lines.join('\n');
}

/** Changes what stands outside of blocks of code, and what stands in them. */
function changed(
  text: string,
  ofProse: (prose: string) => string,
  ofCode = (code: string): string => code,
): string {
  const stretches: { readonly isCode: boolean; readonly lines: string[] }[] = [];
  let fence = '';
  for (const line of text.split('\n')) {
    const marks = FENCE.exec(line)?.[1] ?? '';
    const isCode = fence !== '';
    if (!isCode) fence = marks;
    else if (marks.startsWith(fence)) fence = '';
    const last = stretches.at(-1);
    if (last?.isCode === isCode) last.lines.push(line);
    else stretches.push({ isCode, lines: [line] });
  }
  return stretches.map(({ isCode, lines }) => (isCode ? ofCode : ofProse)(lines.join('\n'))).join('\n');
}

function readImports(text: string): ReadonlyMap<string, Import> {
  if (text.search(IMPORT) < 0) return NOTHING;
  const prose = changed(
    text,
    (text) => text,
    (code) => code.replace(/.+/g, ''),
  );
  return new Map(
    Array.from(prose.matchAll(IMPORT), ({ 1: name = '', 3: loader, 4: file, 5: page = '', index }) => [
      name,
      { target: file ?? page, isCode: loader !== undefined, line: lineAt(prose, index) },
    ]),
  );
}

/**
 * The paths of a part file: beside its importer, from the folder of the site (`@site/`), from the root (`/`), or from the sources, by
 * the usual aliases of bundlers (`@/`, `~/`).
 */
function pathsFor(target: string, place: IncludePlace): readonly string[] {
  if (target.startsWith('.')) return [joined(posix.dirname(fileAt(place)), target)];
  const folders = foldersUp(place.page);
  if (/^[@~]\//.test(target))
    return folders.flatMap((folder) => [
      joined(folder, `src/${target.slice(2)}`),
      joined(folder, target.slice(2)),
    ]);
  const [, path] = /^(?:@site\/|\/)(.+)$/.exec(target) ?? [];
  if (path === undefined) return [];
  const site = folders.find((folder) =>
    CONFIGS.some((name) => place.inclusion.files.has(joined(folder, name))),
  );
  if (site !== undefined) return [joined(site, path)];
  // Without the folder of the site, its folder of pages may be the one that is indexed.
  return [path, path.replace(/^[^/]+\//, '')].flatMap((one) => folders.map((folder) => joined(folder, one)));
}

function readAttributes(written: string): ReadonlyMap<string, string> {
  return new Map(
    Array.from(written.matchAll(ATTRIBUTE), ([, name = '', ...values]) => [
      name,
      values.find((value) => value !== undefined) ?? '',
    ]),
  );
}

const withMargin = (text: string, margin: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '' : margin + line))
    .join('\n');

/** Puts the pages and the code into a page of Docusaurus or Mintlify that it imports and shows. Other tags stay. */
export function expandPartials(source: string, place: IncludePlace): string {
  const text = withoutMdxFences(source);
  const imports = readImports(text);
  if (imports.size === 0) return text;
  const open = (name: string, isCode: boolean) => {
    const part = imports.get(name);
    if (part?.isCode !== isCode) return null;
    const paths = pathsFor(part.target, place);
    return place.inclusion.open({ paths, what: part.target, line: part.line }, place, (lines) => lines);
  };
  const putPage = (written: string, ...[margin = '', name = '', attributes = '']: string[]): string => {
    const found = open(name, false);
    if (!found) return written;
    const { body } = splitFrontMatter(found.lines.join('\n'));
    const given = readAttributes(attributes);
    const filled = expandPartials(body, found.place)
      .replace(IMPORT, '')
      .replace(/\{props\.(\w{1,60})\}/g, (written, prop: string) => given.get(prop) ?? written);
    return `\n${withMargin(filled.trim(), margin)}\n`;
  };
  const putCode = (written: string, ...[margin = '', attributes = '', name = '']: string[]): string => {
    const found = open(name, true);
    if (!found) return written;
    const language = readAttributes(attributes).get('language') ?? posix.extname(found.path).slice(1);
    return withMargin(codeFence(`a.${language}`, found.lines).join('\n'), margin);
  };
  const pages = changed(text, (prose) => prose.replace(TAG, putPage));
  return changed(pages, (prose) => prose.replace(CODE, putCode));
}
