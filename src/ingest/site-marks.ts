import type { SiteRules } from './reading/anchors/site-anchors.js';
import { SITE_BESIDE } from './trails/navigation.js';

/** Reads a file in the folder of a mark. @param name  default: the mark itself @returns '' if there is no such file */
type Read = (name?: string) => string;

/** A file or folder by which a generator is known, in a folder at or above the pages. */
export interface Mark {
  readonly name: string;
  /** @param below  path of the page from the folder of the mark @returns null if the page is not part of the site */
  readonly rules: (read: Read, below: string) => SiteRules | null;
}

const isBelow = (folder: string, path: string): boolean =>
  folder === '.' || path.startsWith(`${folder.replace(/^\.?\//, '').replace(/\/+$/, '')}/`);

const DOCS_DIR = /^docs_dir:[ \t]*["']?([^\s"'#]{1,200})/m;
/** The settings of the extension that makes anchors of headings. Others, such as tabs, have a `slugify` of their own. */
const TOC = /^([ \t]*)(?:-[ \t]*)?["']?toc["']?:[^\n]*(?:\n(?:\1[ \t]+[^\n]*|[ \t]*(?=\n)))*/gm;
/** Without a case, `slugify` keeps that of the title. */
const LOWER_SLUGS = /pymdownx\.slugs\.(?:uslugify\b|slugify\b[^]{0,80}?\bcase:\s*["']?(?:lower|fold)\b(?!-))/;
const mkDocs: Mark['rules'] = (read, below) => {
  const settings = read();
  if (!isBelow(DOCS_DIR.exec(settings)?.[1] ?? 'docs', below)) return null;
  const toc = (settings.match(TOC) ?? []).join('\n');
  if (!/\bslugify:/.test(toc)) return 'python-markdown';
  return LOWER_SLUGS.test(toc) ? 'pymdown' : 'declared';
};

const zola: Mark['rules'] = (read, below) =>
  isBelow('content', below) && /^base_url\s*=/m.test(read()) ? 'zola' : null;

/** Hugo reads its settings in any case, in three formats. */
const HUGO_FOLDER = /["']?\b(?:contentDir|source)["']?\s*[:=]\s*["']([^"'\n]{1,200})["']/gi;
const HUGO_IDS = /\bauto(?:Heading)?IDType["']?\s*[:=]\s*["']?([\w-]+)/i;
const HUGO_NO_IDS = /\bauto(?:Heading)?ID["']?\s*[:=]\s*false/i;
const HUGO_HANDLER = /\bdefaultMarkdownHandler["']?\s*[:=]\s*["']?([\w-]+)/i;
const HUGO_KINDS: Readonly<Record<string, SiteRules>> = {
  github: 'hugo',
  'github-ascii': 'hugo-ascii',
  blackfriday: 'hugo-blackfriday',
};
const hugoRules: Mark['rules'] = (read, below) => {
  const settings = ['hugo', 'config', 'markup', 'module']
    .flatMap((name) =>
      ['toml', 'yaml', 'yml', 'json'].map((format) => read(`config/_default/${name}.${format}`)),
    )
    .concat(read())
    .join('\n');
  const folders = ['content', ...Array.from(settings.matchAll(HUGO_FOLDER), ([, folder = '']) => folder)];
  if (!folders.some((folder) => isBelow(folder, below))) return null;
  const handler = HUGO_HANDLER.exec(settings)?.[1]?.toLowerCase() ?? 'goldmark';
  if (HUGO_NO_IDS.test(settings) || handler !== 'goldmark') return 'declared';
  return HUGO_KINDS[HUGO_IDS.exec(settings)?.[1]?.toLowerCase() ?? 'github'] ?? 'declared';
};
/** Other generators have a file of this name too. */
const hugoConfig: Mark['rules'] = (read, below) =>
  /["']?\bbaseURL["']?\s*[:=]/i.test(read()) ? hugoRules(read, below) : null;

const KRAMDOWN = /^kramdown:[ \t]*\n((?:[ \t]+.*\n?|[ \t]*\n)*)/m;
const JEKYLL =
  /^(?:kramdown|markdown|theme|remote_theme|plugins|gems|collections|defaults|baseurl|permalink|exclude):/m;
const HEXO =
  /^(?:(?:source|public|archive|i18n|tag)_dir|new_post_name|post_asset_folder|pretty_urls|render_drafts|skip_render):/m;
const HEXO_FOLDER = /^source_dir:[ \t]*["']?([^\s"'#]{1,200})/m;
/** Other renderers, and anchors in another case. */
const HEXO_ANCHORS = /^markdown:|^[ \t]+(?:modifyAnchors:[ \t]*[1-9]|headerIds:[ \t]*false)/m;
const hexo = (settings: string, below: string): SiteRules | null => {
  if (!isBelow(HEXO_FOLDER.exec(settings)?.[1] ?? 'source', below)) return null;
  return HEXO_ANCHORS.test(settings) ? 'declared' : 'hexo';
};
const jekyll: Mark['rules'] = (read, below) => {
  // Jupyter Book builds its pages with Sphinx.
  if (read('_toc.yml') !== '') return 'sphinx';
  const settings = `${read()}\n`;
  if (HEXO.test(settings)) return hexo(settings, below);
  if (!JEKYLL.test(settings)) return null;
  const markdown = /^markdown:[ \t]*["']?(\w+)/m.exec(settings)?.[1]?.toLowerCase() ?? 'kramdown';
  if (markdown === 'commonmarkghpages' || markdown === 'gfm') return null;
  const own = KRAMDOWN.exec(settings)?.[1] ?? '';
  if (markdown !== 'kramdown' || /auto_ids:[ \t]*false|auto_id_|transliterated/.test(own)) return 'declared';
  const input = /\binput:[ \t]*["']?(\w+)/.exec(own)?.[1]?.toLowerCase() ?? 'gfm';
  return input === 'gfm' ? 'kramdown-gfm' : 'kramdown';
};

const quarto: Mark['rules'] = (read) => (/^\s*from:/m.test(read()) ? 'declared' : 'pandoc');
const mintlify: Mark['rules'] = (read) => (read().includes('mintlify') ? 'mintlify' : null);

const besideSite: Mark['rules'] = (_, below) => (isBelow('docs', below) ? 'docusaurus' : null);

/** The file of a copy of a site with the name of its generator, as its pages tell it. Hidden, so that it is no document. */
export const GENERATOR_MARK = '.site-generator';
const GENERATORS: readonly (readonly [RegExp, SiteRules])[] = [
  [/^(?:vite|vue)press\b/i, 'vitepress'],
  [/^(?:mkdocs|zensical)\b/i, 'python-markdown'],
  [/^docusaurus\b/i, 'docusaurus'],
  [/^hugo\b/i, 'hugo'],
  [/^jekyll\b/i, 'kramdown-gfm'],
  [/^hexo\b/i, 'hexo'],
  [/^mintlify\b/i, 'mintlify'],
  [/^quarto\b/i, 'pandoc'],
];
const copiedSite: Mark['rules'] = (read) => {
  const generator = read();
  return GENERATORS.find(([name]) => name.test(generator))?.[1] ?? null;
};

const VITE_CONFIGS = ['config', 'config/index', 'config/shared'].flatMap((name) =>
  ['ts', 'mts', 'js', 'mjs'].map((ending) => `${name}.${ending}`),
);
/** A site can have a function of its own for anchors. */
const viteSite =
  (folder: string): Mark['rules'] =>
  (read) =>
    VITE_CONFIGS.some((name) => /\bslugify\b/.test(read(`${folder}/${name}`))) ? 'declared' : 'vitepress';

/** Files of Antora with the settings of a whole site. */
export const PLAYBOOKS = ['antora-playbook.yml', 'antora-playbook.yaml', 'playbook.yml', 'site.yml'];

/** Of several marks in a folder, the first one with rules for a page decides. */
export const MARKS: readonly Mark[] = [
  { name: GENERATOR_MARK, rules: copiedSite },
  { name: 'mkdocs.yml', rules: mkDocs },
  { name: 'mkdocs.yaml', rules: mkDocs },
  { name: 'conf.py', rules: () => 'sphinx' },
  { name: 'book.toml', rules: () => 'mdbook' },
  { name: '.vitepress', rules: viteSite('.vitepress') },
  { name: '.vuepress', rules: viteSite('.vuepress') },
  { name: 'zola.toml', rules: zola },
  { name: 'config.toml', rules: zola },
  ...['hugo.toml', 'hugo.yaml', 'hugo.yml', 'hugo.json', 'config/_default'].map((name) => ({
    name,
    rules: hugoRules,
  })),
  ...['config.toml', 'config.yaml', 'config.yml', 'config.json'].map((name) => ({ name, rules: hugoConfig })),
  { name: '_config.yml', rules: jekyll },
  { name: 'rails_guides.rb', rules: () => 'rails-guides' },
  { name: '_quarto.yml', rules: quarto },
  { name: '_bookdown.yml', rules: () => 'pandoc' },
  { name: 'docs.json', rules: mintlify },
  { name: 'mint.json', rules: () => 'mintlify' },
  ...['js', 'ts', 'mjs'].flatMap((ending): Mark[] => [
    { name: `docusaurus.config.${ending}`, rules: () => 'docusaurus' },
    { name: `${SITE_BESIDE}/docusaurus.config.${ending}`, rules: besideSite },
  ]),
];
