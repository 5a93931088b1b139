import { leanPdf } from '../../../scripts/lean-pdf.mjs';

const CUT = [
  'AnnotationEditor',
  'AnnotationElement',
  'CanvasGraphics',
  'PDFEditor',
  'TextLayer',
  'XFAFactory',
];
/** As the file of PDF.js is written. */
const LIBRARY = [
  'var n=(t,e)=>t;',
  ...CUT.map((name, at) => `class c${at}{static{n(this,"${name}")}draw(){return canvas()}}`),
  'function canvas(){return 1}n(canvas,"canvas");',
  'class rd{static{n(this,"Reader")}read(){return words(c2)}}',
  'const words=t=>t,unused=2;',
  'globalThis.pdfjsWorker={rd};',
  'globalThis._pdfjsTestingUtils={},globalThis.pdfjsLib={canvas};',
  'const gd=()=>new rd,ops={a:1};export{gd as getDocument,ops as OPS,canvas as draw};',
].join('');

describe('leanPdf', () => {
  const lean = leanPdf(LIBRARY);

  it('keeps what runs, what getDocument and OPS name, and what these name', () => {
    for (const kept of ['globalThis.pdfjsWorker={rd}', 'class rd{read()', 'const words=', 'const ops={a:1}'])
      expect(lean).toContain(kept);
    expect(lean).toMatch(/export\{gd as getDocument,ops as OPS\};$/u);
  });

  it('leaves out the rest, and the contents of the classes at which it cuts', () => {
    expect(lean).toContain('class c2{}');
    expect(lean).not.toMatch(/canvas|unused|pdfjsLib|AnnotationEditor/u);
  });

  it('rejects a version without these classes', () => {
    expect(() => leanPdf('const a=1;export{a as getDocument,a as OPS};')).toThrow(/PDF\.js has changed/u);
  });
});
