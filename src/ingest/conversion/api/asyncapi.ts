import { paragraphHtml, tag } from '../html-text.js';
import { isJsonObject, type JsonObject, namedObjects, objects, textIn, textsIn } from '../json-object.js';
import { aboutApi, taggedHtml } from './about-api.js';
import { type ApiFile, nameAt, type Placed, pointerTo } from './api-file.js';
import { code, componentSchemas, PropertyTables } from './property-tables.js';

/** Messages of one channel or operation. */
const MAX_MESSAGES = 200;

/** The text of a description of AsyncAPI 2 or 3: a section for each channel, operation, message and schema. */
export function asyncApiBody(file: ApiFile): string {
  const tables = new PropertyTables(file);
  const text = new AsyncText(file, tables);
  const { root } = file;
  const { components } = root;
  const section = (title: string, parts: Iterable<string>): string => {
    const html = file.fitting(parts);
    return html === '' ? '' : tag('h2', title) + html;
  };
  return [
    aboutApi(file),
    section('Channels', text.channels(root['channels'])),
    section('Operations', text.operations(root['operations'])),
    section('Messages', text.messages(isJsonObject(components) ? components['messages'] : undefined)),
    componentSchemas(file, tables, 'components', 'schemas'),
  ].join('');
}

class AsyncText {
  constructor(
    private readonly file: ApiFile,
    private readonly tables: PropertyTables,
  ) {}

  *channels(channels: unknown): Generator<string> {
    const { file } = this;
    for (const [name, one] of namedObjects(channels)) {
      const { value, pointer } = file.resolve(one, pointerTo('channels', name));
      const address = textIn(value['address']);
      yield [
        file.heading(3, name, pointer),
        address === '' || address === name ? '' : tag('p', `Address: ${code(address)}.`),
        this.aboutHtml(value),
        this.parametersHtml(value['parameters']),
        this.messagesHtml(
          'Messages',
          namedObjects(value['messages']).map(([, message]) => message),
        ),
        // AsyncAPI 2 has the operations of a channel in it.
        ...['publish', 'subscribe'].map((action) => this.operationOfChannel(action, name, value[action])),
      ].join('');
    }
  }

  private operationOfChannel(action: string, channel: string, operation: unknown): string {
    if (!isJsonObject(operation)) return '';
    const { message } = operation;
    const kinds = isJsonObject(message) && Array.isArray(message['oneOf']) ? objects(message['oneOf']) : [];
    const messages = kinds.length > 0 ? kinds : objects([message]);
    return (
      this.file.heading(4, `${action} ${channel}`, pointerTo('channels', channel, action)) +
      this.operationHtml(operation) +
      this.messagesHtml('Message', messages)
    );
  }

  *operations(operations: unknown): Generator<string> {
    const { file } = this;
    for (const [name, one] of namedObjects(operations)) {
      const { value, pointer } = file.resolve(one, pointerTo('operations', name));
      const { channel, reply } = value;
      const target = isJsonObject(channel) ? textIn(channel['$ref']) : '';
      yield [
        file.heading(3, name, pointer),
        tag('p', `Action: ${code(textIn(value['action']))}, channel ${code(nameAt(target))}.`),
        this.operationHtml(value),
        this.messagesHtml('Messages', objects(value['messages'])),
        isJsonObject(reply) ? this.messagesHtml('Reply', objects(file.resolve(reply).value['messages'])) : '',
      ].join('');
    }
  }

  private operationHtml(operation: JsonObject): string {
    const id = textIn(operation['operationId']);
    return (id === '' ? '' : tag('p', `Operation id: ${code(id)}.`)) + this.aboutHtml(operation);
  }

  private aboutHtml(value: JsonObject): string {
    return (
      paragraphHtml(textIn(value['title'])) +
      paragraphHtml(textIn(value['summary'])) +
      this.file.description(value['description'], 4) +
      taggedHtml(this.file, value) +
      this.bindingsHtml(value['bindings'])
    );
  }

  /** The schemas that a protocol adds, such as the query of a WebSocket. */
  private bindingsHtml(bindings: unknown): string {
    const { file } = this;
    const schemas = namedObjects(file.resolve(bindings).value).flatMap(([protocol, binding]) =>
      namedObjects(file.resolve(binding).value).map(
        ([name, schema]) => [`${protocol} ${name}`, schema] as const,
      ),
    );
    return schemas.map(([name, schema]) => this.schemaHtml(name, schema)).join('');
  }

  private schemaHtml(label: string, schema: unknown): string {
    if (!isJsonObject(schema)) return '';
    // A schema of another language stands below its name.
    const actual = isJsonObject(schema['schema']) ? schema['schema'] : schema;
    const details = '$ref' in actual ? '' : ` ${this.tables.detailsHtml(actual)}`;
    return (
      tag('p', `${label}: ${this.tables.typeHtml(actual)}.${details}`) +
      this.tables.table(this.file.resolve(actual))
    );
  }

  private parametersHtml(parameters: unknown): string {
    const properties = Object.fromEntries(
      namedObjects(parameters).map(([name, one]) => {
        const { value } = this.file.resolve(one);
        const schema = isJsonObject(value['schema']) ? value['schema'] : { type: 'string', ...values(value) };
        return [name, { ...schema, description: value['description'] ?? schema['description'] }];
      }),
    );
    const rows = this.tables.table({ value: { properties }, pointer: '' });
    return rows === '' ? '' : tag('p', 'Parameters:') + rows;
  }

  /** Named messages have sections of their own; others stand here. */
  private messagesHtml(label: string, messages: readonly JsonObject[]): string {
    const parts = messages.slice(0, MAX_MESSAGES).map((message) => {
      const placed = this.file.resolve(message);
      const name = textIn(placed.value['name']) || textIn(placed.value['title']) || nameAt(placed.pointer);
      const isNamed = placed.pointer.startsWith('/components/');
      const payload = this.tables.typeHtml(placed.value['payload']);
      const facts = tag('p', `${label}: ${code(name || 'without a name')}, ${payload}.`);
      return isNamed ? facts : facts + this.messageHtml(placed);
    });
    return parts.join('');
  }

  *messages(messages: unknown): Generator<string> {
    for (const [name, one] of namedObjects(messages)) {
      const placed = this.file.resolve(one, pointerTo('components', 'messages', name));
      yield this.file.heading(3, name, placed.pointer) + this.messageHtml(placed);
    }
  }

  private messageHtml({ value }: Placed): string {
    const examples = objects(value['examples']).map((example) => this.file.example(example['payload']));
    const correlation = this.file.inCell(this.file.resolve(value['correlationId']).value['description']);
    const traits = objects(value['traits']).map((trait) => this.file.resolve(trait).value);
    return [
      ...[value, ...traits].map((one) => this.aboutHtml(one)),
      correlation === '' ? '' : tag('p', `Correlation id: ${correlation}`),
      ...[value, ...traits].map(({ headers }) => this.schemaHtml('Headers', headers)),
      this.schemaHtml('Payload', value['payload']),
      ...examples,
    ].join('');
  }
}

const values = ({ enum: allowed, default: preset }: JsonObject): JsonObject => ({
  ...(textsIn(allowed).length > 0 && { enum: allowed }),
  ...(preset !== undefined && { default: preset }),
});
