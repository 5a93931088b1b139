/** The conversion of input schemas by clients of three model APIs, and the limits of these APIs. */

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The direct subschemas of a schema, with their paths. */
function below(schema: Json, path: string): [string, unknown][] {
  const { properties, items } = schema;
  const fields = isObject(properties) ? Object.entries(properties) : [];
  return [
    ...fields.map(([name, field]) => [`${path}/${name}`, field] as [string, unknown]),
    ...(items === undefined ? [] : [[`${path}/[]`, items] as [string, unknown]]),
  ];
}

/** A schema and all its subschemas, with their paths. */
export function schemasOf(schema: unknown, path = ''): [string, Json][] {
  if (!isObject(schema)) return [];
  return [[path, schema], ...below(schema, path).flatMap(([where, each]) => schemasOf(each, where))];
}

const TYPES = ['object', 'array', 'string', 'integer', 'number', 'boolean'];

/**
 * google-genai 3.4.0, `_mcp_utils._filter_to_supported_schema` and `Schema.from_json_schema`: calls `.items()` on
 * `additionalProperties` and warns about lists of types. The API rejects objects without properties, and formats other
 * than `enum` and `date-time`.
 */
export function geminiRefuses(schema: Json): string[] {
  return schemasOf(schema).flatMap(([path, node]) => [
    ...('additionalProperties' in node ? [`${path}: additionalProperties`] : []),
    ...(TYPES.includes(String(node['type'])) ? [] : [`${path}: type`]),
    ...(node['type'] === 'object' && Object.keys(Object(node['properties'])).length === 0
      ? [`${path}: no properties`]
      : []),
    ...('format' in node ? [`${path}: format`] : []),
  ]);
}

/** openai-agents 0.24.0, `ensure_strict_json_schema`: closes every object and makes every field required. */
export function strictOpenAi(schema: Json): Json {
  const { properties, items, ...rest } = schema;
  if (isObject(properties)) {
    const fields = Object.entries(properties).map(([name, field]) => [
      name,
      isObject(field) ? strictOpenAi(field) : field,
    ]);
    return {
      ...rest,
      properties: Object.fromEntries(fields),
      required: Object.keys(properties),
      additionalProperties: false,
    };
  }
  return isObject(items) ? { ...rest, items: strictOpenAi(items) } : rest;
}

/**
 * The keywords in OpenAI's guide to structured outputs; `default` and lengths of strings are rejected (openai-node
 * #1988).
 */
const OPENAI = [
  ...['type', 'description', 'properties', 'required', 'additionalProperties', 'items', 'enum'],
  ...['minimum', 'maximum', 'minItems', 'maxItems'],
];

export function openAiRefuses(strict: Json): string[] {
  return schemasOf(strict).flatMap(([path, node]) => [
    ...Object.keys(node)
      .filter((keyword) => !OPENAI.includes(keyword))
      .map((keyword) => `${path}: ${keyword}`),
    ...(node['type'] === 'object' && node['additionalProperties'] !== false ? [`${path}: open`] : []),
  ]);
}

/** anthropic `lib/_parse/_transform.transform_schema`: fails without a single type; moves bounds into descriptions. */
export function anthropicRefuses(schema: Json): string[] {
  return schemasOf(schema).flatMap(([path, node]) => [
    ...(TYPES.includes(String(node['type'])) ? [] : [`${path}: type`]),
    ...(['$ref', 'oneOf', 'allOf', 'anyOf'].some((keyword) => keyword in node) ? [`${path}: union`] : []),
  ]);
}
