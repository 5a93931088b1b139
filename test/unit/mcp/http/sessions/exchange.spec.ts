import { setImmediate as nextTurn } from 'node:timers/promises';
import { type JSONRPCMessage, McpServer } from '@modelcontextprotocol/server';
import type { Response } from 'express';
import { Exchange } from '../../../../../src/mcp/http/sessions/exchange.js';
import { Exchanges } from '../../../../../src/mcp/http/sessions/exchanges.js';

const SENDER = { principal: 'ada', session: 's1' };

/** A response that keeps what is written to it. */
class Recorded {
  type = '';
  text = '';
  writableEnded = false;
  writableNeedDrain = false;
  on = () => this;
  status = () => this;
  json = (value: unknown) => this.end(JSON.stringify(value));
  writeHead = (_: number, headers: Record<string, string>) => {
    this.type = headers['Content-Type'] ?? '';
    return this;
  };
  /** As Node does, where nobody listens for the error. */
  write = (text: string) => {
    if (this.writableEnded) throw new Error('write after end');
    this.text += text;
  };
  end = (text = '') => {
    this.text += text;
    this.writableEnded = true;
  };
}

const request = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, method: 'tools/call' });
const PING: JSONRPCMessage = { jsonrpc: '2.0', id: 1, method: 'ping' };
const answer = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, result: {} });
const PROGRESS: JSONRPCMessage = { jsonrpc: '2.0', method: 'notifications/progress' };
const CANCEL = { jsonrpc: '2.0' as const, method: 'notifications/cancelled', params: { requestId: 1 } };

async function exchanging(messages: JSONRPCMessage[], exchanges = new Exchanges()) {
  const response = new Recorded();
  const received: JSONRPCMessage[] = [];
  const noted: JSONRPCMessage[] = [];
  const exchange = new Exchange({
    ...{ sender: SENDER, opening: null, messages, exchanges, isBatch: messages.length > 1 },
    response: response as unknown as Response,
    onAnswer: () => undefined,
    onNote: (message) => void noted.push(message),
  });
  exchange.onmessage = (message: JSONRPCMessage) => void received.push(message);
  await exchange.run();
  return { exchange, exchanges, response, received, noted };
}

describe('Exchange', () => {
  const opening = { capabilities: { elicitation: { form: {} } }, client: { name: 'host', version: '1' } };

  function introducing() {
    const response = new Recorded();
    const server = new McpServer({ name: 'pith', version: '1' });
    const exchange = new Exchange({
      ...{ sender: SENDER, opening, messages: [PING], exchanges: new Exchanges(), isBatch: false },
      response: response as unknown as Response,
      onAnswer: () => undefined,
      onNote: () => undefined,
    });
    return { exchange, response, server };
  }

  it('introduces the client of a session to the server, and sends the answer to the request alone', async () => {
    const { exchange, response, server } = introducing();
    await server.connect(exchange);
    await exchange.run();
    await nextTurn();
    expect(server.server.getClientVersion()).toEqual(opening.client);
    expect(server.server.getClientCapabilities()).toEqual(opening.capabilities);
    expect(JSON.parse(response.text)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });

  it('delivers nothing if the connection closes before', async () => {
    const { exchange, response, server } = introducing();
    await server.connect(exchange);
    const isRun = exchange.run();
    await server.close();
    await isRun;
    await nextTurn();
    expect(response.text).toBe('');
  });

  it('answers with JSON if nothing comes before the answer, and batches together', async () => {
    const one = await exchanging([request(1)]);
    await one.exchange.send(answer(1));
    const two = await exchanging([request(1), request(2)]);
    await two.exchange.send(answer(2));
    expect(two.response.writableEnded).toBe(false);
    await two.exchange.send(answer(1));
    expect([one.response.text, two.response.text]).toEqual([
      JSON.stringify(answer(1)),
      JSON.stringify([answer(2), answer(1)]),
    ]);
  });

  it('becomes a stream of events when something comes before the answer', async () => {
    const { exchange, response } = await exchanging([request(1)]);
    await exchange.send(PROGRESS);
    await exchange.send(answer(1));
    expect(response.type).toBe('text/event-stream');
    expect(response.text).toBe(
      `event: message\ndata: ${JSON.stringify(PROGRESS)}\n\nevent: message\ndata: ${JSON.stringify(answer(1))}\n\n`,
    );
    expect(response.writableEnded).toBe(true);
  });

  it('passes the answer to a question on, once, if its principal gives it', async () => {
    const { exchange, exchanges, response, received } = await exchanging([request(1)]);
    await exchange.send({ jsonrpc: '2.0', id: 0, method: 'elicitation/create' });
    const id: string = JSON.parse(response.text.split('data: ')[1] ?? '').id;
    const given: JSONRPCMessage = { jsonrpc: '2.0', id, result: { action: 'accept' } };
    expect(exchanges.answer('bob', id, given)).toBe(false);
    expect(exchanges.answer('ada', id, given)).toBe(true);
    expect(exchanges.answer('ada', id, given)).toBe(false);
    expect(received.at(-1)).toEqual({ ...given, id: 0 });
  });

  it('ends the response of a request that its session cancels', async () => {
    const { exchanges, response, received } = await exchanging([request(1)]);
    exchanges.cancel({ ...SENDER, session: 's2' }, 1, CANCEL);
    exchanges.cancel({ ...SENDER, principal: 'bob' }, 1, CANCEL);
    expect(response.writableEnded).toBe(false);
    exchanges.cancel(SENDER, 1, CANCEL);
    expect([received.at(-1), response.text, response.writableEnded]).toEqual([CANCEL, '', true]);
  });

  it('sends nothing after a cancellation, even what its call says in its last moment', async () => {
    const { exchange, exchanges, response } = await exchanging([request(1)]);
    await exchange.send(PROGRESS);
    exchanges.cancel(SENDER, 1, CANCEL);
    const { text } = response;
    await exchange.send(PROGRESS);
    await exchange.send(answer(1));
    exchanges.cancel(SENDER, 1, CANCEL);
    expect([response.text, response.writableEnded]).toEqual([text, true]);
  });

  it('ends the response of a batch that cancels its own request, and passes other messages on', async () => {
    const other = { ...CANCEL, params: { requestId: 7 } };
    const { response, received, noted } = await exchanging([request(1), CANCEL, other]);
    expect([received, noted, response.writableEnded]).toEqual([[request(1), CANCEL], [other], true]);
  });

  it('withdraws a question by the id that its client knows', async () => {
    const { exchange, exchanges, response } = await exchanging([request(1)]);
    await exchange.send({ jsonrpc: '2.0', id: 5, method: 'elicitation/create' });
    await exchange.send({ ...CANCEL, params: { requestId: 5, reason: 'timeout' } });
    const [asked, withdrawn] = response.text
      .split('data: ')
      .slice(1)
      .map((data) => JSON.parse(data.split('\n')[0] ?? ''));
    expect(withdrawn.params).toEqual({ requestId: asked.id, reason: 'timeout' });
    expect(exchanges.answer('ada', asked.id, { jsonrpc: '2.0', id: asked.id, result: {} })).toBe(false);
  });

  it('asks one principal at most a hundred questions at a time', async () => {
    const { exchange, exchanges } = await exchanging([request(1)]);
    const ask = (id: number) => exchange.send({ jsonrpc: '2.0', id, method: 'elicitation/create' });
    for (let id = 0; id < 100; id++) await ask(id);
    await expect(ask(100)).rejects.toThrow('too many questions');
    await exchange.close();
    const next = await exchanging([request(2)], exchanges);
    await next.exchange.send({ jsonrpc: '2.0', id: 1, method: 'elicitation/create' });
    expect(next.response.text).toContain('elicitation/create');
  });

  it('forgets its questions and requests when it closes', async () => {
    const { exchange, exchanges, response, received } = await exchanging([request(1)]);
    await exchange.send({ jsonrpc: '2.0', id: 0, method: 'elicitation/create' });
    const id: string = JSON.parse(response.text.split('data: ')[1] ?? '').id;
    await exchange.close();
    exchanges.cancel(SENDER, 1, CANCEL);
    expect(exchanges.answer('ada', id, { jsonrpc: '2.0', id, result: {} })).toBe(false);
    expect([received.length, response.writableEnded]).toEqual([1, true]);
  });
});
