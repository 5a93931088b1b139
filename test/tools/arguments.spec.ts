import { z } from 'zod';
import { definitionsOf } from '../../src/mcp/define-tool.js';
import { fitArguments } from '../../src/mcp/pipeline/input.stage.js';
import { TOOLS } from '../support/all-tools.js';

interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

/** A field at any depth, and arguments that contain only a value for it. */
interface Field {
  readonly path: string;
  readonly isOptional: boolean;
  readonly type: string | undefined;
  readonly with: (value: unknown) => unknown;
}

function fieldsOf(
  { properties = {}, required = [], items }: Schema,
  within: Field['with'],
  path = '',
): Field[] {
  const inItems = items ? fieldsOf(items, (value) => within([value]), `${path}[]`) : [];
  const own = Object.entries(properties).flatMap(([name, schema]): Field[] => {
    const put = (value: unknown): unknown => within(value === undefined ? {} : { [name]: value });
    const at = `${path}.${name}`;
    const field = { path: at, isOptional: !required.includes(name), type: schema.type, with: put };
    return [field, ...fieldsOf(schema, put, at)];
  });
  return [...own, ...inItems];
}

const definitions = definitionsOf(TOOLS);
const fields = definitions.flatMap((definition) => {
  // The library's type allows any schema; ours use the keywords above.
  const schema = z.toJSONSchema(definition.input, { io: 'input', unrepresentable: 'any' }) as Schema;
  return fieldsOf(schema, (value) => value).map((field) => {
    const parse = (args: unknown) => definition.input.safeParse(args);
    const read = (args: unknown) => parse(fitArguments(definition, args));
    return [`${definition.name}${field.path}`, { ...field, parse, read, tool: definition.name }] as const;
  });
});

describe.each(fields.filter(([, { isOptional }]) => isOptional))('the optional field %s', (_, field) => {
  it('may be null, which is the same as left out', () => {
    const { error } = field.read(field.with(null));
    expect(error?.issues).toEqual(field.parse(field.with(undefined)).error?.issues);
  });
});

const SAMPLES: Readonly<Record<string, unknown>> = {
  integer: 2,
  number: 0.5,
  boolean: true,
  array: [],
  object: {},
};

describe.each(fields.filter(([, { type = '' }]) => type in SAMPLES))('the field %s', (_, field) => {
  it('takes its value as JSON text', () => {
    const value = SAMPLES[field.type ?? ''];
    expect(field.read(field.with(JSON.stringify(value)))).toEqual(field.parse(field.with(value)));
  });
});

/** The fields of objects such as `options` whose name no other field of the tool has. */
const inObjects = fields.filter(([, { path, type = '', tool }]) => {
  const name = path.slice(path.lastIndexOf('.'));
  const same = fields.filter(([, other]) => other.tool === tool && other.path.endsWith(name));
  return /^\.\w+\.\w+$/.test(path) && type in SAMPLES && same.length === 1;
});

describe.each(inObjects)('the field %s', (_, { path, type = '', parse, read, with: put }) => {
  it('is read beside its object too', () => {
    const value = SAMPLES[type];
    expect(read({ [path.slice(path.lastIndexOf('.') + 1)]: value })).toEqual(parse(put(value)));
  });
});
