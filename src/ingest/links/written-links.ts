import { parseWikiLink } from '../reading/wiki-link.js';

export const WIKI_FORM = '[[…]]';

/** A link in the syntax of a generator, as an ordinary one. */
export interface WrittenLink {
  /** A path, or the name of a page; null if the syntax does not tell. */
  readonly href: string | null;
  /** The syntax, for people. */
  readonly form: string;
  /** The component of Antora that it names. */
  readonly component?: string;
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
/** `xref:uid` of DocFX, `project:page.md` of MyST, and a single letter for a hook of Hugo, which makes links of its own. */
const NAMED = /^(xref:|project:)(.*)$|^([a-z])$/i;
/** `component:module:page.adoc`, with a version in front, as Antora writes them. */
const RESOURCE = /^((?:[\w.-]*@)?(?:[\w.-]*:){1,2}(?!\/\/)[^:]*\.(?:adoc|html)(?:#.*)?)$/i;
/** `partial$page.adoc`: of another kind than a page, of any module. */
const FAMILY =
  /^(?:[\w.-]*@)?(?:[\w.-]*:){0,2}(attachment|example|image|page|partial)\$[^:]*\.(?:adoc|html)(?:#.*)?$/i;

function ofTemplate(mark: string, content: string, rest: string): WrittenLink {
  const [name = ''] = /^[\w.-]*/.exec(content) ?? [];
  const ends: Readonly<Record<string, string>> = { '{{<': '>}}', '{{%': '%}}', '{{': '}}' };
  const isVariable = VARIABLE.test(content) && mark === '{{';
  const form = `${mark} ${isVariable ? 'variable' : name} ${ends[mark] ?? '%}'}`.replace(/ +/g, ' ');
  // Jekyll's `{{ site.baseurl }}{% link page.md %}`.
  if (isVariable) return writtenLink(rest) ?? { href: rest.startsWith('/') ? rest : null, form };
  const page = QUOTED.exec(content)?.[1] ?? NAMING.exec(content)?.[1];
  return { href: page ? page + rest : null, form };
}

/** Reads a link that only a generator understands; null for an ordinary one. */
export function writtenLink(href: string): WrittenLink | null {
  const [, mark, content = '', rest = ''] = TEMPLATE.exec(href) ?? [];
  if (mark !== undefined) return ofTemplate(mark, content.trim(), rest);
  if (ROOT.test(href)) return { href: href.replace(ROOT, ''), form: href.startsWith('@/') ? '@/' : '@site/' };
  const [, scheme, name = '', letter] = NAMED.exec(href) ?? [];
  if (letter !== undefined) return { href: letter, form: `(${letter})` };
  if (scheme !== undefined && name !== '') return { href: name, form: scheme };
  const family = FAMILY.exec(href)?.[1]?.toLowerCase();
  if (family !== undefined) return { ...resourceOf(href), form: `${family}$` };
  if (RESOURCE.test(href)) return { ...resourceOf(href), form: 'component:module:page' };
  return /^(?:\{|<%|\$\{|%[A-Z_]+%)/.test(href) ? { href: null, form: `${href.slice(0, 2)} …` } : null;
}

/** The syntax of a link, if it is not an ordinary one; null for a wiki link that is surely one. */
export function unreadForm(href: string): string | null {
  // Only a link to a label of MyST has no page.
  if (href.startsWith('#')) return '#label';
  if (!href.startsWith('[[')) return writtenLink(href)?.form ?? null;
  return parseWikiLink(href)?.isSure === false ? WIKI_FORM : null;
}

/** A resource of Antora as a path below its component, or below its module if it names none. */
function resourceOf(written: string): { readonly href: string; readonly component?: string } {
  const [resource = '', module, component] = written
    .replace(/^[\w.-]*@/, '')
    .split(':')
    .reverse();
  const [family, page] = resource.includes('$') ? resource.split('$', 2) : ['page', resource];
  const path = `${family}s/${page}`;
  return {
    href: module === undefined ? path : `modules/${module || 'ROOT'}/${path}`,
    ...(component && { component }),
  };
}
