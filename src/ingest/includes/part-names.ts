/** Files and folders that generators do not make pages of, by custom or by rule. */
const PART =
  /(?:^|\/)(?:_(?!index\.)[^/]+|(?:[\w-]{1,60}[-_])?(?:includes?|partials|snippets|fragments|reusables)|modules\/[^/]+\/examples)(?:\/|$)/i;

/** 2 for the name of a file that is more likely a part of pages than a page, 1 for that of a text or table, which can be both, else 0. */
export const partRank = (path: string): number =>
  PART.test(path) ? 2 : Number(/\.(?:te?xt|[ct]sv)$/i.test(path));

/** Folders for templates of Zola, Sphinx, MkDocs, Pelican and others. */
const ENGINE_TEMPLATE =
  /(?:^|\/)(?:_?templates?|_?layouts?|_includes|overrides|themes?)\/(?:.+\/)?[^/]+\.html?$/;

/** True for HTML in a folder for templates, which can also have pages. */
export const isInTemplates = (path: string): boolean => ENGINE_TEMPLATE.test(path);

/** Without an end, code, a script or a comment reaches to the end of the page. */
const HIDDEN = /<!--[^]*?(?:-->|$)|<(pre|code|script|style)\b[^]*?(?:<\/\1\s*>|$)/gi;
const TAG = /<[^<>]*>|\{\{[^{}]*\}\}|\{#[^#]*#\}/g;
const FIRST = /^\s*\{%-?\s{0,20}(?:block|extends|for|from|if|import|include|load|macro|set|with)\s+[^\s%]/;
const ALONE = /^[ \t]*\{%-?[ \t]{0,20}(?:block|extends|import|macro)[ \t]+[^\s%][^%\n]*%\}[ \t]*(?:[<{]|$)/m;

/** True for HTML with statements of Jinja and its kin above its first text, or alone on a line. Others can be examples. */
export function hasStatements(html: string): boolean {
  if (!html.includes('{%') || html.startsWith('---')) return false;
  const shown = html.replace(HIDDEN, '');
  return FIRST.test(shown.replace(TAG, ' ')) || ALONE.test(shown);
}
