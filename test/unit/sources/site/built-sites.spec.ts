import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readerFor } from '../../../../src/ingest/reading/readers.js';
import { fetchTestSite, removeCopies, startSite, type TestSite } from '../../../support/site-server.js';

let site: TestSite;

afterEach(async () => {
  removeCopies();
  await site.close();
});

/** A page in the style of MkDocs with the theme Material. */
const material = (
  id: string,
  title: string,
): string => `<!doctype html><html lang="en"><head><title>${title} - Manual</title>
  <meta name="generator" content="mkdocs-1.6.1"><link rel="canonical" href="/guide/${id}/"></head>
  <body><a href="#${id}" class="md-skip">Skip to content</a>
  <header class="md-header"><nav aria-label="Header"><a href="/">Manual</a></nav></header>
  <div class="md-container"><nav class="md-tabs"><a href="/guide/one/">One tab</a></nav>
  <main class="md-main"><div class="md-sidebar"><nav class="md-nav"><ul><li><a href="/guide/one/">One</a></li><li><a href="/guide/two/">Two</a></li></ul></nav></div>
  <div class="md-sidebar md-sidebar--secondary"><nav class="md-nav md-nav--secondary"><ul><li><a href="#set-the-limit">Set the limit</a></li></ul></nav></div>
  <div class="md-content"><article class="md-content__inner"><h1 id="${id}">${title}<a class="headerlink" href="#${id}" title="Permanent link">&para;</a></h1>
  <h2 id="set-the-limit">Set the limit<a class="headerlink" href="#set-the-limit">&para;</a></h2><p>The limit of ${title} is 300 records.</p></article></div></main>
  <footer class="md-footer"><nav class="md-footer__inner"><a href="/guide/two/">Next</a></nav></footer></div></body></html>`;

/** A page in the style of Sphinx with the theme Alabaster. */
const alabaster = (
  id: string,
  title: string,
): string => `<!DOCTYPE html><html><head><title>${title} &#8212; Manual documentation</title>
  <link rel="index" href="genindex.html"></head><body><div class="document"><div class="documentwrapper"><div class="bodywrapper"><div class="body" role="main">
  <section id="${id}"><h1>${title}<a class="headerlink" href="#${id}">¶</a></h1><section id="set-the-limit"><span id="limit"></span><h2>Set the limit<a class="headerlink" href="#set-the-limit">¶</a></h2>
  <p>The limit of ${title} is 300 records.</p></section></section></div></div></div>
  <div class="sphinxsidebar" role="navigation"><ul><li><a href="one.html">One</a></li><li><a href="two.html">Two</a></li></ul>
  <ul class="this-page-menu"><li><a href="_sources/${id}.rst.txt" rel="nofollow">Show Source</a></li></ul></div></div>
  <div class="footer">Powered by <a href="https://www.sphinx-doc.org/">Sphinx</a></div></body></html>`;

/** The words of a page, and the anchors of its headings. */
async function readPage(
  folder: string,
  path: string,
): Promise<{ words: string; anchors: (string | null)[] }> {
  const read = await readerFor(path);
  const page = await read?.(readFileSync(join(folder, path), 'utf8'));
  const blocks = page?.blocks ?? [];
  return {
    words: blocks.map((block) => (block.kind === 'heading' ? block.title : block.text)).join(' | '),
    anchors: blocks.flatMap((block) => (block.kind === 'heading' ? [block.anchor] : [])),
  };
}

describe('sites that programs build', () => {
  it.each([
    ['MkDocs', material, '/guide/one/', '/guide/two/', 'guide/two/index.html'],
    ['Sphinx', alabaster, '/one.html', '/two.html', 'two.html'],
  ])('are read without navigation and with their own anchors: %s', async (_name, page, one, two, path) => {
    const home = one.replace(/one.*/, '');
    site = await startSite({
      [home]: page('one', 'Home'),
      [one]: page('one', 'Topic one'),
      [two]: page('two', 'Topic two'),
    });
    const copy = await fetchTestSite(site, { path: home });
    expect(copy.pages[path]).toBe(two);
    expect(await readPage(copy.folder, path)).toEqual({
      words: 'Topic two | Set the limit | The limit of Topic two is 300 records.',
      anchors: ['two', 'set-the-limit'],
    });
    expect(site.asked.filter((asked) => asked.includes('_sources'))).toEqual([]);
  });
});
