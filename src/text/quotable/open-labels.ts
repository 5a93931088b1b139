/** An open tab, admonition or other container. */
interface Container {
  /** Empty without a title. */
  readonly title: string;
  /** Its closing mark: `:::`, `///`, the name of a tag or shortcode; `indent` if it ends with its indentation. */
  readonly closedBy: string;
  readonly indent: number;
}

const MAX_TITLE_CHARS = 200;
/** Longer lines are text. */
const MAX_LINE_CHARS = 1_000;
/** Admonitions and tabs of MkDocs, whose text is indented. */
const INDENTED = /^(?:(?:!!!|\?\?\?\+?)[^"]{0,100}|={3,4}[!+]?[ \t]+)"([^"]{1,300})"/;
/** Blocks of PyMdown: `/// note | Title`. */
const SLASHES = /^\/{3,}[ \t]*[\w-]+(?:[ \t]*\|[ \t]*(.+))?$/;
/** Containers of Docusaurus and VitePress: `:::note[Title]`, `::: tip Title`. */
const COLONS = /^:{3,}[ \t]*\{?[\w-]+\}?(?:\[([^[\]]{1,300})\]|[ \t]+([^{\s].*))?(?:[ \t]*\{.*\})?$/;
const SHORTCODE = /^\{\{[<%][ \t]*(\/?)[ \t]*([\w/-]+)([^}]{0,500})\}\}$/;
const TAG = /^<(\/?)([A-Za-z][\w.-]{0,60})((?:\s[^<>]{0,500})?)>$/;
const NAMED_TITLE = /\b(?:title|label|header|name|text)[ \t]*=[ \t]*(?:"([^"]{1,300})"|'([^']{1,300})')/;
const FIRST_TEXT = /^[ \t]*"([^"]{1,300})"/;
const CLOSING = /\{\{[<%][ \t]*\/[ \t]*([\w/-]+)|<\/([A-Za-z][\w.-]*)>/g;
/** Shortcodes and tags of which a title labels the text between them. */
const LABELLING =
  /^(?:admonition|alert|callout|card|caution|collaps\w*|details|example|expand|important|info|note|step|tab|tabitem|tip|warning)$/i;

const clean = (title: string | undefined): string => (title ?? '').trim().slice(0, MAX_TITLE_CHARS);

/**
 * Follows the titles of tabs and admonitions through the lines of a text. The lines themselves are syntax, but their
 * titles say what the text in them is about.
 */
export class OpenLabels {
  private readonly open: Container[] = [];
  private readonly closed: ReadonlySet<string>;

  constructor(text: string) {
    this.closed = new Set(Array.from(text.matchAll(CLOSING), ([, code, tag]) => code ?? tag ?? ''));
  }

  /** The titles of the open containers, outermost first; undefined without titles. */
  get titles(): string | undefined {
    const titles = this.open.flatMap(({ title }) => (title === '' ? [] : [title]));
    return titles.length > 0 ? titles.join('\n') : undefined;
  }

  /** Reads the next line outside code. */
  read(line: string): void {
    const bare = line.trim();
    if (bare === '' || bare.length > MAX_LINE_CHARS) return;
    const indent = line.length - line.trimStart().length;
    while (this.open.at(-1)?.closedBy === 'indent' && (this.open.at(-1)?.indent ?? 0) >= indent)
      this.open.pop();
    if (/^\/{3,}$/.test(bare)) this.close('///');
    else if (/^:{3,}$/.test(bare)) this.close(':::');
    else this.start(bare, indent);
  }

  private start(bare: string, indent: number): void {
    const push = (title: string | undefined, closedBy: string): void => {
      this.open.push({ title: clean(title), closedBy, indent });
    };
    const indented = INDENTED.exec(bare);
    const slashes = SLASHES.exec(bare);
    const colons = COLONS.exec(bare);
    if (indented) push(indented[1], 'indent');
    else if (slashes) push(slashes[1], '///');
    else if (colons) push(colons[1] ?? colons[2], ':::');
    else this.tag(bare, push);
  }

  private tag(bare: string, push: (title: string | undefined, closedBy: string) => void): void {
    const shortcode = SHORTCODE.exec(bare);
    const [, slash, name = '', attributes = ''] = shortcode ?? TAG.exec(bare) ?? [];
    if (slash === '/') this.close(name);
    else if (LABELLING.test(name) && this.closed.has(name)) {
      const [, double, single] = NAMED_TITLE.exec(attributes) ?? [];
      push(double ?? single ?? (shortcode ? FIRST_TEXT.exec(attributes)?.[1] : undefined), name);
    }
  }

  /** Closes the innermost container with this mark, and those in it. */
  private close(mark: string): void {
    const at = this.open.findLastIndex(({ closedBy }) => closedBy === mark);
    if (at >= 0) this.open.length = at;
  }
}
