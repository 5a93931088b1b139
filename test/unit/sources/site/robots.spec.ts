import { parseRobots } from '../../../../src/sources/site/robots.js';

const allows = (text: string, path: string): boolean => parseRobots(text, 'pith').allows(path);

describe('parseRobots', () => {
  it.each([
    ['', '/a', true],
    ['User-agent: *\nDisallow:', '/a', true],
    ['User-agent: *\nDisallow: /', '/a', false],
    ['User-agent: *\nDisallow: /a', '/abc', false],
    ['User-agent: *\nDisallow: /a/', '/a', true],
    ['User-agent: *\nDisallow: /a\nAllow: /a/b', '/a/b/c', true],
    ['User-agent: *\nAllow: /a/b\nDisallow: /a', '/a/c', false],
    ['User-agent: *\nDisallow: /a\nAllow: /a', '/a', true],
    ['User-agent: *\nDisallow: /*.pdf', '/x/y.pdf', false],
    ['User-agent: *\nDisallow: /*.pdf$', '/x/y.pdf.html', true],
    ['User-agent: *\nDisallow: /*.pdf$', '/x/y.pdf', false],
    ['User-agent: *\nDisallow: /a*b*c$', '/a-b-b-c', false],
    ['User-agent: *\nDisallow: /a*b$', '/ab', false],
    ['User-agent: *\nDisallow: /ab*b$', '/ab', true],
    ['User-agent: *\nDisallow: /a$', '/a', false],
    ['User-agent: *\nDisallow: /a$', '/ab', true],
    ['User-agent: *\nDisallow: /%7Ejoe/', '/~joe/x', false],
    ['User-agent: *\nDisallow: /größe', '/gr%C3%B6%C3%9Fe', false],
    ['User-agent: *\nDisallow: /A', '/a', true],
    ['user-agent: PITH/2.0\ndisallow: /a', '/a', false],
    ['User-agent: other\nDisallow: /', '/a', true],
    ['User-agent: *\nDisallow: /\n\nUser-agent: Pith\nDisallow: /b', '/a', true],
    [
      'User-agent: Pith\nDisallow: /b\nUser-agent: x\nDisallow: /c\nUser-agent: pith\nDisallow: /a',
      '/a',
      false,
    ],
    ['User-agent: x\nUser-agent: pith\n# remark\n\nDisallow: /a # remark', '/a', false],
    ['User-agent: x\nSitemap: /s.xml\nUser-agent: pith\nDisallow: /a', '/a', false],
    ['Disallow: /a', '/a', true],
    ['\uFEFFUser-agent: *\r\nDisallow: /a\r\n', '/a', false],
    ['<!doctype html><p>User-agent: *</p>', '/a', true],
  ])('%j: %s', (text, path, expected) => {
    expect(allows(text, path)).toBe(expected);
  });

  it('reads the delay of the groups that apply, and all sitemaps', () => {
    const text =
      'User-agent: *\nCrawl-delay: 9\n\nUser-agent: pith\nCrawl-delay: 1.5\n\nSitemap: https://a.example/1.xml\nsitemap:/2.xml';
    expect(parseRobots(text, 'pith')).toMatchObject({
      crawlDelayMs: 1_500,
      sitemaps: ['https://a.example/1.xml', '/2.xml'],
    });
  });

  it.each(['-5', 'x', ''])('ignores the delay "%s"', (delay) => {
    expect(parseRobots(`User-agent: *\nCrawl-delay: ${delay}`, 'pith').crawlDelayMs).toBe(0);
  });
});
