import { blockLead } from './block-lead.js';

/** The first character of each of the patterns below, which are slow to try on every line. */
const MARKUP_START = /^[-*_=<{[!?/:@ie]/i;
/** Lines that are only syntax of a documentation system. Each pattern matches a whole trimmed line. */
const MARKUP_LINES: readonly RegExp[] = [
  // Rules, and comments.
  /^(?:[-*_=][ \t]*){3,}$/,
  /^<!--.*-->$/,
  /^\{\/\*.*\*\/\}$/,
  // Admonitions, tabs and containers of GitHub, MkDocs, PyMdown, Docusaurus, VitePress, MyST and Angular.
  /^\[!(?:[A-Za-z]+|div\b[^\]]*)\]$/,
  /^(?:!!!|\?\?\?\+?)[ \t]*(?:[a-z][\w-]{0,60}[ \t]+)?["']/,
  /^={3,4}[!+]?[ \t]+"/,
  /^\/{3,}(?:[ \t]|$)/,
  /^:{3,}/,
  /^@(?:tab\b|@\w|include\b)/,
  // Templates: Liquid and Jinja, Hugo, mkdocs-macros, attributes of kramdown and Pandoc.
  /^\{%[^%]{0,500}%\}$/,
  /^\{\{[<%#][^}]{0,500}\}\}$/,
  /^\{[#*:][^{}]{0,500}\}$/,
  /^\{\.[\w-][^{}]{0,200}\}$/,
  // Includes: MkDocs snippets, VitePress, DocFX, Hotdoc.
  /^-{1,}8<-{1,}/,
  /^<<<[ \t]*[@./]/,
  /^\{\{[ \t]*[\w./-]{1,200}\.(?:html?|inc|md|txt)[ \t]*\}\}$/,
  /^\[!(?:include|code)(?:-[\w#+-]{1,40})?[ \t]*\[[^\]]{0,300}\]\([^()]{0,1000}\)\]$/i,
  // Images, with or without a link.
  /^\[?!\[[^[\]]{0,500}\]\([^()]{0,2000}\)(?:\]\([^()]{0,2000}\))?$/,
  // Tables of contents, and module code of MDX.
  /^\[(?:TOC|\[_?TOC_?\])\]$/i,
  /^import\s(?:[^'"]{1,300}\sfrom\s{1,10})?['"][^'"]{1,300}['"];?$/,
  /^export\s{1,10}(?:const|let|var)\s{1,10}(?:[\w$]{1,60}\s{0,10}[=:]|[{[])/,
  /^export\s{1,10}(?=(?:default|async|function|class)\b)(?:(?:default|async|function|class)\b\*?\s{0,10}){0,3}(?:[\w$]{1,60}\s{0,10})?(?:extends\s{1,10}[\w$.]{1,60}\s{0,10})?(?:[({;=<[]|$)/,
];

const DESTINATION = String.raw`(?:<[^<>]{0,2000}>|\{\{[<%][^}]{0,2000}\}\}|[^\s<]\S{0,4000}|(?:https?:|[/#.]).{0,4000})`;
const LINK_TITLE = String.raw`(?:"[^"]{0,500}"|'[^']{0,500}'|\([^()]{0,500}\))`;
/** A footnote (`[^1]: …`) is text, not a link. */
const LINK_DEFINITION = new RegExp(
  String.raw`^\[(?!\^)(?:[^[\]\\]|\\.){1,300}\]:[ \t]*${DESTINATION}(?:[ \t]{1,20}${LINK_TITLE})?$`,
);

/** Includes that documentation systems also resolve in code. */
const INCLUDE_IN_CODE = /^(?:-{1,}8<-{1,}|<<<[ \t]*[@./]|\{\{#\w+[ \t][^{}]{0,500}\}\}$)/;
/** A closing bracket, tag or comment mark; `>` alone may be a prompt. */
const CLOSING = /^(?:[)\]}]|<\/[\w.:-]{0,100}>|\/>|>$|\*\/|-->)/;

/** True for a trimmed line of prose that is only syntax: an admonition mark, a template tag, an include or a link definition. */
export function isMarkupLine(line: string): boolean {
  return (
    MARKUP_START.test(line) &&
    (MARKUP_LINES.some((pattern) => pattern.test(line)) ||
      LINK_DEFINITION.test(line) ||
      (/^[!?]/.test(line) && blockLead(line) !== undefined))
  );
}

/** True for a link definition in two trimmed lines, the label and the destination. */
export function isSplitDefinition(label: string, destination: string): boolean {
  return label.startsWith('[') && label.endsWith(']:') && LINK_DEFINITION.test(`${label} ${destination}`);
}

/** True for a trimmed line in a fence that stands for the content of a file. */
export function isIncludeLine(line: string): boolean {
  return INCLUDE_IN_CODE.test(line);
}

/** True for a trimmed line of code that starts with a closing mark, so that it belongs to the lines above it. */
export function isClosingLine(line: string): boolean {
  return CLOSING.test(line);
}
