import { strToU8, unzipSync, zipSync } from 'fflate';
import { convertEpub } from '../../../../src/ingest/conversion/convert-epub.js';
import { indexDocument } from '../../../../src/ingest/index-document.js';
import { convertFixture, zip } from '../../../support/convert-fixture.js';
import { bigArchive } from '../../../support/hostile-archives.js';

describe('a handbook, as LibreOffice and pandoc write it', () => {
  const FEES = [
    '| Length (m) | Fee per day | Deposit |',
    '| --- | --- | --- |',
    '| up to 50 | 120 EUR | 40 EUR |',
    '| 51 to 100 | 260 EUR | 90 EUR |',
    '| over 100 | 610 EUR | 200 EUR |',
  ].join('\n');

  it.each(['handbook.docx', 'handbook.odt', 'handbook.epub'])(
    '%s keeps headings, table and code',
    async (name) => {
      const { title, lines, leftOut } = await convertFixture(name);
      expect(title).toBe('Harbour handbook');
      expect(lines.filter((line) => line.startsWith('#')).slice(-4)).toEqual([
        '# Berths',
        '## Booking a berth',
        '### Fees',
        '# Storms',
      ]);
      expect(lines).toContain(FEES);
      const code = lines.find((line) => line.startsWith('```')) ?? '';
      expect(code.split('\n').slice(1, -1)).toEqual([
        'harbour book --berth 7 \\',
        '  --days 3',
        'harbour list',
      ]);
      expect(leftOut).toEqual([]);
    },
  );

  it.each(['handbook.docx', 'handbook.odt', 'handbook.epub'])(
    '%s numbers steps and nests points',
    async (name) => {
      const { lines } = await convertFixture(name);
      const steps = lines.join('\n');
      expect(steps).toMatch(/^1\. Call the harbour office on channel 12\.$/m);
      expect(steps).toMatch(/^ {3}- Ships over 150 metres need a pilot\.$/m);
      expect(steps).toMatch(/^3\. Wait for the confirmation\.$/m);
    },
  );

  it.each(['handbook.docx', 'handbook.odt', 'handbook.epub'])(
    '%s keeps links and footnotes',
    async (name) => {
      const text = (await convertFixture(name)).lines.join('\n');
      expect(text).toContain('[the rules](https://example.org/rules#cranes)');
      expect(text).toContain('Measured at low water in March 2024.');
    },
  );
});

describe('presentations', () => {
  it.each(['training.pptx', 'training.odp'])(
    '%s has a section a slide, with notes and tables',
    async (name) => {
      const { title, lines } = await convertFixture(name);
      expect(title).toBe('Crane training');
      expect(lines.filter((line) => line.startsWith('##'))).toEqual([
        '## Crane training',
        '## Before you lift',
        '## Limits',
      ]);
      const text = lines.join('\n');
      expect(text).toMatch(/^- Check the hook\n+ {2}- Look for cracks\n {2}- Test the latch/m);
      expect(text).toContain('Remind them that the rope is changed every 400 hours.');
      expect(lines).toContain('| Crane | Load |\n| --- | --- |\n| North | 40 t |\n| South | 12 t |');
    },
  );

  it('names a slide without text', async () => {
    const slide = '<p:sld xmlns:p="p"><p:cSld/></p:sld>';
    const relation = '<Relationship Id="rId1" Type="x/slide" Target="slides/slide1.xml"/>';
    const { lines, leftOut } = await convertFixture(
      'empty.pptx',
      zip({
        'ppt/presentation.xml':
          '<p:presentation xmlns:p="p"><p:sldId id="256" r:id="rId1"/></p:presentation>',
        'ppt/_rels/presentation.xml.rels': `<Relationships>${relation}</Relationships>`,
        'ppt/slides/slide1.xml': slide,
      }),
    );
    expect(lines).toEqual(['## Slide 1']);
    expect(leftOut).toEqual(['1 of 1 slides have no text']);
  });
});

describe('damaged and hostile files', () => {
  it.each(['a.docx', 'a.pptx', 'a.xlsx', 'a.odt', 'a.epub'])(
    '%s that is no archive is refused',
    async (name) => {
      await expect(convertFixture(name, strToU8('not a zip'))).rejects.toThrow(
        'it is damaged: not a ZIP archive',
      );
      await expect(convertFixture(name, zip({ 'a.txt': 'a' }))).rejects.toThrow('it is damaged');
    },
  );

  it('says what to do with a file that has a password', async () => {
    const compound = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0]);
    await expect(convertFixture('a.docx', compound)).rejects.toThrow('save it without a password');
  });

  it('refuses an archive that unpacks to more than the limit', async () => {
    const big = bigArchive('content.xml', 201_000_000);
    await expect(convertFixture('a.odt', big)).rejects.toThrow('unpacks to more than 200000000 bytes');
  });

  it('expands no entities, and refuses deep nesting', async () => {
    const entity =
      '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><office><body><text><p>&b;</p></text></body></office>';
    await expect(convertFixture('a.odt', zip({ 'content.xml': entity }))).rejects.toThrow(
      'its XML is damaged',
    );
    const deep = '<a>'.repeat(400) + '</a>'.repeat(400);
    await expect(convertFixture('a.odt', zip({ 'content.xml': deep }))).rejects.toThrow('nested too deeply');
  });
});

const RELATED = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** A document of Word with one paragraph. */
const docx = (content: string, styles = ''): Uint8Array =>
  zip({
    ...(styles !== '' && {
      'word/styles.xml': `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${styles}</w:styles>`,
    }),
    '[Content_Types].xml': '<Types><Default Extension="xml" ContentType="application/xml"/></Types>',
    '_rels/.rels': `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${RELATED}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/_rels/document.xml.rels': `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId2" Type="${RELATED}/image" Target="media/crane.png"/><Relationship Id="rId3" Type="${RELATED}/styles" Target="styles.xml"/></Relationships>`,
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" xmlns:r="${RELATED}" xmlns:m="m"><w:body><w:p><w:r><w:t>Load: </w:t></w:r>${content}</w:p></w:body></w:document>`,
  });

describe('text of Word', () => {
  // ISO/IEC 29500-1, 17.17.2.1: a place where another document is imported.
  it('names documents that are embedded in it', async () => {
    const document = docx('</w:p><w:altChunk r:id="rId2"/><w:p><w:r><w:t>40 t</w:t></w:r>');
    const { lines, leftOut } = await convertFixture('a.docx', document);
    expect(lines).toEqual(['Load:', '40 t']);
    expect(leftOut).toEqual(['1 embedded documents are left out']);
  });

  it('is whole without the looks and the ids of its edits', async () => {
    const looks = '<w:rPr><w:rFonts w:ascii="Moor" w:hAnsi="Moor"/><w:b/><w:bCs/><w:sz w:val="22"/></w:rPr>';
    const run = `<w:r w:rsidR="0049779E">${looks}<w:lastRenderedPageBreak/><w:t>two &lt;w:sz/&gt; w:rsidR="00"</w:t></w:r>`;
    const { lines } = await convertFixture('a.docx', docx(run));
    expect(lines.join('').replaceAll('\\', '')).toBe('Load: **two <w:sz/> w:rsidR="00"**');
  });
});

describe('headings', () => {
  it('of Word may have styles of their own, and stand once where there is a table of contents', async () => {
    const style = (id: string, name: string, properties: string): string =>
      `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${properties}</w:style>`;
    const styles =
      style('H', 'heading 2', '') +
      style('Chapter', 'Chapter', '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>') +
      style('Part', 'Part', '<w:basedOn w:val="H"/>') +
      style('Body', 'Body', '<w:basedOn w:val="H"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr>') +
      style('TOC1', 'toc 1', '');
    const paragraph = (id: string, text: string): string =>
      `</w:p><w:p><w:pPr><w:pStyle w:val="${id}"/></w:pPr><w:r><w:t>${text}</w:t></w:r>`;
    const text = [
      ['TOC1', 'Moor'],
      ['Chapter', 'Moor'],
      ['Part', 'Lines'],
      ['Body', 'Two.'],
      ['Chapter', 'The owner pays. The guest sleeps.'],
    ] as const;
    const { lines } = await convertFixture(
      'a.docx',
      docx(text.map(([id, written]) => paragraph(id, written)).join(''), styles),
    );
    expect(lines).toEqual(['Load:', '# Moor', '## Lines', 'Two.', 'The owner pays. The guest sleeps.']);
  });

  it('of OpenDocument stand once where there is a table of contents', async () => {
    const contents =
      '<text:table-of-content><text:index-body><text:p>Moor 1</text:p></text:index-body></text:table-of-content>';
    const { lines } = await convertFixture(
      'a.odt',
      zip({
        'content.xml': `<office:document-content><office:body><office:text>${contents}<text:h text:outline-level="1">Moor</text:h><text:p>Two.</text:p></office:text></office:body></office:document-content>`,
      }),
    );
    expect(lines).toEqual(['# Moor', 'Two.']);
  });
});

describe('pictures of Word', () => {
  it.each([
    ['descr="A crane lifts &lt;two&gt; tons"', 'Load: ![A crane lifts <two> tons]()'],
    ['', 'Load:'],
  ])('with the attributes %j are their description', async (attributes, line) => {
    const blip =
      '<a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="rId2"/></pic:blipFill></pic:pic></a:graphicData></a:graphic>';
    const drawing = `<w:r><w:drawing><wp:inline><wp:docPr id="1" name="Picture 1" ${attributes}/>${blip}</wp:inline></w:drawing></w:r>`;
    const { lines } = await convertFixture('a.docx', docx(drawing));
    expect(lines.join('').replaceAll('\\', '')).toBe(line);
  });
});

describe('formulas', () => {
  const math = (body: string): string => `<m:oMath>${body}</m:oMath>`;
  const run = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;

  it.each([
    [`<m:f><m:num>${run('F')}</m:num><m:den>${run('A')}</m:den></m:f>`, 'Load: (F)/(A)'],
    [`<m:sSup><m:e>${run('x')}</m:e><m:sup>${run('2')}</m:sup></m:sSup>`, 'Load: x^2'],
    [`<m:sSub><m:e>${run('x')}</m:e><m:sub>${run('max')}</m:sub></m:sSub>`, 'Load: x_(max)'],
    [`<m:rad><m:deg/><m:e>${run('2g')}</m:e></m:rad>`, 'Load: √(2g)'],
    [`${run('a &lt; b')}`, 'Load: a < b'],
    [`<m:func><m:fName>${run('sin')}</m:fName><m:e>${run('x')}</m:e></m:func>`, 'Load: sin x'],
    [`<m:limLow><m:e>${run('lim')}</m:e><m:lim>${run('n→∞')}</m:lim></m:limLow>`, 'Load: lim_(n→∞)'],
    [`<m:eqArr><m:e>${run('a')}</m:e><m:e>${run('b')}</m:e></m:eqArr>`, 'Load: a; b'],
    [`<m:m><m:mr><m:e>${run('a')}</m:e><m:e>${run('b')}</m:e></m:mr></m:m>`, 'Load: a, b'],
    [`${run('a')}</m:oMath><m:oMath>${run('b')}`, 'Load: a b'],
  ])('of Word are lines of text', async (formula, line) => {
    const { lines } = await convertFixture('a.docx', docx(math(formula)));
    expect(lines.join('').replaceAll('\\', '')).toBe(line);
  });

  it('of Word are read in lines of their own', async () => {
    const properties = '<m:oMathParaPr><m:jc m:val="left"/></m:oMathParaPr>';
    const displayed = `<m:oMathPara>${properties}${math(run('a'))}${math(run('b'))}</m:oMathPara>`;
    expect((await convertFixture('a.docx', docx(displayed))).lines).toEqual(['Load: a b']);
  });

  it('of OpenDocument are as their author typed them', async () => {
    const { lines } = await convertFixture(
      'a.odt',
      zip({
        'content.xml':
          '<office:document-content><office:body><office:text><text:p>Load: <draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></text:p></office:text></office:body></office:document-content>',
        'Object 1/content.xml':
          '<math><semantics><mi>E</mi><annotation encoding="StarMath 5.0">E = m c</annotation></semantics></math>',
      }),
    );
    expect(lines).toEqual(['Load: E = m c']);
  });
});

describe('books in EPUB', () => {
  const book = (chapters: readonly string[], files: Readonly<Record<string, string>> = {}): Uint8Array =>
    zip({
      'META-INF/container.xml':
        '<container><rootfiles><rootfile full-path="b/a.opf"/></rootfiles></container>',
      'b/a.opf': `<package><metadata><dc:title>Harbour &amp; "sea": a book</dc:title></metadata><manifest>${chapters.map((_, i) => `<item id="c${i}" href="c${i}.xhtml"/>`).join('')}</manifest><spine>${chapters.map((_, i) => `<itemref idref="c${i}"/>`).join('')}</spine></package>`,
      ...Object.fromEntries(
        chapters.map((body, i) => [`b/c${i}.xhtml`, `<html><body>${body}</body></html>`]),
      ),
      ...files,
    });

  it('keep chapters in which an element is closed at its slash', async () => {
    const { lines } = await convertFixture(
      'a.epub',
      book(['<script src="a.js"/><h1>One</h1><p>First.</p><iframe src="a"/>', '<h1>Two</h1><p>Second.</p>']),
    );
    expect(lines).toEqual(['# One', 'First.', '# Two', 'Second.']);
  });

  it('have chapters in the encodings that these name', async () => {
    const chapter = '<?xml version="1.0" encoding="iso-8859-1"?><html><body><p>Caf\xe9</p></body></html>';
    const files = unzipSync(book(['']));
    const bytes = zipSync({ ...files, 'b/c0.xhtml': Buffer.from(chapter, 'latin1') });
    expect((await convertFixture('a.epub', bytes)).lines).toEqual(['Café']);
  });

  it('are named by their own title, also in front of several chapters', async () => {
    const bytes = book(['<h1>Preface</h1><p>First.</p>', '<h1>Install</h1><h2>On Linux</h2><p>Second.</p>']);
    const file = { path: 'a.epub', absolute: 'a.epub', bytes: bytes.length, mtimeMs: 0 };
    const converted = await convertEpub(bytes);
    const rules = { docTag: undefined, repository: 'r', metadata: {}, declaredKeys: [] };
    const { facts, sections } = await indexDocument({ file, bytes, converted, rules, hash: '' });
    const title = 'Harbour & "sea": a book';
    expect(facts.title).toBe(title);
    expect(sections.map(({ headingPath }) => headingPath)).toEqual([
      [title, 'Preface'],
      [title, 'Install', 'On Linux'],
    ]);
  });

  // EPUB 3.3, 4.2.6.3.2 and 4.4: fonts may be obfuscated, and encrypted files are named.
  it('are refused if chapters are encrypted, not if only fonts are', async () => {
    const encryption = (uri: string) => ({
      'META-INF/encryption.xml': `<encryption xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:CipherData><enc:CipherReference URI="${uri}"/></enc:CipherData></enc:EncryptedData></encryption>`,
    });
    const chapters = ['<h1>One</h1><p>First.</p>'];
    const { lines } = await convertFixture('a.epub', book(chapters, encryption('b/font.otf')));
    expect(lines).toEqual(['# One', 'First.']);
    await expect(convertFixture('a.epub', book(chapters, encryption('b/c0.xhtml')))).rejects.toThrow(
      'its chapters are encrypted (DRM)',
    );
  });
});
