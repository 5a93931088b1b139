import { type Cell, escapeHtml, paragraphHtml, tableHtml, tag } from '../html-text.js';
import { isJsonObject, type JsonObject, namedObjects, objects, textIn, textsIn } from '../json-object.js';
import { aboutApi } from './about-api.js';
import { type ApiFile, type Placed, pointerTo } from './api-file.js';
import { code, componentSchemas, header, PropertyTables } from './property-tables.js';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];
/** Levels of operations that operations call back. */
const MAX_CALLBACK_LEVELS = 3;
const OPERATION_LEVEL = 3;

/** The text of a description of OpenAPI 3 or Swagger 2: a section for each operation and for each schema. */
export function openApiBody(file: ApiFile): string {
  const { root } = file;
  const tables = new PropertyTables(file);
  const operations = new Operations(file, tables);
  const hooks = file.fitting(operations.sections(root['webhooks'], 'webhooks'));
  return [
    aboutApi(file),
    tag('h2', 'Operations'),
    file.fitting(operations.sections(root['paths'], 'paths')),
    hooks === '' ? '' : tag('h2', 'Webhooks') + hooks,
    componentSchemas(file, tables, 'components', 'schemas'),
    componentSchemas(file, tables, 'definitions'),
  ].join('');
}

/** Writes operations as sections. */
class Operations {
  constructor(
    private readonly file: ApiFile,
    private readonly tables: PropertyTables,
  ) {}

  /** @param paths  objects with operations, by path or by name @param path  of the object that has them */
  *sections(paths: unknown, ...path: readonly string[]): Generator<string> {
    for (const [name, item] of namedObjects(paths)) {
      const shared = this.file.resolve(item, pointerTo(...path, name));
      const others = namedObjects(shared.value['additionalOperations']);
      const operations = [
        ...METHODS.map((method) => [method.toUpperCase(), shared.value[method], pointerTo(method)] as const),
        ...others.map(([method, one]) => [method, one, pointerTo('additionalOperations', method)] as const),
      ];
      for (const [method, operation, pointer] of operations)
        if (isJsonObject(operation))
          yield (
            this.file.heading(OPERATION_LEVEL, `${method} ${name}`, shared.pointer + pointer) +
            this.body(operation, shared.value, 0)
          );
    }
  }

  private body(operation: JsonObject, shared: JsonObject, level: number): string {
    const { file } = this;
    const inherited = objects(shared['parameters']);
    const added = objects(operation['parameters']);
    const parameters = [...inherited, ...added].map((parameter) => file.resolve(parameter).value);
    const bodies = parameters.filter((parameter) => parameter['in'] === 'body');
    return [
      paragraphHtml(textIn(operation['summary']) || textIn(shared['summary'])),
      file.description(operation['description'] ?? shared['description'], OPERATION_LEVEL + level),
      this.factsHtml(operation),
      this.parametersHtml(parameters.filter((parameter) => parameter['in'] !== 'body')),
      ...bodies.map((parameter) => this.bodyParameterHtml(parameter)),
      this.requestHtml(operation['requestBody']),
      this.responsesHtml(operation['responses']),
      this.callbacksHtml(operation['callbacks'], level),
    ].join('');
  }

  private factsHtml(operation: JsonObject): string {
    const names = objects(operation['security']).flatMap((one) =>
      Object.entries(one).map(([name, scopes]) => [name, ...textsIn(scopes)].join(' ')),
    );
    const facts = [
      operation['deprecated'] === true ? 'Deprecated.' : '',
      textIn(operation['operationId']) === ''
        ? ''
        : `Operation id: ${code(textIn(operation['operationId']))}.`,
      textsIn(operation['tags']).length > 0
        ? `Tags: ${escapeHtml(textsIn(operation['tags']).join(', '))}.`
        : '',
      names.length > 0 ? `Security: ${names.map(code).join(' or ')}.` : '',
    ].filter((fact) => fact !== '');
    return facts.length > 0 ? tag('p', facts.join(' ')) : '';
  }

  private parametersHtml(parameters: readonly JsonObject[]): string {
    if (parameters.length === 0) return '';
    const rows = parameters.map((parameter): Cell[] => {
      // Swagger 2 writes the schema of a parameter into the parameter.
      const schema = this.parameterSchema(parameter);
      const { value, pointer } = this.file.resolve(schema);
      const { description, title, ...limits } = value;
      const texts = pointer === '' ? { description, title } : {};
      return [
        { content: code(textIn(parameter['name'])) },
        { content: escapeHtml(textIn(parameter['in'])) },
        { content: this.tables.typeHtml(schema) },
        { content: parameter['required'] === true ? 'yes' : 'no' },
        {
          content: this.tables.detailsHtml(
            { ...texts, ...limits, ...withoutSchema(parameter) },
            textIn(parameter['name']),
          ),
        },
      ];
    });
    return (
      tag('p', 'Parameters:') +
      tableHtml([header('Parameter', 'In', 'Type', 'Required', 'Description'), ...rows])
    );
  }

  private parameterSchema(parameter: JsonObject): unknown {
    if ('schema' in parameter) return parameter['schema'];
    const [media] = namedObjects(parameter['content']);
    return media ? media[1]['schema'] : parameter;
  }

  private bodyParameterHtml(parameter: JsonObject): string {
    const { file } = this;
    const required = parameter['required'] === true ? ' (required)' : '';
    return (
      tag('p', `Request body${required}: ${this.tables.typeHtml(parameter['schema'])}.`) +
      file.description(parameter['description'], OPERATION_LEVEL) +
      this.tables.table(file.resolve(parameter['schema']))
    );
  }

  private requestHtml(body: unknown): string {
    if (!isJsonObject(body)) return '';
    const { file } = this;
    const { value } = file.resolve(body);
    const required = value['required'] === true ? ' (required)' : '';
    const media = namedObjects(value['content']);
    const shown = new Set<unknown>();
    return [
      tag('p', `Request body${required}: ${this.mediaHtml(media)}.`),
      file.description(value['description'], OPERATION_LEVEL),
      ...media.map(([, one]) => {
        const schema = file.resolve(one['schema']);
        const isShown = shown.has(schema.value);
        shown.add(schema.value);
        return (isShown ? '' : this.tables.table(schema)) + this.examplesHtml(one);
      }),
    ].join('');
  }

  private mediaHtml(media: readonly (readonly [string, JsonObject])[]): string {
    return (
      media.map(([type, one]) => `${code(type)}, ${this.tables.typeHtml(one['schema'])}`).join('; ') || 'any'
    );
  }

  private examplesHtml(media: JsonObject): string {
    const named = namedObjects(media['examples']).map(([, one]) => this.file.resolve(one).value);
    return [
      this.file.example(media['example']),
      ...named.map((one) => paragraphHtml(textIn(one['summary'])) + this.file.example(one['value'])),
    ].join('');
  }

  private responsesHtml(responses: unknown): string {
    const answers = (isJsonObject(responses) ? Object.entries(responses) : []).map(
      ([status, response]) => [status, this.file.resolve(response).value] as const,
    );
    if (answers.length === 0) return '';
    const rows = answers.map(([status, response]): Cell[] => [
      { content: escapeHtml(status) },
      { content: this.responseType(response) },
      { content: this.file.inCell(response['description']) },
    ]);
    return (
      tag('p', 'Responses:') +
      tableHtml([header('Status', 'Content', 'Description'), ...rows]) +
      answers.map(([status, response]) => this.responseHtml(status, response)).join('')
    );
  }

  private responseType(response: JsonObject): string {
    const media = namedObjects(response['content']);
    if (media.length > 0) return this.mediaHtml(media);
    return 'schema' in response ? this.tables.typeHtml(response['schema']) : '';
  }

  /** The headers of a response, its properties unless they are those of a named schema, and its examples. */
  private responseHtml(status: string, response: JsonObject): string {
    const media = namedObjects(response['content']).map(([, one]) => one);
    const schemas = [...media, response].flatMap(({ schema }) => (isJsonObject(schema) ? [schema] : []));
    const inline = schemas
      .filter((schema) => !('$ref' in schema))
      .map((value): Placed => ({ value, pointer: '' }));
    const rows = inline.map((schema) => this.tables.table(schema)).filter((shown) => shown !== '');
    const headers = namedObjects(response['headers']).map(([name, one]): Cell[] => {
      const { value } = this.file.resolve(one);
      return [
        { content: code(name) },
        { content: this.tables.typeHtml(value['schema'] ?? value) },
        { content: this.file.inCell(value['description']) },
      ];
    });
    return [
      headers.length > 0 ? tag('p', `Headers of ${escapeHtml(status)}:`) : '',
      headers.length > 0 ? tableHtml([header('Header', 'Type', 'Description'), ...headers]) : '',
      ...[...new Set(rows)].map((shown) => tag('p', `Content of ${escapeHtml(status)}:`) + shown),
      ...media.map((one) => this.examplesHtml(one)),
      ...namedValues(response['examples']).map((one) => this.file.example(one)),
    ].join('');
  }

  private callbacksHtml(callbacks: unknown, level: number): string {
    if (level >= MAX_CALLBACK_LEVELS) return '';
    const parts = namedObjects(callbacks).flatMap(([name, one]) =>
      namedObjects(this.file.resolve(one).value).flatMap(([address, item]) => {
        const shared = this.file.resolve(item).value;
        return METHODS.flatMap((method) => {
          const operation = shared[method];
          if (!isJsonObject(operation)) return [];
          const title = `Callback ${name}: ${method.toUpperCase()} ${address}`;
          return [
            this.file.heading(OPERATION_LEVEL + level + 1, title) + this.body(operation, shared, level + 1),
          ];
        });
      }),
    );
    return parts.join('');
  }
}

const namedValues = (value: unknown): unknown[] => (isJsonObject(value) ? Object.values(value) : []);

/** The fields of a parameter itself, rather than those of its schema. */
const withoutSchema = ({ schema: _, ...parameter }: JsonObject): JsonObject => parameter;
