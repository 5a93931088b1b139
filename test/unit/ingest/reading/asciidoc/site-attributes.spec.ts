import { readAsciidoc } from '../../../../../src/ingest/reading/asciidoc/read-asciidoc.js';

const SOURCE =
  '= Boats\n\nSee <<Moor the boat>> at {url-docks}.\n\n== Moor the boat\n\nRope.\n\n[#berth]\n== Berth\n\nRope.\n';

const read = async (attributes: Readonly<Record<string, string | null>>) => {
  const { blocks, anchors } = await readAsciidoc(SOURCE, attributes);
  const own = blocks.flatMap((block) => (block.kind === 'heading' ? [block.anchor] : []));
  return { own, anchors, text: blocks.flatMap((block) => ('text' in block ? [block.text] : []))[0] };
};

describe('readAsciidoc with the attributes of a site', () => {
  it('makes its ids, and shows its values', async () => {
    const { own, text } = await read({ idprefix: '', idseparator: '-', 'url-docks': 'https://example.org' });
    expect(own.slice(1)).toEqual(['moor-the-boat', 'berth']);
    expect(text).toBe('See [Moor the boat](#moor-the-boat) at [https://example.org](https://example.org).');
  });

  it('gives headings no id where the start of ids is not known, but links find them', async () => {
    const { own, anchors, text } = await read({ idprefix: null });
    expect(own.slice(1)).toEqual(['', 'berth']);
    expect(anchors.map(({ name }) => name)).toContain('moor_the_boat');
    expect(text).toContain('[Moor the boat](#moor_the_boat)');
  });

  it('gives the title of a page of Antora no id, since its site shows none; links find it', async () => {
    const { blocks, anchors } = await readAsciidoc('[[boats]]\n= Boats\n\nRope.\n', { idprefix: '' });
    expect(blocks[0]).toMatchObject({ title: 'Boats', anchor: '' });
    expect(anchors.map(({ name }) => name)).toContain('boats');
    expect((await readAsciidoc('[[boats]]\n= Boats\n')).blocks[0]).toMatchObject({ anchor: 'boats' });
  });

  it('keeps what Pith sets itself', async () => {
    const { own } = await read({ toc: '', sectnums: '', showtitle: null });
    expect(own).toHaveLength(3);
  });
});
