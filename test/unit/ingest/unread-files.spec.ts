import { countUnread, lossesIn } from '../../../src/ingest/unread-files.js';

describe('countUnread', () => {
  it('counts files by extension, ignoring case; convertible formats come first, then the most frequent', () => {
    const paths = ['a.png', 'b/c.PNG', 'x.KEY', 'Makefile', 'a.b/.env', 'y.doc', 'z.doc', 'p.ts'];
    expect(countUnread(paths)).toEqual([
      { extension: '.doc', files: 2, advice: 'save as .docx' },
      { extension: '.key', files: 1, advice: 'export as .pptx' },
      { extension: '', files: 2, advice: null },
      { extension: '.png', files: 2, advice: null },
      { extension: '.ts', files: 1, advice: null },
    ]);
  });

  it('says how to index archives', () => {
    const advice = countUnread(['a.zip', 'b.tgz', 'c.tar.gz']).map((kind) => kind.advice);
    expect(advice).toHaveLength(3);
    for (const each of advice) expect(each).toContain('pith add FILE');
  });

  it('says how to index the XML export of Confluence', () => {
    expect(countUnread(['a/entities.xml', 'a/exportDescriptor.xml'])).toEqual([
      {
        extension: '.xml',
        files: 2,
        advice: 'an XML export of Confluence is not read: export the space as HTML',
      },
    ]);
    expect(countUnread(['my-entities.xml'])[0]?.advice).toBeNull();
  });

  it('returns at most a hundred extensions', () => {
    expect(countUnread(Array.from({ length: 150 }, (_, i) => `a.x${i}`))).toHaveLength(100);
  });
});

describe('lossesIn', () => {
  it('finds the files of one source, with their paths in it', () => {
    const skip = (path: string) => ({ kind: 'skipped' as const, path, reason: 'damaged', isProblem: true });
    const skipped = [skip('hb'), skip('hb/sub/a.docx'), skip('hbx/b.docx')];
    const unread = ['hb/c.xml', 'c.xml', 'hbx/d.xml'];
    expect(lossesIn('hb/', { skipped, unread })).toEqual({
      name: 'hb',
      skipped: [skip('.'), skip('sub/a.docx')],
      unread: [{ extension: '.xml', files: 1, advice: null }],
    });
  });
});
