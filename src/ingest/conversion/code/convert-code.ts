import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Node } from '@vscode/tree-sitter-wasm';
import { decodeSource } from '../../reading/decode-source.js';
import { MalformedDocumentError } from '../../reading/parsed-document.js';
import type { ConvertedText, Converter } from '../converted-text.js';
import { CODE_GRAMMARS } from '../formats.js';
import { CODE_LANGUAGES, type CodeLanguage, type Place } from './code-languages.js';
import { docstring, fenced, plainDocumentation, taggedDocumentation, uncomment } from './documentation.js';

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
    const { Parser, Language } = await import('@vscode/tree-sitter-wasm');
    await Parser.init();
    const folder = dirname(createRequire(__filename).resolve(CODE_GRAMMARS));
    const parser = new Parser();
    parser.setLanguage(await Language.load(join(folder, `tree-sitter-${language.grammar}.wasm`)));
    const tree = parser.parse(source);
    try {
      return tree ? new CodeFile(language, source).convert(tree.rootNode, path) : nothing;
    } finally {
      tree?.delete();
      parser.delete();
    }
  };

const nothing: ConvertedText = { format: 'md', text: '', leftOut: [] };

/** A wrapper of declarations, such as an export, with its comment. */
interface Outer {
  readonly node: Node;
  readonly doc: string;
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
    return parts.length === 0 ? nothing : { ...nothing, text: [`# ${path}`, ...parts].join('\n\n') };
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

  private walk(parent: Node, place: Place, { depth, outer }: { depth: number; outer?: Outer }): void {
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
      const kind = this.language.kinds.get(node.type);
      const own = kind ? this.commentBefore(node, comments) : '';
      comments = [];
      if (!kind) continue;
      const doc = own || inherited;
      inherited = '';
      if (kind === 'module') this.about ||= this.prose(doc);
      else if (kind === 'outer') {
        const isExported = place.isExported || node.type === 'export_statement';
        this.walk(
          node,
          { ...place, isExported },
          { depth: depth + 1, outer: { node: outer?.node ?? node, doc } },
        );
      } else this.declare(node, { ...place, doc, kind, depth, outer: outer?.node });
    }
  }

  private declare(
    node: Node,
    {
      doc,
      kind,
      depth,
      outer,
      ...place
    }: Place & { doc: string; kind: string; depth: number; outer: Node | undefined },
  ): void {
    const { language } = this;
    const name = nameOf(node);
    if (name === '' || (language.grammar !== 'java' && HIDDEN.test(doc))) return;
    const body = node.childForFieldName('body');
    const isPublic = language.isPublic(node, name, place);
    const full = place.owner === '' ? name : `${place.owner}.${qualifier(node)}${name}`;
    const titled = place.owner === '' ? `${qualifier(node)}${name}` : full;
    const prose = language.name === 'python' ? docstringOf(node, outer) : this.prose(doc);
    const isGroup =
      outer !== undefined &&
      /^(?:const|var|type)_declaration$/.test(outer.type) &&
      outer.child(1)?.text === '(';
    const isValue = kind === 'value' || kind === 'member';
    const isShown = prose !== '' || (isPublic && kind !== 'member' && !(isValue && isGroup));
    if (isShown && node.type !== 'impl_item') {
      const start = isGroup || !outer ? node.startIndex : outer.startIndex;
      const end = body && (kind === 'function' || kind === 'class') ? body.startIndex : node.endIndex;
      const valueBody = kind === 'value' ? node.childForFieldName('value')?.childForFieldName('body') : null;
      const keyword = isGroup ? `${outer.child(0)?.text ?? ''} ` : '';
      const signature =
        keyword + this.source.slice(start, valueBody?.startIndex ?? end).replace(/\s*[{:]?\s*$/, '');
      const code = fenced(signature.slice(0, MAX_SIGNATURE_CHARS), language.name);
      this.sections.push(
        [`## \`${titled}\` {#L${node.startPosition.row + 1}}`, code, prose].filter(Boolean).join('\n\n'),
      );
    }
    if (!body || (kind !== 'class' && kind !== 'type')) return;
    const isTrait = node.type === 'trait_item';
    this.walk(
      body,
      {
        owner: full,
        around: isTrait ? node.type : body.type,
        isShown: isPublic || node.type === 'impl_item',
        isExported: false,
      },
      { depth: depth + 1 },
    );
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

function nameOf(node: Node): string {
  const named = ['name', 'property', 'left', 'declarator', 'type'].map((field) =>
    node.childForFieldName(field),
  );
  const found = named.find((one) => one !== null);
  if (!found) return '';
  if (found.type === 'variable_declarator') return nameOf(found);
  return found.text
    .slice(0, 500)
    .replace(/^(?:module\.)?exports\.?|\.prototype(?=\.)|<[^]*$|^["']|["']$/g, '')
    .replace(/[`\s{][^]*$/, '');
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
function docstringOf(node: Node, outer: Node | undefined): string {
  const body = node.childForFieldName('body');
  if (body) return docstringIn(body);
  return statementText((outer ?? node).nextNamedSibling);
}
