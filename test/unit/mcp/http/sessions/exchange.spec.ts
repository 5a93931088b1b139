import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import type { Response } from 'express';
import { Exchange } from '../../../../../src/mcp/http/sessions/exchange.js';
import { Exchanges } from '../../../../../src/mcp/http/sessions/exchanges.js';

const SENDER = { principal: 'ada', session: 's1' };

/** A response that keeps what is written to it. */
class Recorded {
  type = '';
  text = '';
  writableEnded = false;
  status = () => this;
  json = (value: unknown) => this.end(JSON.stringify(value));
  writeHead = (_: number, headers: Record<string, string>) => {
    this.type = headers['Content-Type'] ?? '';
    return this;
  };
  write = (text: string) => (this.text += text);
  end = (text = '') => {
    this.text += text;
    this.writableEnded = true;
  };
}

const request = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, method: 'tools/call' });
const answer = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, result: {} });
const PROGRESS: JSONRPCMessage = { jsonrpc: '2.0', method: 'notifications/progress' };
const CANCEL = { jsonrpc: '2.0' as const, method: 'notifications/cancelled', params: { requestId: 1 } };

function exchanging(messages: JSONRPCMessage[], exchanges = new Exchanges()) {
  const response = new Recorded();
  const received: JSONRPCMessage[] = [];
  const exchange = new Exchange({
    ...{ sender: SENDER, messages, exchanges, isBatch: messages.length > 1 },
    response: response as unknown as Response,
    onAnswer: () => undefined,
  });
  exchange.onmessage = (message: JSONRPCMessage) => void received.push(message);
  exchange.run();
  return { exchange, exchanges, response, received };
}

describe('Exchange', () => {
  it('answers with JSON if nothing comes before the answer, and batches together', async () => {
    const one = exchanging([request(1)]);
    await one.exchange.send(answer(1));
    const two = exchanging([request(1), request(2)]);
    await two.exchange.send(answer(2));
    expect(two.response.writableEnded).toBe(false);
    await two.exchange.send(answer(1));
    expect([one.response.text, two.response.text]).toEqual([
      JSON.stringify(answer(1)),
      JSON.stringify([answer(2), answer(1)]),
    ]);
  });

  it('becomes a stream of events when something comes before the answer', async () => {
    const { exchange, response } = exchanging([request(1)]);
    await exchange.send(PROGRESS);
    await exchange.send(answer(1));
    expect(response.type).toBe('text/event-stream');
    expect(response.text).toBe(
      `event: message\ndata: ${JSON.stringify(PROGRESS)}\n\nevent: message\ndata: ${JSON.stringify(answer(1))}\n\n`,
    );
    expect(response.writableEnded).toBe(true);
  });

  it('passes the answer to a question on, once, if its principal gives it', async () => {
    const { exchange, exchanges, response, received } = exchanging([request(1)]);
    await exchange.send({ jsonrpc: '2.0', id: 0, method: 'elicitation/create' });
    const id: string = JSON.parse(response.text.split('data: ')[1] ?? '').id;
    const given: JSONRPCMessage = { jsonrpc: '2.0', id, result: { action: 'accept' } };
    expect(exchanges.answer('bob', id, given)).toBe(false);
    expect(exchanges.answer('ada', id, given)).toBe(true);
    expect(exchanges.answer('ada', id, given)).toBe(false);
    expect(received.at(-1)).toEqual({ ...given, id: 0 });
  });

  it('ends the response of a request that its session cancels', () => {
    const { exchanges, response, received } = exchanging([request(1)]);
    exchanges.cancel({ ...SENDER, session: 's2' }, 1, CANCEL);
    exchanges.cancel({ ...SENDER, principal: 'bob' }, 1, CANCEL);
    expect(response.writableEnded).toBe(false);
    exchanges.cancel(SENDER, 1, CANCEL);
    expect([received.at(-1), response.text, response.writableEnded]).toEqual([CANCEL, '', true]);
  });

  it('forgets its questions and requests when it closes', async () => {
    const { exchange, exchanges, response, received } = exchanging([request(1)]);
    await exchange.send({ jsonrpc: '2.0', id: 0, method: 'elicitation/create' });
    const id: string = JSON.parse(response.text.split('data: ')[1] ?? '').id;
    await exchange.close();
    exchanges.cancel(SENDER, 1, CANCEL);
    expect(exchanges.answer('ada', id, { jsonrpc: '2.0', id, result: {} })).toBe(false);
    expect([received.length, response.writableEnded]).toEqual([1, true]);
  });
});
