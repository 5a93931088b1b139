import { withNames } from '../../../scripts/keep-names.mjs';

describe('withNames', () => {
  it('names functions and arrow functions at the top, after the module', () => {
    const text = 'function read() {}\nconst cut = (quote) => quote;\nconst limit = 3;';
    expect(withNames(text)).toBe(`${text}\n__named({read,cut});`);
  });

  it('names a class before its decorators run', () => {
    expect(withNames('let Tool = class Tool { run() {} };\nTool = decorate(Tool);')).toBe(
      'let Tool = class Tool {static{__named({Tool:this})} run() {} };\nTool = decorate(Tool);',
    );
  });

  it('leaves closures and text alone', () => {
    const text = 'f(() => 1);\nconst page = `\nfunction shown() {}\n`;';
    expect(withNames(text)).toBe(text);
  });
});
