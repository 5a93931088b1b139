import { strToU8 } from 'fflate';
import { convertFixture } from '../../../support/convert-fixture.js';

const read = async (file: object) =>
  (await convertFixture('api.json', strToU8(JSON.stringify(file)))).lines.join('\n');
const schema = (body: object) => read({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...body });

describe('texts of schemas', () => {
  it('has the properties of objects in a list or map that is named', async () => {
    const crate = { type: 'object', properties: { weight: { type: 'number', description: 'In tons.' } } };
    const text = await schema({
      $defs: {
        Load: { type: 'array', items: crate },
        Yards: { type: 'object', additionalProperties: crate },
      },
    });
    expect(text).toContain('| `[].weight` | number | no | In tons. |');
    expect(text).toContain('| `*.weight` | number | no | In tons. |');
  });

  it('has the properties of objects in lists that are kinds, and of lists with a kind for each place', async () => {
    const hull = { type: 'object', properties: { steel: { type: 'boolean', description: 'Not wood.' } } };
    const text = await schema({
      properties: { hulls: { oneOf: [{ type: 'string' }, { type: 'array', items: [hull] }] } },
      if: { required: ['hulls'] },
      then: { properties: { keel: { description: 'Of the first hull.' } } },
    });
    expect(text).toContain('| `keel` | any | no | Of the first hull. |');
    expect(text).toContain('| `hulls[].steel` | boolean | no | Not wood. |');
  });

  it('has the descriptions and values of the kinds and items of a schema', async () => {
    const text = await schema({
      properties: {
        berth: {
          oneOf: [
            { title: 'North', const: 0 },
            { const: 1, description: 'Behind the mole.' },
          ],
        },
        flags: { type: 'array', items: { enum: ['wet', 'dry'], description: 'How it is stored.' } },
      },
    });
    expect(text).toContain('North. Always `0`. Behind the mole. Always `1`.');
    expect(text).toContain('How it is stored. One of: `wet`, `dry`.');
  });

  it('has named schemas that stand in groups', async () => {
    const depth = { type: 'number', description: 'In fathoms.' };
    const text = await schema({
      definitions: {
        Sea: { Deep: { type: 'object', properties: { depth } } },
        Map: { items: { type: 'string' } },
      },
      properties: { a: { $ref: '#/definitions/Sea/Deep' } },
    });
    expect(text).toContain('### Deep');
    expect(text).toContain('In fathoms.');
    expect(text).toContain('### Map');
  });

  it('has a title beside the description, unless it is the name in other letters', async () => {
    const text = await schema({
      properties: {
        imo: { type: 'string', title: 'Number of the hull', description: 'Seven digits.' },
        owner_name: { type: 'string', title: 'Owner Name', description: 'A person.' },
      },
    });
    expect(text).toContain('| Number of the hull. Seven digits. |');
    expect(text).toContain('| A person. |');
  });
});

describe('texts about an API', () => {
  it('has the contact, the license, and the variables of servers', async () => {
    const text = await read({
      openapi: '3.1.0',
      info: { title: 'Harbour', contact: { name: 'Port office' }, license: { name: 'MIT' } },
      servers: [
        { url: 'https://{quay}.example', variables: { quay: { default: 'a', description: 'The quay.' } } },
      ],
    });
    expect(text).toContain('Contact: Port office');
    expect(text).toContain('License: MIT');
    expect(text).toContain('`quay`: The quay. Default: `a`.');
  });

  it('has the description of an inline schema of a parameter without one', async () => {
    const parameter = { name: 'q', in: 'query', schema: { type: 'string', description: 'Words to find.' } };
    const text = await read({
      openapi: '3.0.0',
      info: {},
      paths: { '/a': { get: { parameters: [parameter] } } },
    });
    expect(text).toContain('Words to find.');
  });

  it('has the bindings, tags and correlation ids of AsyncAPI, and the headers of traits', async () => {
    const query = { type: 'object', properties: { bids: { type: 'boolean', description: 'With bids.' } } };
    const text = await read({
      asyncapi: '3.0.0',
      info: { title: 'Market' },
      servers: { main: { host: 'a.example', tags: [{ name: 'env:test', description: 'For tests.' }] } },
      channels: { book: { bindings: { ws: { query } } } },
      components: {
        messages: {
          Bid: {
            correlationId: { description: 'Of the request.', location: '$message.header#/id' },
            traits: [{ $ref: '#/components/messageTraits/Common' }],
          },
        },
        messageTraits: { Common: { headers: { properties: { hop: { description: 'Times sent on.' } } } } },
      },
    });
    expect(text).toContain('`env:test`: For tests.');
    expect(text).toContain('With bids.');
    expect(text).toContain('Correlation id: Of the request.');
    expect(text).toContain('Times sent on.');
  });
});
