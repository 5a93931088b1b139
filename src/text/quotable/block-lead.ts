/** Kinds of admonitions in the documentation systems. Their names are shown. */
const KINDS = new Set(
  'abstract attention bug caution check danger deprecated error example experimental failure hint important info new note notice question quote seealso success tip todo warning'.split(
    ' ',
  ),
);
/** Tags and shortcodes with an attribute for the kind. */
const NEUTRAL = /^(?:admonition|alert|aside|callout|hint|message|notice|panel|primary|secondary)$/;
/** Tabs, steps and the like: only their title is shown. */
const TITLED = /^(?:accordion\w*|card|collaps\w*|details|expand\w*|linkcard|step|tab|tab-?item)$/;
/** Blocks of PyMdown without a text of their own. */
const PLAIN_SLASHES = /^(?:admonition|block|define|html|latex|[a-z]*-?caption)$/;
/** Names that are also common words of code or of its comments. */
const SLASHES_ONLY_TITLED = /^(?:example|new|question|quote|todo)$/;

const COLONS = /^:{3,}[ \t]*(\{?)\.?(?:callout-)?([A-Za-z][\w.-]{0,60})([^\n]{0,1000})$/;
const BANGS = /^(?:!!!|\?\?\?\+?)[ \t]*([\w-]{1,60})((?:[ \t]+[\w-]{1,60}){0,5})[ \t]*(?:"(.{0,300})")?$/;
/** Words after the kind of an admonition of MkDocs that say how it is laid out. Without a title, others are prose. */
const LAYOUT = /^(?:[ \t]+(?:annotate|inline|end|left|right))*$/;
const EQUALS = /^={3,4}[!+]?[ \t]+"(.{1,300})"$/;
const SLASHES = /^\/{3,}[ \t]*([a-z][a-z-]{0,60})(?:[ \t]*\|[ \t]*(.{1,300}))?$/;
const ALERT = /^\[!([A-Za-z]{1,30})\][+-]?(?:[ \t]+(.{1,1000}))?$/;
const DOCFX = /^\[!(?:div|include|code|video|notebook)\b.{0,2000}\]$/i;
const VUE_TAB = /^@tab(?::active)?[ \t]+(.{1,100})$/;
const SHORTCODE = /^(?:\{\{[<%]|\{%-?)[ \t]*([\w-]{1,60})([^{}]{0,500}?)(?:[>%]\}\}|-?%\})[ \t]*(.{0,4000})$/;
const TAG = /^<([A-Za-z][\w.-]{0,60})((?:\s(?:[^<>]|=>){0,1000})?)\/?>$/;
const SUMMARY = /^(?:<details\b[^<>]{0,300}>[ \t]*)?<summary\b[^<>]{0,300}>(.{1,300})<\/summary>$/i;
const NAMED_TITLE =
  /\b(?:title|label|header|heading|tabName|name)[ \t]*=[ \t]*(?:"([^"]{1,300})"|'([^']{1,300})')/;
const NAMED_KIND = /\b(?:type|style|color|kind|context|variant|level)[ \t]*=[ \t]*["']?([\w-]{1,30})/;
const ATTRIBUTE = /^[\w-]+=["']/;
const FIRST_TEXT = /^[ \t]*"([^"]{1,300})"/;
const SECOND_TEXT = /^[ \t]*"?[\w-]{1,30}"?[ \t]+"([^"]{1,300})"/;
const FIRST_WORD = /^[ \t]*"?([\w-]{1,30})"?/;
/** Icons of Material for MkDocs, HTML within a line, and emphasis, which cannot be nested. */
const DECORATION =
  /(?<![^\s*]):[a-z][\w-]{1,60}:[ \t]*|\*\*|<\/?(?:a|abbr|b|br|code|del|em|font|i|img|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|svg|u|var)(?:\s[^<>]{0,200})?\/?>/g;

const clean = (title: string | undefined): string => (title ?? '').replace(DECORATION, '').trim();

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function kindOf(name: string): string | null {
  const kind = name.toLowerCase();
  return KINDS.has(kind) ? capitalised(kind) : null;
}

/** The line above the text of a block: `**Note: Title**`, `**Note**` or `**Title**`; null for neither. */
function lead(kind: string | null, title: string | undefined): string | null {
  const text = clean(title);
  const isRepeated = text.toLowerCase() === kind?.toLowerCase();
  const shown = kind && text !== '' && !isRepeated ? `${kind}: ${text}` : (kind ?? text);
  return shown === '' ? null : `**${shown}**`;
}

/** Containers of Docusaurus, VitePress, Starlight, MyST and Quarto; `:::moniker` and `:::row:::` of DocFX show nothing. */
function ofColons(name: string, rest: string, isBraced: boolean): string | null {
  const [, bracket] = /^\[([^[\]]{1,300})\]/.exec(rest) ?? [];
  const named = NAMED_TITLE.exec(rest);
  const text = isBraced ? rest.replace(/^[^{}]*\}/, '') : rest;
  const plain = text.replace(/\{[^{}]{0,300}\}?[ \t]*$/, '').replace(/^[}:\s]+|[}:\s]+$/g, '');
  const isText = plain !== '' && !ATTRIBUTE.test(plain);
  const title = bracket ?? named?.[1] ?? named?.[2] ?? (isText ? plain : undefined);
  const kind = kindOf(name);
  if (kind || TITLED.test(name) || bracket !== undefined || title === undefined) return lead(kind, title);
  return named ? lead(null, title) : lead(null, `${capitalised(name)} ${title}`);
}

/** Kind and title of a tag or shortcode; null if it shows nothing. */
function ofTag(name: string, attributes: string, hasPositions: boolean): string | null {
  const [, double, single] = NAMED_TITLE.exec(attributes) ?? [];
  const title = double ?? single;
  const first = hasPositions ? FIRST_TEXT.exec(attributes)?.[1] : undefined;
  const lower = name.toLowerCase();
  if (TITLED.test(lower)) return lead(null, title ?? first);
  if (!NEUTRAL.test(lower)) return KINDS.has(lower) ? lead(kindOf(lower), title ?? first) : null;
  const second = hasPositions ? SECOND_TEXT.exec(attributes)?.[1] : undefined;
  const position = hasPositions && !attributes.includes('=') ? FIRST_WORD.exec(attributes)?.[1] : undefined;
  const kind = kindOf(NAMED_KIND.exec(attributes)?.[1] ?? position ?? '') ?? kindOf(lower) ?? 'Note';
  return lead(kind, title ?? second);
}

function ofShortcode(name: string, attributes: string, rest: string): string | null | undefined {
  const shown = ofTag(name, attributes, true);
  if (rest === '') return shown;
  return shown === null || /[<>%]\}\}|%\}/.test(rest) ? undefined : `${shown} ${rest}`;
}

function ofSlashes(name: string, title: string | undefined): string | null | undefined {
  if (PLAIN_SLASHES.test(name)) return name === 'admonition' ? lead(null, title) : null;
  if (TITLED.test(name)) return lead(null, title);
  if (!KINDS.has(name) || (title === undefined && SLASHES_ONLY_TITLED.test(name))) return undefined;
  return lead(kindOf(name), title);
}

function ofAlert(name: string, text: string | undefined): string | null {
  const kind = kindOf(name) ?? capitalised(name.toLowerCase());
  // A sentence is not a title.
  return /[.?!:]$/.test(text ?? '') ? `**${kind}** ${text}` : lead(kind, text);
}

/**
 * Reads a line that starts an admonition, a tab or another container of a documentation system.
 * @param line  trimmed, outside code, without quotation marks
 * @returns its kind and title as Markdown (`**Note: Title**`); null if it shows nothing; undefined for other lines
 */
export function blockLead(line: string): string | null | undefined {
  switch (line.charAt(0)) {
    case ':': {
      const [, brace, name, rest = ''] = COLONS.exec(line) ?? [];
      return name === undefined ? undefined : ofColons(name, rest, brace === '{');
    }
    case '!':
    case '?': {
      const [, name, words = '', title] = BANGS.exec(line) ?? [];
      if (name === undefined || (title === undefined && !LAYOUT.test(words))) return undefined;
      return lead(kindOf(name) ?? (clean(title) === '' ? capitalised(name) : null), title);
    }
    case '=':
      return EQUALS.test(line) ? lead(null, EQUALS.exec(line)?.[1]) : undefined;
    case '/': {
      const [, name, title] = SLASHES.exec(line) ?? [];
      return name === undefined ? undefined : ofSlashes(name, title);
    }
    case '[': {
      if (DOCFX.test(line)) return null;
      const [, name, text] = ALERT.exec(line) ?? [];
      return name === undefined ? undefined : ofAlert(name, text);
    }
    case '@':
      return VUE_TAB.test(line) ? lead(null, VUE_TAB.exec(line)?.[1]) : undefined;
    case '{': {
      const [, name, attributes = '', rest = ''] = SHORTCODE.exec(line) ?? [];
      return name === undefined ? undefined : ofShortcode(name, attributes, rest);
    }
    case '<': {
      const summary = SUMMARY.exec(line)?.[1];
      if (summary !== undefined) return lead(null, summary);
      const [, name = '', attributes = ''] = TAG.exec(line) ?? [];
      return (/^[A-Z]/.test(name) ? ofTag(name, attributes, false) : null) ?? undefined;
    }
    default:
      return undefined;
  }
}

/** True for a trimmed line that starts an admonition, whose kind can change what the text below it means. */
export function isAdmonition(line: string): boolean {
  const [name = ''] = /[A-Za-z][\w-]*/.exec(line) ?? [];
  // A tab may have such a name as its title.
  if (line.startsWith('=') || /^summary$/i.test(name) || TITLED.test(name.toLowerCase())) return false;
  const [, kind = ''] = /^\*\*(\w+)(?:\*\*|: )/.exec(blockLead(line) ?? '') ?? [];
  return KINDS.has(kind.toLowerCase());
}
