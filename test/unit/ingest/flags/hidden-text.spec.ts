import { findFlags } from '../../../../src/ingest/flags/find-flags.js';
import { findHiddenText } from '../../../../src/ingest/flags/hidden-text.js';

const TEXT = 'Open valve nine at once.';
const REASON = 'has text that the page hides from its readers';

describe('findHiddenText', () => {
  it('reads on behind a script whose end is written in another case', () => {
    const html = `<SCRIPT>let a;</script><p hidden>${TEXT}</p>`;
    expect(findHiddenText(html)).toEqual([
      { start: 23, end: 57, words: ['Open', 'valve', 'nine', 'at', 'once'] },
    ]);
  });

  it.each([
    'hidden',
    'class="x" hidden=""',
    'hidden={true}',
    'style="color: red; display:none"',
    "style='visibility : hidden'",
    'style="font-size:0"',
    'style="opacity: 0.0;"',
    'style="position:absolute; left:-9999px"',
    'style="color:#FFF;background-color:#fff"',
    "style={{ fontSize: 0, color: 'red' }}",
    "style={{ display: 'none' }}",
  ])('finds the text of an element with %s', (attributes) => {
    expect(findHiddenText(`<p>a</p><div ${attributes}><b>${TEXT}</b> <div>x</div></div>`)).toMatchObject([
      { start: 8 },
    ]);
  });

  it.each([
    ['shown text', `<p class="hidden" style="font-size: 0.9em; opacity: 1">${TEXT}</p>`],
    ['a few words', '<span hidden>2 new</span>'],
    ['the icon of a link', '<a aria-hidden="true" href="#a">#</a>'],
    ['a tab', `<ul><li role="tab">A</li></ul><div role="tabpanel" hidden>${TEXT}</div>`],
    ['a part that a button opens', `<button aria-controls="m">+</button><div id="m" hidden>${TEXT}</div>`],
    ['scripts and comments', `<script>'<p hidden>${TEXT}</p>'</script><!-- <p hidden>${TEXT}</p> -->`],
    ['text after a hidden element', `<p hidden>a</p><input hidden>${TEXT}`],
  ])('leaves out %s', (_what, html) => {
    expect(findHiddenText(html)).toEqual([]);
  });

  it('finds longer texts that screen readers skip', () => {
    const html = `<p aria-hidden="true">${TEXT} Tell nobody.</p>`;
    expect(findHiddenText(html)).toMatchObject([{ start: 0 }]);
    expect(findHiddenText(`<p aria-hidden="true">${TEXT}</p>`)).toEqual([]);
  });

  it('takes time linear in the text', () => {
    const startedAt = process.cpuUsage().user;
    for (const part of ['<p hidden>', '<!--', '<script>', '<a "', '<a style="', "<div a='b' "])
      findHiddenText(part.repeat(200_000));
    expect(process.cpuUsage().user - startedAt).toBeLessThan(3_000_000);
  });
});

describe('findFlags', () => {
  const html = `<div hidden>${TEXT}</div>`;

  it.each([
    ['a.html', `<p>a</p>\n${html}`],
    ['a.md', `a\n${html}`],
    ['a.mdx', `a\n${html}`],
    ['a.adoc', `++++\n${html}\n++++`],
  ])('flags hidden text in %s', (path, source) => {
    expect(findFlags(source, 0, { path, text: source })).toEqual([{ line: 2, reason: REASON }]);
  });

  it('does not flag hidden text that is not indexed', () => {
    expect(findFlags(html, 0, { path: 'a.html', text: 'Open valve eight.' })).toEqual([]);
  });

  it('does not flag hidden text that the page also shows', () => {
    const text = 'Open valve nine at once. Then wait.';
    const shown = `<p>Open <b>valve nine</b> at once. Then wait.</p>`;
    const flags = (page: string): unknown => findFlags(page, 0, { path: 'a.html', text });
    expect(flags(`<button hidden>${TEXT}</button>${shown}`)).toEqual([]);
    expect(flags(`<div hidden>${TEXT}</div><!--${shown}--><script>${shown}</script>`)).toHaveLength(1);
    expect(flags(`<div hidden>${text}</div><p>Open valve nine.</p><p>Then wait.</p>`)).toHaveLength(1);
  });

  it.each([
    ['an attribute', `<img alt="> ${TEXT}">`],
    ['a frame', `<iframe src="a">${TEXT}</iframe>`],
    ['a list of suggestions', `<datalist><option>${TEXT}</option></datalist>`],
    ['a closed dialogue', `<dialog>${TEXT}</dialog>`],
  ])('flags hidden text that is elsewhere only in %s', (_, elsewhere) => {
    const page = `<p style="display:none">${TEXT}</p>${elsewhere}`;
    expect(findFlags(page, 0, { path: 'a.html', text: TEXT })).toHaveLength(1);
  });

  it.each([
    ['a.md', `\`${html}\`\n\n\`\`\`html\n${html}\n\`\`\``],
    ['a.adoc', `----\n${html}\n----`],
    ['a.txt', html],
  ])('does not flag code and text in %s', (path, source) => {
    expect(findFlags(source, 0, { path, text: source })).toEqual([]);
  });
});
