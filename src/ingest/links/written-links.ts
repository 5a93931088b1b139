import { parseWikiLink } from '../reading/wiki-link.js';

export const WIKI_FORM = '[[…]]';

/** A link in the syntax of a generator, as an ordinary one. */
export interface WrittenLink {
  /** A path, or the name of a page; null if the syntax does not tell. */
  readonly href: string | null;
  /** The syntax, for people. */
  readonly form: string;
}

/** `{{< ref "page" >}}`, `{% link page.md %}`, `{{ site.baseurl }}`, and what follows them. */
const TEMPLATE = /^(\{\{[<%]|\{\{|\{%-?)([^{}]*?)(?:[%>]\}\}|\}\}|-?%\})(.*)$/;
/** A text, after one of these tags or before filters: `{{ '/page' | relative_url }}`. */
const QUOTED = /^(?:(?:(?:rel)?ref|link|post_url|(?:rel|abs)url)\s+)?["'`]([^"'`]*)["'`]/i;
/** Tags of Hugo and Jekyll with the page as it is. */
const NAMING = /^(?:(?:rel)?ref|link|post_url)\s+([^\s"'`]+)/;
/** A variable with the address of the site. */
const VARIABLE = /^[$\w.-]+$/;
const ROOT = /^@(?:site)?(?=\/)/;
/** `component:module:page.adoc`, with a version in front, as Antora writes them. */
const RESOURCE = /^xref:(.*)$|^((?:[\w.-]*@)?(?:[\w.-]*:){1,2}(?!\/\/)[^:]*\.(?:adoc|html)(?:#.*)?)$/i;

function ofTemplate(mark: string, content: string, rest: string): WrittenLink {
  const [name = ''] = /^[\w.-]*/.exec(content) ?? [];
  const ends: Readonly<Record<string, string>> = { '{{<': '>}}', '{{%': '%}}', '{{': '}}' };
  const isVariable = VARIABLE.test(content) && mark === '{{';
  const form = `${mark} ${isVariable ? 'variable' : name} ${ends[mark] ?? '%}'}`.replace(/ +/g, ' ');
  if (isVariable) return { href: rest.startsWith('/') ? rest : null, form };
  const page = QUOTED.exec(content)?.[1] ?? NAMING.exec(content)?.[1];
  return { href: page ? page + rest : null, form };
}

/** Reads a link that only a generator understands; null for an ordinary one. */
export function writtenLink(href: string): WrittenLink | null {
  const [, mark, content = '', rest = ''] = TEMPLATE.exec(href) ?? [];
  if (mark !== undefined) return ofTemplate(mark, content.trim(), rest);
  if (ROOT.test(href)) return { href: href.replace(ROOT, ''), form: href.startsWith('@/') ? '@/' : '@site/' };
  const [, named, page] = RESOURCE.exec(href) ?? [];
  if (named ?? page)
    return { href: resourcePath(named ?? page ?? ''), form: named ? 'xref:' : 'component:module:page' };
  return /^(?:\{|<%|\$\{|%[A-Z_]+%)/.test(href) ? { href: null, form: `${href.slice(0, 2)} …` } : null;
}

/** The syntax of a link, if it is not an ordinary one; null for a wiki link that is surely one. */
export function unreadForm(href: string): string | null {
  if (!href.startsWith('[[')) return writtenLink(href)?.form ?? null;
  return parseWikiLink(href)?.isSure === false ? WIKI_FORM : null;
}

/** A resource of Antora as a path below its component; other names as they are. */
function resourcePath(written: string): string {
  const parts = written.replace(/^[\w.-]*@/, '').split(':');
  if (parts.length < 2) return written;
  const [page = '', module = ''] = parts.reverse();
  return `modules/${module || 'ROOT'}/pages/${page}`;
}
