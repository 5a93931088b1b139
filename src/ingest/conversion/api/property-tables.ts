import { type Cell, escapeHtml, paragraphHtml, tableHtml, tag } from '../html-text.js';
import { isJsonObject, type JsonObject, namedObjects, textIn, textsIn } from '../json-object.js';
import { type ApiFile, fragment, nameAt, type Placed, pointerTo, written } from './api-file.js';

/** Rows of one table; the others are left out. */
const MAX_ROWS = 500;
/** Levels of objects in objects. */
const MAX_LEVELS = 12;
/** Levels of types, such as the items of lists. */
const MAX_TYPE_LEVELS = 8;
/** Named types in one cell. */
const MAX_KINDS = 40;
/** Values of a list of all allowed ones. */
const MAX_VALUES = 100;

const KINDS = ['allOf', 'oneOf', 'anyOf'];

/** Keys that only schemas have. */
const SCHEMA_KEYS = [
  ...KINDS,
  ...['$ref', '$dynamicRef', 'type', 'description', 'enum', 'const', 'not', 'if', 'contains'],
  ...['properties', 'patternProperties', 'additionalProperties', 'propertyNames', 'items', 'prefixItems'],
];

const LIMITS: readonly (readonly [key: string, shown: string])[] = [
  ['minimum', 'at least'],
  ['exclusiveMinimum', 'more than'],
  ['maximum', 'at most'],
  ['exclusiveMaximum', 'less than'],
  ['multipleOf', 'multiple of'],
  ['minLength', 'min length'],
  ['maxLength', 'max length'],
  ['minItems', 'min items'],
  ['maxItems', 'max items'],
  ['minProperties', 'min properties'],
  ['maxProperties', 'max properties'],
  ['pattern', 'pattern'],
];

/** A property with the names of those around it, such as `owner.name` or `tags[]`. */
interface PropertyRow {
  readonly name: string;
  readonly schema: JsonObject;
  readonly isRequired: boolean;
}

/** Writes schemas as tables of properties. */
export class PropertyTables {
  constructor(private readonly file: ApiFile) {}

  /** The type of a schema in a few words, as HTML; a named schema is a link to it. */
  typeHtml(schema: unknown, level = 0): string {
    if (!isJsonObject(schema)) return schema === false ? 'nothing' : 'any';
    if (level > MAX_TYPE_LEVELS) return 'any';
    const reference = schema['$ref'];
    if (typeof reference === 'string') return this.referenceHtml(reference);
    const kinds = ['oneOf', 'anyOf'].flatMap((key) => list(schema[key])).slice(0, MAX_KINDS);
    if (kinds.length > 0) return `one of: ${kinds.map((kind) => this.typeHtml(kind, level + 1)).join(', ')}`;
    const parts = list(schema['allOf']).slice(0, MAX_KINDS);
    if (parts.length > 0 && !('properties' in schema))
      return parts.map((part) => this.typeHtml(part, level + 1)).join(' and ');
    return this.ownType(schema, level);
  }

  private referenceHtml(reference: string): string {
    const name = escapeHtml(nameAt(reference) || reference);
    return reference.startsWith('#')
      ? `<a href="#${escapeHtml(fragment(reference.slice(1)))}">${name}</a>`
      : `<a href="${escapeHtml(reference)}">${name}</a>`;
  }

  private ownType(schema: JsonObject, level: number): string {
    const types = typeof schema['type'] === 'string' ? [schema['type']] : textsIn(schema['type']);
    const format = textIn(schema['format']);
    const shown = types.map((type) => {
      if (type === 'array') return `array of ${this.typeHtml(schema['items'] ?? true, level + 1)}`;
      const others = schema['additionalProperties'];
      if (type === 'object' && isJsonObject(others) && !isJsonObject(schema['properties']))
        return `map of ${this.typeHtml(others, level + 1)}`;
      return escapeHtml(type);
    });
    const nullable = schema['nullable'] === true ? [...shown, 'null'] : shown;
    const name = nullable.join(' or ') || impliedType(schema);
    return format === '' ? name : `${name} (${escapeHtml(format)})`;
  }

  /** The title and description of a property with its limits, values, default and example, then those of its kinds and items, as HTML. */
  detailsHtml(schema: JsonObject, name = '', level = 0): string {
    const values = Array.isArray(schema['enum']) ? schema['enum'].slice(0, MAX_VALUES) : [];
    const limits = LIMITS.flatMap(([key, shown]) =>
      textIn(schema[key]) === '' || typeof schema[key] === 'boolean'
        ? []
        : [`${shown} ${code(textIn(schema[key]))}`],
    );
    const parts = [
      titleHtml(schema, name),
      this.file.inCell(schema['description']),
      values.length > 0 ? `One of: ${values.map((value) => code(inLine(value))).join(', ')}.` : '',
      'const' in schema ? `Always ${code(inLine(schema['const']))}.` : '',
      limits.length > 0 ? `Limits: ${limits.join(', ')}.` : '',
      'default' in schema ? `Default: ${code(inLine(schema['default']))}.` : '',
      'example' in schema ? `Example: ${code(inLine(schema['example']))}.` : '',
      ...[schema['readOnly'] === true ? 'Read-only.' : '', schema['writeOnly'] === true ? 'Write-only.' : ''],
      schema['deprecated'] === true ? 'Deprecated.' : '',
      ...(level > MAX_TYPE_LEVELS ? [] : within(schema)).map((one) => this.detailsHtml(one, name, level + 1)),
    ];
    return [...new Set(parts)].filter((part) => part !== '').join(' ');
  }

  /** The properties of a schema as a table; '' if it has none. Named schemas in it are only named. */
  table(schema: Placed): string {
    const rows: PropertyRow[] = [];
    this.collectWithin(rows, schema.value, { name: '', level: 0, visited: new Set([schema.pointer]) });
    if (rows.length > MAX_ROWS) this.file.cut(rows.length - MAX_ROWS);
    const cells = rows
      .slice(0, MAX_ROWS)
      .map(({ name, schema: property, isRequired }): Cell[] => [
        { content: code(name) },
        { content: this.typeHtml(property) },
        { content: isRequired ? 'yes' : 'no' },
        { content: this.detailsHtml(property, name.split('.').at(-1)) },
      ]);
    return cells.length === 0
      ? ''
      : tableHtml([header('Property', 'Type', 'Required', 'Description'), ...cells]);
  }

  private collect(
    rows: PropertyRow[],
    schema: JsonObject,
    at: { readonly name: string; readonly level: number; readonly visited: Set<string> },
  ): void {
    if (at.level > MAX_LEVELS || rows.length > MAX_ROWS || !this.file.visit()) return;
    const required = new Set(textsIn(schema['required']));
    const patterns = namedObjects(schema['patternProperties']);
    for (const [name, property] of [...namedObjects(schema['properties']), ...patterns]) {
      const full = at.name === '' ? name : `${at.name}.${name}`;
      rows.push({ name: full, schema: property, isRequired: required.has(name) });
      this.collectWithin(rows, property, { ...at, name: full, level: at.level + 1 });
    }
    for (const key of [...KINDS, 'then', 'else'])
      for (const part of [schema[key]].flat().filter(isJsonObject))
        if (key === 'allOf' || !('$ref' in part)) this.collectPart(rows, part, at);
  }

  /** The properties of a part; those of a named one belong to this object if it must have all parts. */
  private collectPart(
    rows: PropertyRow[],
    part: JsonObject,
    at: Parameters<PropertyTables['collect']>[2],
  ): void {
    const { value, pointer } = this.file.resolve(part);
    if (pointer !== '' && at.visited.has(pointer)) return;
    at.visited.add(pointer);
    this.collectWithin(rows, value, { ...at, level: at.level + 1 });
  }

  private collectWithin(
    rows: PropertyRow[],
    property: JsonObject,
    at: Parameters<PropertyTables['collect']>[2],
  ): void {
    if ('$ref' in property) return;
    const items = [property['items']].flat().filter(isJsonObject);
    for (const item of items)
      if (!('$ref' in item))
        this.collectWithin(rows, item, { ...at, name: `${at.name}[]`, level: at.level + 1 });
    if (items.length > 0) return;
    const others = property['additionalProperties'];
    if (isJsonObject(others) && !('$ref' in others))
      this.collect(rows, others, { ...at, name: at.name === '' ? '*' : `${at.name}.*` });
    this.collect(rows, property, at);
  }

  /** The section of a named schema. */
  private section(name: string, schema: JsonObject, pointer: string): string {
    const { title } = schema;
    const isNamed = textIn(title) === '' || textIn(title) === name;
    return [
      this.file.heading(3, name, pointer),
      isNamed ? '' : paragraphHtml(textIn(title)),
      this.body({ value: schema, pointer }, 3),
    ].join('');
  }

  /** The description, type, properties and examples of a schema. @param level  of the heading above */
  body({ value, pointer }: Placed, level: number): string {
    const { description, example, examples, title: _, ...own } = value;
    const details = this.detailsHtml(own);
    return [
      this.file.description(description, level),
      `<p>Type: ${this.typeHtml(value)}.${details === '' ? '' : ` ${details}`}</p>\n`,
      this.table({ value, pointer }),
      ...[example, ...list(examples)].map((one) => this.file.example(one)),
    ].join('');
  }

  /** The sections of all named schemas below a pointer, also of those in groups. */
  *sections(value: unknown, ...path: readonly string[]): Generator<string> {
    for (const [name, schema] of namedObjects(value))
      if (isGroup(schema)) yield* this.sections(schema, ...path, name);
      else yield this.section(name, schema, pointerTo(...path, name));
  }
}

export const header = (...names: readonly string[]): Cell[] => names.map((content) => ({ content }));

export const code = (text: string): string => `<code>${escapeHtml(text)}</code>`;

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const isSchema = (object: JsonObject): boolean => SCHEMA_KEYS.some((key) => key in object);

/** True if an object is no schema, but has named ones. */
function isGroup(object: JsonObject): boolean {
  const values = Object.values(object);
  return (
    values.length > 0 && !isSchema(object) && values.every((value) => isJsonObject(value) && isSchema(value))
  );
}

/** The schemas that say what a value or an item of it can be. */
const within = (schema: JsonObject): JsonObject[] =>
  [...KINDS, 'prefixItems', 'items', 'additionalProperties']
    .flatMap((key) => [schema[key]].flat().slice(0, MAX_KINDS))
    .filter(isJsonObject);

const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The title of a schema; '' if it is its name in other letters, above a description. */
function titleHtml(schema: JsonObject, name: string): string {
  const title = textIn(schema['title']);
  const isKnown = 'description' in schema && letters(title) === letters(name);
  return title === '' || isKnown ? '' : escapeHtml(/[.!?:]$/.test(title) ? title : `${title}.`);
}

const inLine = (value: unknown): string =>
  typeof value === 'string' ? value : written(value).replace(/\s+/g, ' ').slice(0, 1_000);

function impliedType(schema: JsonObject): string {
  if ('properties' in schema || 'patternProperties' in schema) return 'object';
  if ('items' in schema) return 'array';
  return 'enum' in schema || 'const' in schema ? 'value' : 'any';
}

/** The text of a JSON Schema: its own properties, then a section for each of its definitions. */
export function schemaBody(file: ApiFile): string {
  const tables = new PropertyTables(file);
  const title = typeof file.root['title'] === 'string' ? file.heading(1, file.root['title']) : '';
  const parts = ['$defs', 'definitions'].flatMap((key) => [...tables.sections(file.root[key], key)]);
  const definitions = parts.length > 0 ? tag('h2', 'Definitions') + file.fitting(parts) : '';
  return title + tables.body({ value: file.root, pointer: '' }, 1) + definitions;
}

/** The named schemas of the components of an API. @param path  of the object that has them */
export function componentSchemas(file: ApiFile, tables: PropertyTables, ...path: readonly string[]): string {
  const schemas = path.reduce<unknown>(
    (value, name) => namedObjects(value).find(([key]) => key === name)?.[1],
    file.root,
  );
  const parts = [...tables.sections(schemas, ...path)];
  return parts.length > 0 ? tag('h2', 'Schemas') + file.fitting(parts) : '';
}
