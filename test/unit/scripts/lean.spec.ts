import { usedParts } from '../../../scripts/lean.mjs';

describe('usedParts', () => {
  it('finds the exports of a package that a module uses, and those of its namespace z', () => {
    const text = `const zod_1 = require("zod");
      const shape = zod_1.z.object({ name: zod_1.z.string() });
      if (error instanceof zod_1.ZodError) throw error;`;
    expect(usedParts(text, 'zod')).toEqual(['z.object', 'z.string', 'ZodError']);
  });

  it('finds them in modules whose loader is wrapped, and where a package is loaded in place', () => {
    const wrapped = `let schemas = require("zod/v4"); schemas = chunk.__toESM(schemas); schemas.url();`;
    expect(usedParts(wrapped, 'zod/v4')).toEqual(['url']);
    expect(usedParts(`new (require("server")).Server();`, 'server')).toEqual(['Server']);
    expect(usedParts(`const md_1 = __importDefault(require("md")); md_1.default();`, 'md')).toEqual([
      'default',
    ]);
  });

  it('ignores words that are equal to the variable', () => {
    const text = `const jose_1 = require("jose"); // jose_1 checks tokens\nlist.jose_1 = { jose_1: "jose_1" };`;
    expect(usedParts(text, 'jose')).toEqual([]);
  });

  it.each(['const a = require("a"); module.exports = a;', 'load(() => require("a"));'])(
    'rejects a module that passes the package on: %s',
    (text) => expect(() => usedParts(text, 'a')).toThrow(/./u),
  );
});
