import { pathFor } from '../../../../src/sources/site/copy-writer.js';
import {
  folderAt,
  isPagePath,
  isSameSite,
  pageAddress,
  pageKey,
  pageStem,
} from '../../../../src/sources/site/page-address.js';

const url = (text: string): URL => new URL(text, 'https://a.example');

describe('isSameSite', () => {
  it.each([
    ['https://a.example/', 'https://a.example/x', true],
    ['http://a.example/', 'https://a.example/', true],
    ['https://a.example/', 'https://www.a.example/', true],
    ['http://www.a.example/', 'https://a.example/', true],
    ['https://a.example/', 'http://a.example/', false],
    ['https://a.example/', 'https://b.a.example/', false],
    ['https://a.example/', 'https://a.example:8443/', false],
    ['https://a.example/', 'https://a.example.evil.example/', false],
    ['https://a.example/', 'ftp://a.example/', false],
  ])('from %s to %s: %s', (from, to, expected) => {
    expect(isSameSite(new URL(from), new URL(to))).toBe(expected);
  });
});

describe('folderAt', () => {
  it.each([
    ['/', '/'],
    ['/docs/', '/docs/'],
    ['/docs', '/docs/'],
    ['/docs/index.html', '/docs/'],
    ['/docs/v1.2', '/docs/v1.2/'],
  ])('%s is in %s', (path, folder) => {
    expect(folderAt(url(path)).path).toBe(folder);
  });
});

describe('pageAddress', () => {
  const folder = { origin: 'https://a.example', path: '/docs/' };

  it.each([
    ['/docs/a?x=1#y', 'https://a.example/docs/a'],
    ['b/c', 'https://a.example/docs/b/c'],
    ['../docs/d', 'https://a.example/docs/d'],
    ['/docs', 'https://a.example/docs'],
    ['http://www.a.example/docs/e', 'https://a.example/docs/e'],
    ['../blog/', null],
    ['/documents/', null],
    ['/docs/../x', null],
    ['https://b.example/docs/', null],
    ['https://u:p@a.example/docs/', null],
    ['https://a.example:444/docs/', null],
    ['mailto:a@a.example', null],
    ['https://[', null],
    [`/docs/${'x'.repeat(3_000)}`, null],
  ])('of %.60s is %s', (link, expected) => {
    expect(pageAddress(link, url('/docs/'), folder)?.href ?? null).toBe(expected);
  });
});

describe('pageKey', () => {
  it.each([
    ['/a/', '/a'],
    ['/a/index.html', '/a'],
    ['/a/INDEX.HTM', '/a'],
    ['/', ''],
    ['/a//b', '/a/b'],
    ['/a%20b', '/a b'],
    ['/%E0%A4%A', '/%E0%A4%A'],
  ])('of %s is %j', (path, key) => {
    expect(pageKey(url(path))).toBe(key);
  });
});

describe('pageStem', () => {
  it.each(['/a', '/a/', '/a.html', '/a.md', '/a.html.md', '/a/index.html', '/a/index.md'])(
    'of %s is /a',
    (path) => {
      expect(pageStem(url(path))).toBe('/a');
    },
  );
});

describe('isPagePath', () => {
  it.each([
    '/',
    '/a',
    '/a.html',
    '/a.php',
    '/a.md',
    '/v1.2',
    '/api/System.Text',
    '/genindex/a.html',
    '/a.docx',
    '/openapi.yaml',
    '/a.json',
  ])('is true for %s', (path) => {
    expect(isPagePath(path)).toBe(true);
  });

  it.each([
    ...['/a.png', '/a.JS', '/a.woff2', '/a.zip', '/a.xml', '/_sources/a.rst.txt'],
    ...['/en/_modules/harbour/crane.html', '/_modules/harbour/crane/', '/_modules/'],
    ...['/en/genindex.html', '/genindex/', '/genindex-A.html', '/py-modindex.html', '/modindex/'],
  ])('is false for %s', (path) => {
    expect(isPagePath(path)).toBe(false);
  });
});

describe('pathFor', () => {
  it.each([
    ['/', 'html', 'index.html'],
    ['/a', 'html', 'a.html'],
    ['/a/', 'html', 'a/index.html'],
    ['/a.htm', 'html', 'a.htm'],
    ['/a.php', 'html', 'a.php.html'],
    ['/a.html', 'md', 'a.md'],
    ['/a/b.md', 'md', 'a/b.md'],
    ['/a//b', 'html', 'a/b.html'],
    ['/Gr%C3%B6%C3%9Fe/%E6%97%A5', 'html', 'Größe/日.html'],
    ['/a b', 'html', 'a_b.html'],
    ['/guide.html/x', 'html', 'guide.html_/x.html'],
  ])('%s as %s is %s', (path, extension, expected) => {
    expect(pathFor(url(path), extension)).toBe(expected);
  });
});
