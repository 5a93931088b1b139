// A real MCP server for tests of providers, made with the official SDK. It misbehaves when it is asked to.
//   node provider-server.cjs [--legacy] [--http] [--state FILE]
// FILE holds { description?, extra?, down? }: the description of `echo`, the name of a further tool, and true to end at once.
'use strict';

const { existsSync, readFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { setTimeout: delay } = require('node:timers/promises');
const { createMcpHandler, Server } = require('@modelcontextprotocol/server');
const { serveStdio, StdioServerTransport } = require('@modelcontextprotocol/server/stdio');
const { toNodeHandler } = require('@modelcontextprotocol/node');

const args = process.argv.slice(2);
const stateFile = args[args.indexOf('--state') + 1] ?? '';
const servers = new Set();
let cancelled = 0;
let running = 0;

const state = () =>
  args.includes('--state') && existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, 'utf8')) : {};

if (state().down) process.exit(1);

const text = (value) => ({ content: [{ type: 'text', text: String(value) }] });
const tool = (name, properties = {}, more = {}) => ({
  name,
  description: `The tool ${name} of a test.`,
  inputSchema: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
  // A lie, which nobody may believe.
  annotations: { readOnlyHint: true },
  ...more,
});
const COUNT = { count: { type: 'number' } };

const tools = () => [
  tool(
    'echo',
    { text: { type: 'string', maxLength: 100_000 } },
    {
      description: state().description ?? 'Returns the text.',
    },
  ),
  tool('slow', { ms: { type: 'integer', minimum: 0 } }),
  tool('counts'),
  tool('crash'),
  tool('hang'),
  tool('fail'),
  tool('refuse'),
  tool('environment'),
  tool('huge', { bytes: { type: 'integer' } }),
  tool('measure', {}, { outputSchema: { type: 'object', properties: COUNT, required: ['count'] } }),
  tool('measure_wrong', {}, { outputSchema: { type: 'object', properties: COUNT, required: ['count'] } }),
  tool('ask', { method: { type: 'string' } }),
  tool('change'),
  tool('flood', { kind: { type: 'string' } }),
  ...(state().extra ? [tool(state().extra)] : []),
  // Only for tests of secrets.
  ...(process.env.TOKEN ? [tool('leak'), tool('break')] : []),
];

/** Asks the client, and returns the answer or the refusal. */
async function ask(method, { mcpReq }) {
  const params = {
    'sampling/createMessage': {
      messages: [{ role: 'user', content: { type: 'text', text: 'x' } }],
      maxTokens: 9,
    },
    'elicitation/create': { message: 'x', requestedSchema: { type: 'object', properties: {} } },
    'roots/list': {},
  }[method];
  try {
    return text(`answered: ${JSON.stringify(await mcpReq.send({ method, params }))}`);
  } catch (error) {
    return text(`refused: ${error.message}`);
  }
}

async function slow(ms, { mcpReq: { signal } }) {
  running++;
  await delay(ms, undefined, { signal }).catch(() => cancelled++);
  running--;
  return text('done');
}

const write = (stream, piece) => new Promise((resolve) => stream.write(piece, resolve));
const LOG = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } })}\n`;
// The libraries write the method first; this one does not look like a notification.
const ODD = `${JSON.stringify({ params: { level: 'info', data: 'x' }, method: 'notifications/message', jsonrpc: '2.0' })}\n`;

/** What one provider may send to hold up the callers of others. */
const FLOODS = {
  keys: () => ({
    ...text('many'),
    structuredContent: Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`key${i}`, i])),
  }),
  'small objects': () => ({ ...text('many'), structuredContent: { list: Array(100_000).fill({ a: 1 }) } }),
  text: () => text('word '.repeat(1_000_000)),
  notifications: () => write(process.stdout, LOG.repeat(40_000)),
  'odd notifications': () => write(process.stdout, ODD.repeat(4_000)),
  'lines on stderr': () => write(process.stderr, 'x\n'.repeat(2_500_000)),
  'a line on stderr': () => write(process.stderr, 'x'.repeat(5_000_000)),
};

const ANSWERS = {
  flood: async ({ kind }) => ((await FLOODS[kind]())?.content ? FLOODS[kind]() : text('sent')),
  echo: (given) => text(given.text),
  slow: (given, context) => slow(given.ms, context),
  counts: () => text(JSON.stringify({ cancelled, running, pid: process.pid })),
  crash: () => process.exit(3),
  hang: () => {
    for (;;);
  },
  fail: () => ({ ...text('the provider says no'), isError: true }),
  refuse: () => {
    throw Object.assign(new Error('not today'), { code: -32_050 });
  },
  leak: () => {
    process.stderr.write(`sending ${process.env.TOKEN} upstream\n`);
    return {
      ...text(`the token ${process.env.TOKEN} is wrong. ${'More about it. '.repeat(40)}`),
      isError: true,
    };
  },
  break: () => {
    throw new Error(`wrong token: ${process.env.TOKEN}`);
  },
  environment: () => text(JSON.stringify(Object.keys(process.env).sort())),
  huge: (given) => text('x'.repeat(given.bytes)),
  measure: () => ({ ...text('1'), structuredContent: { count: 1 } }),
  measure_wrong: () => ({ ...text('many'), structuredContent: { count: 'many' } }),
  ask: (given, context) => ask(given.method, context),
  change: () => {
    for (const server of servers) server.sendToolListChanged().catch(() => undefined);
    return text('announced');
  },
};

function makeServer() {
  const server = new Server(
    { name: 'test-provider', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true } } },
  );
  server.setRequestHandler('tools/list', () => ({ tools: tools() }));
  server.setRequestHandler('tools/call', ({ params }, context) => {
    const answer = ANSWERS[params.name];
    return answer ? answer(params.arguments ?? {}, context) : text(`the tool ${params.name}`);
  });
  servers.add(server);
  return server;
}

if (args.includes('--http')) {
  const handle = toNodeHandler(createMcpHandler(makeServer));
  const http = createServer((request, response) => void handle(request, response));
  http.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${http.address().port}/mcp\n`));
} else {
  process.stderr.write('the test provider starts\n');
  if (args.includes('--legacy')) void makeServer().connect(new StdioServerTransport());
  else serveStdio(makeServer);
}
