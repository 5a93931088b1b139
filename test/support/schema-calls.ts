import fc from 'fast-check';
import { codePoints } from './code-points.js';

/** A JSON Schema, as `tools/list` sends it. */
export interface ToolSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly ToolSchema[];
  readonly properties?: Readonly<Record<string, ToolSchema>>;
  readonly required?: readonly string[];
  readonly items?: ToolSchema;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

const HOSTILE = [
  '',
  ' ',
  '\0',
  '../../etc/passwd',
  'C:\\x',
  'a\nb',
  '\u202e\u200b',
  '\ud800',
  '__proto__',
  "'; DROP TABLE run; --",
  '{"__proto__":{"a":1}}',
  '['.repeat(2_000),
  '{"a":1e999}',
  '{"type":"object","properties":{"a":{"$ref":"#"}}}',
  '| a |\n|---|\n| 1 |',
  '<table><tr><td rowspan=9999>'.repeat(50),
  '\u{1F600}'.repeat(300),
  'a'.repeat(70_000),
];

const PLAIN = [
  'docs',
  'main',
  'guide.md',
  'a short text',
  'The moorings are lifted in May.',
  'aGVsbG8=',
  '{"a":1}',
  '{"type":"object"}',
  '# A\n\n| a |\n|---|\n| 1 |\n',
  '5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03',
];

/** Stands for a string that a server returned earlier in a field of that name. */
const HANDLE = /^@(\w+):(\d+)$/;

/** `manifest_sha256` and `expected_sha256` take what was returned as `sha256`. */
const wordOf = (key: string): string => key.split('_').at(-1) ?? key;

function strings({ pattern, maxLength = 200 }: ToolSchema, key: string): fc.Arbitrary<unknown> {
  const plain = PLAIN.filter((text) => new RegExp(pattern ?? '', 'u').test(text));
  return fc.oneof(
    { weight: 12, arbitrary: fc.nat(1_000).map((n) => `@${wordOf(key)}:${n}`) },
    { weight: 12, arbitrary: fc.constantFrom(...(plain.length > 0 ? plain : PLAIN)) },
    { weight: 1, arbitrary: fc.constantFrom(...PLAIN, ...HOSTILE) },
    { weight: 1, arbitrary: fc.string({ unit: codePoints, maxLength: Math.min(maxLength + 1, 300) }) },
  );
}

const numbers = ({ minimum = 0, maximum = 1_000 }: ToolSchema): fc.Arbitrary<unknown> =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.integer({ min: minimum, max: Math.max(minimum, Math.min(maximum, minimum + 20)) }),
    },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(minimum - 1, maximum, maximum + 1, 0.5, -0, 2 ** 60) },
  );

function objects({ properties = {}, required = [] }: ToolSchema): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([key, schema]) => {
    const value = valueOf(schema, key);
    return [
      key,
      required.includes(key)
        ? value
        : fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value }),
    ] as const;
  });
  return fc
    .record(Object.fromEntries(fields))
    .map((value) => Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)));
}

/** Values for a schema; most fit, some do not. */
function valueOf(schema: ToolSchema, key = ''): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => valueOf(each, key)));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum)
    return fc.oneof(
      { weight: 30, arbitrary: fc.constantFrom(...schema.enum) },
      { weight: 1, arbitrary: fc.constant('other') },
    );
  switch (schema.type) {
    case 'string':
      return strings(schema, key);
    case 'integer':
    case 'number':
      return numbers(schema);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(valueOf(schema.items ?? {}, key), { maxLength: Math.min(schema.maxItems ?? 3, 4) });
    case 'object':
      return objects(schema);
    default:
      return fc.constant(null);
  }
}

/** Calls of the listed tools, each as likely as the others, with arguments made from their input schemas. */
export const callsOf = (
  tools: readonly { readonly name: string; readonly inputSchema: ToolSchema }[],
): fc.Arbitrary<{ readonly tool: string; readonly args: Record<string, unknown> }> =>
  fc.oneof(
    ...tools.map(({ name, inputSchema }) =>
      objects(inputSchema).map((args) => ({ tool: name, args: args as Record<string, unknown> })),
    ),
  );

/** Strings that a server returned, by the last word of the name of their field. */
export type Handles = Map<string, string[]>;

/** Replaces `@…` in arguments by handles; those of fields that were not returned yet are left out. */
export function withHandles(value: unknown, handles: Handles): unknown {
  if (Array.isArray(value)) return value.map((item) => withHandles(item, handles));
  if (typeof value === 'object' && value !== null) {
    const filled = Object.entries(value).map(([key, item]) => [key, withHandles(item, handles)] as const);
    return Object.fromEntries(filled.filter(([, item]) => item !== undefined));
  }
  const [, word = '', number] = HANDLE.exec(String(value)) ?? [];
  const known = handles.get(word) ?? [];
  return number === undefined ? value : known[Number(number) % known.length];
}

/** Keeps the strings of a result that a caller could send back. */
export function learn(handles: Handles, value: unknown, key = ''): void {
  if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) learn(handles, item, Array.isArray(value) ? key : name);
  } else if (typeof value === 'string' && value !== '' && value.length <= 1_000) {
    const word = wordOf(key);
    handles.set(word, [...(handles.get(word) ?? []), value].slice(-50));
  }
}
