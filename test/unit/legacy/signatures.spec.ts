import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LEGACY_TOOLS } from '../../../src/legacy/legacy.feature.js';
import { type AnyTool, definitionsOf } from '../../../src/mcp/define-tool.js';
import { inputJsonSchema } from '../../../src/mcp/schema.js';

type Parameter = { required: true } | { default: unknown };

/** Names, parameters and defaults on which clients rely. They must not change. */
const FACTS = JSON.parse(
  readFileSync(join(__dirname, '..', '..', 'support', 'legacy-tools.facts.json'), 'utf8'),
) as Record<string, Record<string, Parameter>>;

/** The only added argument; it requests the short rows. */
const ADDED = { search_sections: { include_debug: { default: true } } };

interface Schema {
  readonly properties: Record<string, object>;
  readonly required?: readonly string[];
}

const tools = definitionsOf(LEGACY_TOOLS).map((tool) => [tool.name, tool] as const);

/** Arguments that are enough for a tool. */
const leastOf = (name: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(FACTS[name] ?? {}).flatMap(([key, parameter]) =>
      'required' in parameter ? [[key, /s$/.test(key) ? [] : 'x']] : [],
    ),
  );

/** The arguments of a tool, with the defaults of missing ones. */
function signatureOf(tool: AnyTool): Record<string, Parameter> {
  const schema = inputJsonSchema(tool.input) as unknown as Schema;
  const filled = tool.input.parse(leastOf(tool.name)) as Record<string, unknown>;
  const required = schema.required ?? [];
  const parameters = Object.keys(schema.properties).map((name) => [
    name,
    required.includes(name) ? { required: true } : { default: filled[name] },
  ]);
  return Object.fromEntries(parameters) as Record<string, Parameter>;
}

it('covers the twelve legacy tools and the tool that a flag enables', () => {
  expect(tools.map(([name]) => name).sort()).toEqual(Object.keys(FACTS).sort());
});

describe.each(tools)('%s', (name, tool) => {
  it('accepts the old arguments, in their order, with their defaults', () => {
    const signature = signatureOf(tool);
    const added = name in ADDED ? ADDED.search_sections : {};
    expect(JSON.stringify(signature)).toBe(JSON.stringify({ ...FACTS[name], ...added }));
  });

  it('ignores unknown arguments', () => {
    const parsed = tool.input.safeParse({ ...leastOf(name), colour: 'red', scope: 7 });
    expect(parsed.success).toBe(true);
    expect(parsed.data).not.toHaveProperty('colour');
  });

  it('is read-only and never in the small toolset', () => {
    expect(tool).toMatchObject({ permission: 'read', isCore: false });
  });
});
