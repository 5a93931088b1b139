import fc from 'fast-check';
import { canonicalJson } from '../../../src/text/canonical-json.js';

describe('canonicalJson', () => {
  it('writes the example of RFC 8785, section 3.2.2, as section 3.2.3 shows it', () => {
    const example = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`;
    expect(canonicalJson(JSON.parse(example))).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts members by UTF-16 code units, as in RFC 8785, section 3.2.3', () => {
    const example = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    expect(Object.values(JSON.parse(canonicalJson(example)))).toHaveLength(7);
    expect([...canonicalJson(example).matchAll(/:"(.*?)"/g)].map(([, name]) => name)).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });

  // RFC 8785, appendix B.
  it.each([
    [0, '0'],
    [-0, '0'],
    [5e-324, '5e-324'],
    [-5e-324, '-5e-324'],
    [1.7976931348623157e308, '1.7976931348623157e+308'],
    [9007199254740992, '9007199254740992'],
    [295147905179352830000, '295147905179352830000'],
    [9.999999999999997e22, '9.999999999999997e+22'],
    [1e23, '1e+23'],
    [1.0000000000000001e23, '1.0000000000000001e+23'],
    [999999999999999700000, '999999999999999700000'],
    [1e21, '1e+21'],
    [9.999999999999997e-7, '9.999999999999997e-7'],
    [0.000001, '0.000001'],
    [333333333.3333332, '333333333.3333332'],
    [-0.0000033333333333333333, '-0.0000033333333333333333'],
    [1424953923781206.25, '1424953923781206.2'],
  ])('writes the number %d as %s', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it('leaves undefined members out', () => {
    expect(canonicalJson({ b: undefined, a: [undefined] })).toBe('{"a":[null]}');
  });

  it.each([[NaN], [Infinity], [1n], [() => 1], [Symbol('a')], [undefined]])('refuses %p', (value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });

  it('means the same as JSON.stringify, and does not depend on the order of members', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });
});
