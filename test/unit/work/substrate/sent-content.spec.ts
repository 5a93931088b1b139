import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Request } from 'express';
import { sentContent } from '../../../../src/work/substrate/artifact-routes.controller.js';
import { joined } from '../../../support/a-substrate.js';

/** A request with a body that a test writes. */
function aRequest(headers: Readonly<Record<string, string>> = {}) {
  const body = new PassThrough();
  const request = Object.assign(body, { get: (name: string) => headers[name] });
  return { body, sent: sentContent(request as unknown as Request) };
}

const NEVER = new AbortController().signal;

describe('sentContent', () => {
  it('has the bytes in their order, and the length that is declared', async () => {
    const { body, sent } = aRequest({ 'content-length': '4' });
    body.write('ab');
    body.end('cd');
    expect((await joined(sent.read(NEVER))).toString()).toBe('abcd');
    expect(sent.declaredBytes).toBe(4);
    expect(aRequest().sent.declaredBytes).toBeNull();
  });

  it('keeps no part that was read', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const { body, sent } = aRequest();
    const parts = sent.read(NEVER)[Symbol.asyncIterator]();
    const seen: WeakRef<Uint8Array>[] = [];
    for (let i = 0; i < 50; i++) {
      body.write(Buffer.alloc(1_024, i));
      seen.push(new WeakRef((await parts.next()).value as Uint8Array));
    }
    await nextTurn();
    collect();
    const kept = seen.filter((part) => part.deref() !== undefined);
    expect(kept.length).toBeLessThan(5);
    await parts.return?.();
  });

  it('fails if the body ends early', async () => {
    const { body, sent } = aRequest();
    body.write('ab');
    const reading = joined(sent.read(NEVER));
    body.destroy(new Error('aborted'));
    await expect(reading).rejects.toMatchObject({ reason: 'body_incomplete' });
  });

  it.each([[0], [10]])('ends with the signal, after %d ms, and leaves the connection alone', async (ms) => {
    const { body, sent } = aRequest();
    const over = new AbortController();
    const reason = new Error('the deadline has passed');
    if (ms === 0) over.abort(reason);
    else setTimeout(() => over.abort(reason), ms);
    await expect(joined(sent.read(over.signal))).rejects.toBe(reason);
    expect(body.destroyed).toBe(false);
  });
});
