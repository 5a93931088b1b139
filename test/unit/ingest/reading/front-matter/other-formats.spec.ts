import { indexDocument } from '../../../../../src/ingest/index-document.js';

const read = async (path: string, text: string) => {
  const bytes = Buffer.from(text);
  const file = { kind: 'file', path, absolute: `/${path}`, bytes: bytes.length, mtimeMs: 0 } as const;
  const rules = { docTag: undefined, repository: 'repo', metadata: {}, declaredKeys: ['owner'] };
  const { facts, sections } = await indexDocument({ file, bytes, rules, hash: 'h' });
  return [
    facts.title,
    facts.updatedAt.slice(0, 10),
    facts.metadata['owner'],
    ...sections.map((own) => own.text),
  ];
};

describe('what the top of a file says about it', () => {
  it.each([
    ['a.html', '---\ntitle: Sails\ndate: 2024-05-06\nowner: ops\n---\n<p>Set them.</p>'],
    ['b.html', '+++\ntitle = "Sails"\ndate = 2024-05-06\nowner = "ops"\n+++\n<p>Set them.</p>'],
    ['c.mdx', '+++\ntitle = "Sails"\ndate = 2024-05-06\nowner = "ops"\n+++\n\nSet them.'],
    ['d.md', '{ "title": "Sails", "date": "2024-05-06", "owner": "ops" }\n\nSet them.'],
    ['e.adoc', '= Sails\nA. Author <a@example.org>\nv1.2, 2024-05-06\n:page-owner: ops\n:toc:\n\nSet them.'],
    ['f.adoc', ':revdate: 2024-05-06\n:owner: ops\n= Sails\n\nSet them.'],
    ['g.rst', ':date: 2024-05-06\n:owner: ops\n:orphan:\n\nSails\n=====\n\nSet them.'],
    ['h.rst', 'Sails\n=====\n\n.. meta::\n   :date: 2024-05-06\n   :owner: ops\n\nSet them.'],
  ])('is read in %s, and is no text', async (path, text) => {
    expect(await read(path, text)).toEqual(['Sails', '2024-05-06', 'ops', 'Set them.']);
  });
});
