import { strToU8 } from 'fflate';
import { convertFixture } from '../../../support/convert-fixture.js';

const read = async (name: string, text: string | object) => {
  const source = typeof text === 'string' ? text : JSON.stringify(text);
  const { title, lines, leftOut } = await convertFixture(name, strToU8(source));
  return { title, text: lines.join('\n'), leftOut };
};

const OPENAPI = `openapi: 3.1.0
info: { title: Harbour, version: '2.4', description: "Books berths.\\n\\n# Errors\\nAll errors are JSON." }
servers: [{ url: https://harbour.example/v2, description: Production }]
paths:
  /ships/{id}:
    parameters: [{ $ref: '#/components/parameters/Id' }]
    get:
      operationId: getShip
      summary: Find a ship.
      description: Only **harbour masters** see all ships.
      tags: [ships]
      parameters:
        - { name: fields, in: query, schema: { type: array, items: { type: string } }, description: Names a | b. }
      responses:
        '200':
          description: The ship.
          content: { application/json: { schema: { $ref: '#/components/schemas/Ship' } } }
        '404': { $ref: '#/components/responses/Missing' }
    put:
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Ship' }, example: { name: Gull } } }
      responses: { '204': { description: Stored. } }
components:
  parameters:
    Id: { name: id, in: path, required: true, schema: { type: integer, minimum: 1 }, description: Number of the ship. }
  responses:
    Missing: { description: No such ship. }
  schemas:
    Ship:
      description: A vessel.
      type: object
      required: [name]
      properties:
        name: { type: string, maxLength: 40, description: As painted on the bow. }
        kind: { enum: [sail, motor], default: sail }
        owner: { type: object, properties: { phone: { type: string, format: phone } } }
        tender: { $ref: '#/components/schemas/Ship' }
`;

describe('OpenAPI', () => {
  it('has a section for each operation, with its parameters, request and responses', async () => {
    const { title, text, leftOut } = await read('api.yaml', OPENAPI);
    expect(title).toBe('Harbour');
    expect(leftOut).toEqual([]);
    expect(text).toContain(`### GET /ships/{id}
Find a ship.
Only **harbour masters** see all ships.
Operation id: \`getShip\`. Tags: ships.
Parameters:
| Parameter | In | Type | Required | Description |
| --- | --- | --- | --- | --- |
| \`id\` | path | integer | yes | Number of the ship. Limits: at least \`1\`. |
| \`fields\` | query | array of string | no | Names a \\| b. |
Responses:
| Status | Content | Description |
| --- | --- | --- |
| 200 | \`application/json\`, [Ship](#/components/schemas/Ship) | The ship. |
| 404 |  | No such ship. |`);
  });

  it('has the properties of a request body, and its example', async () => {
    const { text } = await read('api.yaml', OPENAPI);
    const [, put = ''] = text.split('### PUT /ships/{id}');
    expect(put).toContain('Request body (required): `application/json`, [Ship](#/components/schemas/Ship).');
    expect(put).toContain('| `name` | string | yes | As painted on the bow. Limits: max length `40`. |');
    expect(put).toContain('```\n{\n  "name": "Gull"\n}\n```');
  });

  it('has a section for each schema, with nested properties, and names one that holds itself', async () => {
    const { text } = await read('api.yaml', OPENAPI);
    expect(text).toContain(`### Ship
A vessel.
Type: object.
| Property | Type | Required | Description |
| --- | --- | --- | --- |
| \`name\` | string | yes | As painted on the bow. Limits: max length \`40\`. |
| \`kind\` | value | no | One of: \`sail\`, \`motor\`. Default: \`sail\`. |
| \`owner\` | object | no |  |
| \`owner.phone\` | string (phone) | no |  |
| \`tender\` | [Ship](#/components/schemas/Ship) | no |  |`);
  });

  it('puts the headings of the description below the title', async () => {
    const { text } = await read('api.yaml', OPENAPI);
    expect(text).toContain(
      '# Harbour\nVersion: 2.4\nBooks berths.\n## Errors\nAll errors are JSON.\n## Servers\n',
    );
  });

  it('reads Swagger 2, also as JSON with its keys in order', async () => {
    const { text } = await read('harbour.json', {
      basePath: '/v1',
      definitions: { Berth: { type: 'object', properties: { depth: { type: 'number' } } } },
      host: 'harbour.example',
      info: { title: 'Old harbour', version: '1' },
      paths: {
        '/berths': {
          post: {
            parameters: [
              { in: 'body', name: 'berth', required: true, schema: { $ref: '#/definitions/Berth' } },
            ],
            responses: { 201: { description: 'Made.', schema: { $ref: '#/definitions/Berth' } } },
          },
        },
      },
      swagger: '2.0',
    });
    expect(text).toContain('### POST /berths\nRequest body (required): [Berth](#/definitions/Berth).\n');
    expect(text).toContain('| 201 | [Berth](#/definitions/Berth) | Made. |');
    expect(text).toContain('### Berth\nType: object.\n');
    expect(text).toContain('- `harbour.example/v1`');
  });

  it('reads schemas that refer to each other, and references that lead nowhere or to other files', async () => {
    const { text, leftOut } = await read('api.yaml', {
      openapi: '3.0.0',
      paths: { '/a': { $ref: 'a.yaml#/get' } },
      components: {
        schemas: {
          A: { allOf: [{ $ref: '#/components/schemas/B' }, { properties: { a: { type: 'string' } } }] },
          B: { allOf: [{ $ref: '#/components/schemas/A' }], properties: { b: { $ref: '#/nowhere' } } },
          C: { $ref: '#/components/schemas/C' },
        },
      },
    });
    expect(text).toContain('### A\nType: [B](#/components/schemas/B) and object.\n');
    expect(text.match(/\| `a` \| string \|/g)).toHaveLength(2);
    expect(text).toContain('| `b` | [nowhere](#/nowhere) |');
    expect(text).toContain('### C\n');
    expect(leftOut).toEqual(['other files to which references are not followed: 1, such as a.yaml']);
  });

  it('keeps a text with tags that do not end from hiding what follows', async () => {
    const { text } = await read('api.json', {
      openapi: '3.0.0',
      info: { title: 'T', description: 'Uses <b>bold</b> and <script> tags.' },
      paths: { '/a': { get: { description: '<table> without end', responses: {} } }, '/b': { get: {} } },
    });
    expect(text).toContain('<script> tags.');
    expect(text).toContain('<table> without end');
    expect(text).toContain('### GET /b');
  });

  // OpenAPI 3.2, 4.9 (Path Item Object)
  it('has operations of other methods', async () => {
    const one = { summary: 'Moves a ship.', responses: {} };
    const paths = { '/ships': { post: one, additionalOperations: { COPY: { summary: 'Copies it.' } } } };
    const { text } = await read('a.json', { openapi: '3.2.0', info: { title: 'A' }, paths });
    expect(text).toContain('### POST /ships\nMoves a ship.\n### COPY /ships\nCopies it.');
  });

  it('counts further documents of a file', async () => {
    const first = '# A\n---\nopenapi: 3.0.0\ninfo: { title: A }\n';
    expect((await read('a.yaml', first)).leftOut).toEqual([]);
    const { title, leftOut } = await read('a.yaml', `${first}---\nopenapi: 3.0.0\ninfo: { title: B }\n---\n`);
    expect(title).toBe('A');
    expect(leftOut).toEqual(['only the first of 2 documents in it is read']);
  });

  it('names the line of damaged YAML', async () => {
    await expect(read('a.yaml', 'openapi: 3.0.0\npaths: {a: [}\n')).rejects.toThrow(
      /^line 2: its YAML is damaged/,
    );
  });

  it.each([
    ['an alias', 'x-a: &a Ships sail.\ninfo: { title: T, description: *a }\n'],
    ['a word with a mark of anchors', 'info: { title: T, description: "Ships sail." }\nx-b: R &D\n'],
    [
      'the last of equal keys',
      'info: { title: T, description: No. }\ninfo: { title: T, description: Ships sail. }\n',
    ],
    ['a tag', 'info: !!map { title: T, description: !!str Ships sail. }\n'],
    ['a block', 'info:\n  title: T\n  description: >-\n    Ships\n    sail.\n'],
  ])('reads YAML with %s', async (_, yaml) => {
    expect((await read('a.yaml', `openapi: 3.0.0\n${yaml}`)).text).toBe('# T\nShips sail.\n## Operations');
  });

  it('stops at aliases that expand without end', async () => {
    const rows = Array.from(
      { length: 9 },
      (_, i) => `x${i + 1}: &x${i + 1} [${Array(9).fill(`*x${i}`).join(', ')}]`,
    );
    const bomb = ['openapi: 3.0.0', 'x-0: &x0 [a, a]', ...rows.map((row) => `x-${row}`)].join('\n');
    await expect(read('a.yaml', bomb)).rejects.toThrow('alias');
  });
});

describe('AsyncAPI', () => {
  it('reads channels with their operations and messages in version 2', async () => {
    const { text } = await read('events.yml', {
      asyncapi: '2.6.0',
      info: { title: 'Events', version: '1' },
      channels: {
        'ship/arrived': {
          description: 'Ships that arrive.',
          subscribe: { operationId: 'onArrival', message: { $ref: '#/components/messages/Arrival' } },
        },
      },
      components: {
        messages: { Arrival: { payload: { type: 'object', properties: { berth: { type: 'integer' } } } } },
      },
    });
    expect(text).toContain(
      '### ship/arrived\nShips that arrive.\n#### subscribe ship/arrived\nOperation id: `onArrival`.',
    );
    expect(text).toContain('Message: `Arrival`, object.');
    expect(text).toContain('### Arrival\nPayload: object.\n| Property |');
  });

  it('reads channels and operations in version 3', async () => {
    const { text } = await read('events.json', {
      asyncapi: '3.0.0',
      info: { title: 'Events', version: '1' },
      channels: {
        arrivals: {
          address: 'ship.{port}.arrived',
          parameters: { port: { description: 'Code of the port.' } },
          messages: { Arrival: { summary: 'A ship is here.', payload: { type: 'string' } } },
        },
      },
      operations: {
        onArrival: { action: 'receive', channel: { $ref: '#/channels/arrivals' }, summary: 'Counts ships.' },
      },
    });
    expect(text).toContain('### arrivals\nAddress: `ship.{port}.arrived`.\nParameters:\n');
    expect(text).toContain('| `port` | string | no | Code of the port. |');
    expect(text).toContain('A ship is here.');
    expect(text).toContain('### onArrival\nAction: `receive`, channel `arrivals`.\nCounts ships.');
  });
});

describe('JSON Schema', () => {
  it('has its properties as a table, and a section for each definition', async () => {
    const { title, text } = await read('berth.json', {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Berth',
      description: 'A place for a ship.',
      type: 'object',
      properties: {
        cranes: { type: 'array', items: { type: 'object', properties: { load: { type: 'number' } } } },
      },
      $defs: { Depth: { type: 'number', description: 'In metres.' } },
    });
    expect(title).toBe('Berth');
    expect(text).toContain('# Berth\nA place for a ship.\nType: object.\n');
    expect(text).toContain('| `cranes[].load` | number | no |  |');
    expect(text).toContain('### Depth\nIn metres.\nType: number.');
  });
});
