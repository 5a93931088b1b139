import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Node, Parser } from '@vscode/tree-sitter-wasm';
import { decodeSource } from '../../reading/decode-source.js';
import { codeBlock } from '../../reading/markdown-spans.js';
import { MalformedDocumentError } from '../../reading/parsed-document.js';
import { CODE_GRAMMARS, type ConvertedText, type Converter } from '../converted-text.js';
import { CODE_LANGUAGES, type CodeLanguage, type CodePlace } from './code-languages.js';
import { docstring, plainDocumentation, taggedDocumentation, uncomment } from './documentation.js';

/** Levels of classes and modules in each other; further ones are left out. */
const MAX_DEPTH = 20;
/** Characters of a signature; the rest is left out. */
const MAX_SIGNATURE_CHARS = 4_000;

/** Comments that keep a declaration out of the documentation. */
const HIDDEN = /@(?:private|internal|hidden|ignore|api private)\b/;

/** Converts a file of code: a section for each declaration that is documented or public. @throws MalformedDocumentError */
export const codeConverter =
  (extension: string): Converter =>
  async (bytes, path) => {
    const language = CODE_LANGUAGES.get(extension);
    if (!language) throw new MalformedDocumentError(0, `no grammar for .${extension}`);
    const source = decodeSource(bytes);
    const grammar = grammars.get(language.grammar) ?? loadGrammar(language.grammar);
    grammars.set(language.grammar, grammar);
    const { parser } = await grammar;
    const tree = parser.parse(source);
    try {
      return tree ? new CodeFile(language, source).convert(tree.rootNode, path) : nothing;
    } finally {
      tree?.delete();
    }
  };

/** Loading one takes as long as many files, and it is never freed. */
const grammars = new Map<string, Promise<{ readonly parser: Parser }>>();

async function loadGrammar(grammar: string): Promise<{ readonly parser: Parser }> {
  const library = await import('@vscode/tree-sitter-wasm');
  await library.Parser.init();
  const folder = dirname(createRequire(__filename).resolve(CODE_GRAMMARS));
  const parser = new library.Parser();
  parser.setLanguage(await library.Language.load(join(folder, `tree-sitter-${grammar}.wasm`)));
  return { parser };
}

const nothing: ConvertedText = { format: 'md', text: '', leftOut: [] };

/** A wrapper of declarations, such as an export, with its comment. */
interface Outer {
  readonly node: Node;
  readonly doc: string;
}

/** A declaration where it was found. */
interface Found {
  readonly place: CodePlace;
  readonly doc: string;
  readonly kind: string;
  readonly depth: number;
  readonly outer: Node | undefined;
}

class CodeFile {
  private readonly sections: string[] = [];
  private about = '';

  constructor(
    private readonly language: CodeLanguage,
    private readonly source: string,
  ) {}

  convert(root: Node, path: string): ConvertedText {
    const first = root.firstNamedChild;
    if (this.language.name === 'python') this.about = docstringIn(root);
    else if (first && /comment$/.test(first.type)) this.about = this.fileComment(root);
    const place = { owner: '', around: root.type, isShown: true, isExported: false };
    this.walk(root, place, { depth: 0 });
    const parts = [this.about, ...this.sections].filter((part) => part !== '');
    const leftOut = root.hasError ? ['its syntax has errors, so declarations can be missing'] : [];
    return parts.length === 0
      ? { ...nothing, leftOut }
      : { ...nothing, leftOut, text: [`# \`${path.replace(/[`\n]/g, ' ')}\``, ...parts].join('\n\n') };
  }

  /** `//!` of Rust, and the comment of JavaScript that says it is about the file. */
  private fileComment(root: Node): string {
    const comments: string[] = [];
    for (const node of root.namedChildren) {
      if (!node || !/comment$/.test(node.type)) break;
      comments.push(node.text.trimEnd());
    }
    if (this.language.name === 'rust')
      return plainDocumentation(
        comments
          .filter((text) => /^\/[/*]!/.test(text))
          .map(uncomment)
          .join('\n'),
      );
    const [first = ''] = comments;
    const isAbout = /^\/\*\*[^]*@(?:module|file|fileoverview|packageDocumentation)\b/.test(first);
    return isAbout ? this.prose(first) : '';
  }

  private walk(parent: Node, place: CodePlace, { depth, outer }: { depth: number; outer?: Outer }): void {
    if (depth > MAX_DEPTH) return;
    let comments: Node[] = [];
    let inherited = outer?.doc ?? '';
    for (const node of parent.namedChildren) {
      if (!node) continue;
      if (/comment$/.test(node.type)) {
        comments.push(node);
        continue;
      }
      if (node.type === 'attribute_item') continue;
      // In a part with errors, whole declarations can stand where they can't be otherwise.
      const kind = node.type === 'ERROR' ? 'inside' : this.language.kinds.get(node.type);
      const comment = kind ? this.commentBefore(node, comments) : '';
      comments = [];
      if (!kind) continue;
      const isBoth = this.language.name === 'go' && comment !== '' && inherited !== '';
      const doc = isBoth ? `${inherited}\n//\n${comment}` : comment || inherited;
      inherited = '';
      if (kind === 'inside') this.walk(node, place, { depth: depth + 1 });
      else if (kind === 'module') this.about ||= this.prose(doc);
      else if (kind === 'outer') {
        const isExported = place.isExported || node.type === 'export_statement';
        this.walk(
          node,
          { ...place, isExported },
          { depth: depth + 1, outer: { node: outer?.node ?? node, doc } },
        );
      } else this.declare(node, { place, doc, kind, depth, outer: outer?.node });
    }
  }

  private declare(node: Node, found: Found): void {
    const { language } = this;
    const { kind, doc, outer, place } = found;
    const name = findName(node);
    if (name === '' || (/script|tsx/.test(language.grammar) && HIDDEN.test(doc))) return;
    const isPublic = language.isPublic(node, name, place);
    const full = (place.owner === '' ? qualifier(node) : `${place.owner}.`) + name;
    const prose = language.name === 'python' ? readDocstring(node, outer) : this.prose(doc);
    const isShown = prose !== '' || (isPublic && !isAside(node, found));
    if (isShown && node.type !== 'impl_item') {
      const code = codeBlock(this.signature(node, found).slice(0, MAX_SIGNATURE_CHARS), language.name);
      const heading = `## \`${full}\` {#L${node.startPosition.row + 1}}`;
      this.sections.push([heading, code, prose].filter(Boolean).join('\n\n'));
    }
    const body = node.childForFieldName('body');
    if (!body || (kind !== 'class' && kind !== 'type')) return;
    const around = node.type === 'trait_item' ? node.type : body.type;
    const within = isPublic || node.type === 'impl_item';
    this.walk(body, { owner: full, around, isShown: within, isExported: false }, { depth: found.depth + 1 });
  }

  /** The text of a declaration, of functions and classes without the body. */
  private signature(node: Node, { kind, outer }: Found): string {
    const keyword = groupKeyword(outer);
    const start = keyword === '' ? (outer ?? node).startIndex : node.startIndex;
    const value = node.type === 'assignment_expression' ? 'right' : kind === 'value' ? 'value' : null;
    const owner = value === null ? node : node.childForFieldName(value);
    const body = kind === 'type' || kind === 'whole' ? null : owner?.childForFieldName('body');
    const text = this.source.slice(start, body?.startIndex ?? node.endIndex);
    return keyword + text.replace(/(?:=>|[{:;])?\s*$/, '').trimEnd();
  }

  /** The documentation comment before a declaration, with its marks; '' without one. */
  private commentBefore(node: Node, comments: readonly Node[]): string {
    const { name } = this.language;
    const texts = comments.map((comment) => comment.text.trimEnd());
    if (name === 'rust') return texts.filter((text) => /^\/(?:\/\/(?!\/)|\*\*(?!\*))/.test(text)).join('\n');
    if (name === 'go') return goComment(node, comments);
    const last = texts.at(-1) ?? '';
    if (/^\/\*\*(?!\/)/.test(last)) return last;
    return name === 'java' ? texts.filter((text) => text.startsWith('///')).join('\n') : '';
  }

  private prose(comment: string): string {
    const { name } = this.language;
    if (name === 'rust')
      return plainDocumentation(
        comment
          .split(/\n(?=\/)/)
          .map(uncomment)
          .join('\n'),
      );
    if (name === 'go')
      return plainDocumentation(uncomment(comment.replace(/^\/\/(?:go:|nolint).*\n?/gm, '')));
    return taggedDocumentation(uncomment(comment), name === 'java');
  }
}

/** The comments that end on the line before a declaration, without a line between them. */
function goComment(node: Node, comments: readonly Node[]): string {
  const taken: string[] = [];
  let row = node.startPosition.row;
  for (const comment of comments.toReversed()) {
    if (comment.endPosition.row < row - 1) break;
    row = comment.startPosition.row;
    taken.unshift(comment.text);
  }
  return taken.join('\n');
}

/** The word of a group of Go, `const (…)`, with a space; '' for other wrappers. */
function groupKeyword(outer: Node | undefined): string {
  const isGroup = /^(?:const|var|type)_declaration$/.test(outer?.type ?? '') && outer?.child(1)?.text === '(';
  return isGroup ? `${outer?.child(0)?.text ?? ''} ` : '';
}

/** True for a declaration that counts only if it is documented: others show it, or list many of its kind. */
const isAside = (node: Node, { kind, outer, place }: Found): boolean =>
  kind === 'member' ||
  (kind === 'value' && groupKeyword(outer) !== '') ||
  (place.around === 'interface_body' && node.type.endsWith('_signature')) ||
  /^(?:mod_item|module|internal_module)$/.test(node.type);

function findName(node: Node): string {
  const named = ['name', 'property', 'left', 'declarator', 'type'].map((field) =>
    node.childForFieldName(field),
  );
  const found = named.find((one) => one !== null);
  if (!found) return '';
  if (found.type === 'variable_declarator') return findName(found);
  const name = found.text
    .slice(0, 500)
    .replace(/^(?:module\.)?exports\.?|\.prototype(?=\.)|<[^]*$|^["']|["']$/g, '')
    .replace(/[`\s{][^]*$/, '');
  // The only export of a module of CommonJS.
  const value = node.childForFieldName('right');
  return name === '' && value ? findName(value) || 'module.exports' : name;
}

/** The type of a method of Go, with a dot. */
function qualifier(node: Node): string {
  const receiver = node.childForFieldName('receiver');
  const [, type] = /(\w+)(?:\[[^\]]*\])?\s*,?\s*\)$/.exec(receiver?.text ?? '') ?? [];
  return type === undefined ? '' : `${type}.`;
}

/** The text of a string that is a statement. */
function statementText(node: Node | null | undefined): string {
  const string = node?.type === 'expression_statement' ? node.firstNamedChild : node;
  if (string?.type !== 'string') return '';
  const content = string.namedChildren.filter((part) => part?.type === 'string_content');
  return docstring(content.map((part) => part?.text ?? '').join(''));
}

function docstringIn(block: Node): string {
  return statementText(block.namedChildren.find((node) => node?.type !== 'comment'));
}

/** The string in a body, or after an assignment. */
function readDocstring(node: Node, outer: Node | undefined): string {
  const body = node.childForFieldName('body');
  if (body) return docstringIn(body);
  return statementText((outer ?? node).nextNamedSibling);
}
