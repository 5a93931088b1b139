import { setImmediate as nextTurn } from 'node:timers/promises';
import { HttpException } from '@nestjs/common';
import type { Request, Response } from 'express';
import { holdSteps, onePerTurn } from '../../../../src/core/turns/clock.js';
import { RequestQueue } from '../../../../src/mcp/http/request-queue.js';

/** Sends requests to a middleware and notes which it has started. */
function aServer(now = () => 0) {
  const turns = new RequestQueue(
    ({ headers, socket }) => headers.authorization ?? String(socket.remoteAddress),
    now,
  );
  const started: unknown[] = [];
  const send = (name: string, authorization?: string, from: object = {}) => {
    const socket = { readable: true, remoteAddress: '10.0.0.1', ...from };
    const response = { socket, setHeader: jest.fn() };
    const request = { headers: { authorization }, socket } as unknown as Request;
    turns.wait(request, response as unknown as Response, (error?: unknown) => {
      started.push(error ?? name);
    });
    return response;
  };
  return { send, started, turns };
}

describe('Turns', () => {
  it('starts one request in each turn of the event loop, in their order', async () => {
    const { send, started } = aServer();
    for (const name of ['a', 'b', 'c']) send(name);
    expect(started).toEqual([]);
    await nextTurn();
    await nextTurn();
    expect(started).toEqual(['a']);
    await nextTurn();
    expect(started).toEqual(['a', 'b']);
  });

  it('starts none while connections arrive', async () => {
    const { send, started, turns } = aServer();
    send('a');
    for (let i = 0; i < 5; i++) {
      turns.arrive();
      await nextTurn();
    }
    expect(started).toEqual([]);
    await nextTurn();
    expect(started).toEqual(['a']);
  });

  it('starts none while a running call waits for its next step', async () => {
    const { send, started } = aServer();
    for (let i = 0; i < 3; i++) onePerTurn(() => undefined);
    send('a');
    await nextTurn();
    await nextTurn();
    expect(started).toEqual([]);
    for (let i = 0; i < 2; i++) await nextTurn();
    expect(started).toEqual(['a']);
  });

  it('starts one all the same after fifty milliseconds', async () => {
    let time = 5;
    const { send, started } = aServer(() => time);
    for (const name of ['a', 'b', 'c']) {
      send(name);
      await nextTurn();
    }
    expect(started).toEqual([]);
    time = 50;
    send('d');
    await nextTurn();
    expect(started).toEqual(['a']);
  });

  it('starts none while steps are held, however long that takes', async () => {
    let time = 5;
    const { send, started } = aServer(() => (time += 100));
    const release = holdSteps();
    send('a');
    for (let i = 0; i < 5; i++) await nextTurn();
    expect(started).toEqual([]);
    release();
    await nextTurn();
    expect(started).toEqual(['a']);
  });

  it('lets callers take turns', async () => {
    const { send, started } = aServer();
    for (const name of ['a1', 'a2', 'a3']) send(name, 'Bearer a');
    send('b1', 'Bearer b');
    for (const name of ['c1', 'c2']) send(name, undefined, { remoteAddress: '10.0.0.3' });
    send('d1', undefined, { remoteAddress: '10.0.0.4' });
    for (let i = 0; i < 8; i++) await nextTurn();
    expect(started).toEqual(['a1', 'b1', 'c1', 'd1', 'a2', 'c2', 'a3']);
  });

  it('forgets a request whose connection has closed', async () => {
    const { send, started } = aServer();
    const gone = send('a');
    send('b');
    gone.socket.readable = false;
    await nextTurn();
    await nextTurn();
    expect(started).toEqual(['b']);
  });

  it('refuses the last request of the caller with the most if a thousand wait', async () => {
    const { send, started } = aServer();
    const waits = Array.from({ length: 1_000 }, () => send('many', 'Bearer a'));
    send('one', 'Bearer b');
    expect(started).toHaveLength(1);
    expect((started[0] as HttpException).getStatus()).toBe(503);
    expect(waits.at(-1)?.setHeader).toHaveBeenCalledWith('Retry-After', '1');
    for (let i = 0; i < 3; i++) await nextTurn();
    expect(started.slice(1)).toEqual(['many', 'one']);
  });

  it('goes on after it has refused a caller with one request', async () => {
    const { send, started } = aServer();
    for (let i = 0; i < 1_001; i++) send(`${i}`, `Bearer ${i}`);
    send('last', 'Bearer 7');
    for (let i = 0; i < 1_010; i++) await nextTurn();
    const names = started.filter((each) => typeof each === 'string');
    expect(names).toHaveLength(1_000);
    expect(names.slice(-1)).toEqual(['999']);
  });

  it('refuses a request if a thousand wait, and says when to come again', () => {
    const { send, started } = aServer();
    for (let i = 0; i < 1_000; i++) send('waits');
    const refused = send('too many');
    expect(started).toHaveLength(1);
    expect((started[0] as HttpException).getStatus()).toBe(503);
    expect(refused.setHeader).toHaveBeenCalledWith('Retry-After', '1');
  });
});
