import type { IndexedDocument } from '../../../../src/core/indexed-document.js';
import { indexDocument } from '../../../../src/ingest/index-document.js';
import { namesGroups } from '../../../../src/ingest/manifest/written-groups.js';

const RULES = { docTag: undefined, repository: 'docs', metadata: {}, declaredKeys: [] };

/** A page as it is indexed, with the groups that it names. */
async function groupsOf(path: string, text: string): Promise<IndexedDocument> {
  const file = { path, bytes: text.length, mtimeMs: 0 };
  return indexDocument({ file, bytes: Buffer.from(text), rules: RULES, hash: '', trail: [] });
}

const COMMENT = '<!--\nlicence\n-->\n';

describe('writtenGroups', () => {
  it.each([
    ['a.md', '---\nAllow: [hr]\n---\n'],
    ['a.md', '---\ntitle: [a\nallow: [hr]\n---\n'],
    ['a.md', '---\nallow: "*"\nparams:\n  x: 1\n---\n', '*'],
    ['a.md', '---\nparams:\n  allow: [hr]\n---\n'],
    ['a.md', '\n---\nallow: [hr]\n---\n'],
    ['a.md', '+++\nallow = ["hr"]\n+++\n'],
    ['a.md', '{"allow": ["hr"]}\n'],
    ['a.md', 'title: a\nallow: hr\n'],
    ['a.rst', ':allow: hr\n\nTitle\n=====\n'],
    ['a.rst', 'Title\n=====\n\n:Author: me\n:allow: hr\n'],
    ['a.rst', '.. comment\n   of two lines\n\n:allow: hr\n\nTitle\n=====\n'],
    ['a.rst', '.. _label:\n\n=====\nTitle\n=====\n\n:allow: hr\n'],
    ['a.rst', 'Title\n=====\n\nText.\n\n.. meta::\n   :allow: hr\n'],
    ['a.rst', ':allow: hr,\n  legal\n\nTitle\n=====\n', 'hr', 'legal'],
    ['a.txt', ':allow: hr\n'],
    ['a.adoc', '= Title\n:allow: hr\n'],
    ['a.adoc', '////\nlicence\n////\n\n= Title\nMe <me@example.org>\n:page-allow: hr\n'],
    ['a.adoc', '= Title\n\n:allow: hr\n'],
    ['a.html', '<html><head><meta name="allow" content="hr"></head><body>a</body></html>'],
    ['a.html', "<head><meta content='hr' name=Allow /></head>"],
  ])('reads the groups of %s with %j', async (path, text, ...groups) => {
    const { allowed, problems } = await groupsOf(path, `${text}\nText.\n`);
    expect(allowed).toEqual(groups.length > 0 ? groups : ['hr']);
    expect(problems.filter(({ reason }) => reason.includes('allow'))).toEqual([]);
  });

  it.each([
    ['a.md', '---\nallow:\n---\n'],
    ['a.md', '---\nallow: [hr\n---\n'],
    ['a.md', '---\nallow: [hr]\ntitle: a\n\nNo end.\n'],
    ['a.md', '---\nallow: [hr]\nallow: "*"\n---\n'],
    ['a.md', '---\nallow: [hr]\nx: [y\nallow: "*"\n---\n'],
    ['a.md', '---\nAllow: "*"\nallow: [hr]\n---\n'],
    ['a.md', '---\nallow: "*"\nparams:\n  allow: [hr]\n---\n'],
    ['a.md', '+++\nallow = "*"\nallow = ["hr"]\n+++\n'],
    ['a.md', '{"title": "a", "allow": ["hr"\n'],
    ['a.md', '---\n- allow: [hr]\n---\n'],
    ['a.md', `${COMMENT}---\nallow: [hr]\n---\n`],
    ['a.mdx', '{/* licence */}\n---\nallow: [hr]\n---\n'],
    ['a.html', `${COMMENT}---\nallow: [hr]\n---\n<p>a</p>`],
    ['a.md', 'title: a\nallow: hr\nallow: *\n'],
    ['a.md', 'title: a\nallow:\n'],
    ['a.txt', '---\nallow: hr\n---\n'],
    ['a.rst', ':allow:\n\nTitle\n=====\n'],
    ['a.rst', ':allow: hr\n:allow: *\n\nTitle\n=====\n'],
    ['a.adoc', '= Title\n:allow:\n'],
    ['a.adoc', '= Title\n:allow: hr\n:allow: *\n'],
    ['a.adoc', '= Title\n:hr: x\n:allow: {hr}\n'],
    ['a.adoc', '---\nallow: hr\n---\n= Title\n:allow: *\n'],
    ['a.html', '<head><meta name="allow"></head>'],
    ['a.html', '<head><meta name="allow" content="*"><meta name="allow" content="hr"></head>'],
  ])('lets nobody see %s with %j, and says so', async (path, text) => {
    const { allowed, problems } = await groupsOf(path, `${text}\nText.\n`);
    expect(allowed).toEqual([]);
    expect(problems).toContainEqual({ line: 1, reason: expect.stringContaining('`allow`') });
  });

  it.each([
    ['a.md', 'allow: everything\n'],
    ['a.md', '---\ntitle: a\npermissions:\n  allow: [read]\n---\n'],
    ['a.md', '---\ntitle: a\n---\nallow: hr\n'],
    ['a.md', '{% raw %}\n# HTTP\n\nAllow: GET\n{% endraw %}\n'],
    ['a.md', '---\n\nSome text.\n\nAllow: GET\n\n---\n'],
    ['a.md', '---\n\nNote: a page.\n\nMore text.\n\nAllow: GET\n'],
    ['a.md', '```\nallow: hr\n```\n'],
    ['a.txt', 'HTTP/1.1 405\nAllow: GET\n'],
    ['a.rst', 'Title\n=====\n\nA paragraph.\n\n:allow: hr\n'],
    ['a.adoc', '= Title\n\nA paragraph.\n\n:allow: hr\n'],
    ['a.html', '<head><!-- <meta name="allow" content="hr"> --></head><p>a</p>'],
    ['a.html', '<p>a</p><pre>allow: hr</pre><iframe allow="fullscreen"></iframe>'],
  ])('finds none in %s with %j', async (path, text) => {
    expect(await groupsOf(path, `${text}\nText.\n`)).not.toHaveProperty('allowed');
  });
});

describe('namesGroups', () => {
  it.each([
    ['a.md', '---\nallow: hr\n---\n'],
    ['a.rst', ':allow: hr\n'],
    ['a.html', '<meta name="allow" content="hr">'],
  ])('is true for %s with %j', (path, text) => expect(namesGroups(text, path)).toBe(true));

  it.each([
    ['a.md', '---\ntitle: a\n---\nallow: hr\n'],
    ['deny.toml', 'allow = ["MIT"]\n'],
    ['call.http', 'HTTP/1.1 200\nAllow: GET\n'],
  ])('is false for %s with %j', (path, text) => expect(namesGroups(text, path)).toBe(false));
});
