/** Keys of front matter with other names or addresses of a page: Obsidian and Logseq, Docusaurus, Jekyll, Hugo, DocFX. */
const KEYS = ['aliases', 'alias', 'slug', 'permalink', 'url', 'redirect_from', 'uid'];
const MAX_NAMES = 50;
const MAX_NAME_CHARS = 300;

/** The other names of a page in its front matter, as written. */
export function pageNames(frontMatter: unknown): readonly string[] {
  if (typeof frontMatter !== 'object' || frontMatter === null) return [];
  const values = new Map<string, unknown>(Object.entries(frontMatter));
  const names = KEYS.flatMap((key) => {
    const value = values.get(key);
    if (typeof value === 'string') return key.startsWith('alias') ? value.split(',') : [value];
    return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
  });
  const plain = names.map((name) => name.trim().replace(/^\[\[|\]\]$/g, ''));
  return plain.filter((name) => name !== '' && name.length <= MAX_NAME_CHARS).slice(0, MAX_NAMES);
}
