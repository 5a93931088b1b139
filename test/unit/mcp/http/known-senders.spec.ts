import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { KnownSenders } from '../../../../src/mcp/http/known-senders.js';
import { BEARER, LOCAL, type Principal, setPrincipal } from '../../../../src/mcp/principals.js';

const requestWith = (authorization?: string, remoteAddress = '10.0.0.1'): Request =>
  Object.assign(new EventEmitter(), {
    headers: { authorization },
    socket: Object.assign(new EventEmitter(), { remoteAddress, destroyed: false }),
  }) as unknown as Request;

const named = (name: string): Principal => ({ ...BEARER, name });

/** Answers a request of this principal. */
function answer(senders: KnownSenders, request: Request, principal: Principal | null): void {
  const response = new EventEmitter();
  senders.watch(request, response as Response, () => undefined);
  if (principal) setPrincipal(request, principal);
  response.emit('close');
}

describe('KnownSenders', () => {
  it('takes all that was never accepted from one address for one caller', () => {
    const senders = new KnownSenders();
    for (const text of ['Bearer a', 'Bearer b', 'Basic YTpi', undefined])
      answer(senders, requestWith(text), null);
    const callers = ['Bearer a', 'Bearer b', 'Bearer c', 'Basic YTpi', 'x', undefined].map((text) =>
      senders.callerOf(requestWith(text)),
    );
    expect(new Set(callers).size).toBe(1);
    expect(senders.callerOf(requestWith('Bearer a', '10.0.0.2'))).not.toBe(callers[0]);
  });

  it('takes the addresses of one IPv6 network for one caller', () => {
    const { callerOf } = new KnownSenders();
    const [one, same, other] = ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'].map((address) =>
      callerOf(requestWith('Bearer a', address)),
    );
    expect(same).toBe(one);
    expect(other).not.toBe(one);
  });

  it('takes a principal for one caller, with all its keys, however they are written and wherever it is', () => {
    const senders = new KnownSenders();
    answer(senders, requestWith('Bearer one'), named('ada'));
    answer(senders, requestWith('Bearer two'), named('ada'));
    answer(senders, requestWith('Bearer three'), named('10.0.0.1'));
    const ada = senders.callerOf(requestWith('Bearer one'));
    expect(senders.callerOf(requestWith('Bearer two', '10.0.0.9'))).toBe(ada);
    expect(senders.callerOf(requestWith('bearer   one '))).toBe(ada);
    expect(senders.callerOf(requestWith('Bearer three'))).not.toBe(ada);
    expect(senders.callerOf(requestWith('Bearer three'))).not.toBe(senders.callerOf(requestWith()));
  });

  it('learns nothing on a server that accepts whatever is sent', () => {
    const senders = new KnownSenders();
    answer(senders, requestWith('Bearer a'), LOCAL);
    expect(senders.callerOf(requestWith('Bearer a'))).toBe(senders.callerOf(requestWith()));
  });

  it('remembers ten thousand keys, those that were used last', () => {
    const senders = new KnownSenders();
    for (let i = 0; i <= 10_000; i++) {
      if (i === 10_000) answer(senders, requestWith('Bearer 0'), named('0'));
      answer(senders, requestWith(`Bearer ${i}`), named(`${i}`));
    }
    const unknown = senders.callerOf(requestWith());
    expect(senders.callerOf(requestWith('Bearer 0'))).not.toBe(unknown);
    expect(senders.callerOf(requestWith('Bearer 1'))).toBe(unknown);
    expect(senders.callerOf(requestWith('Bearer 2'))).not.toBe(unknown);
  });
});
