import { setTimeout as after } from 'node:timers/promises';
import { ServiceUnavailableException } from '@nestjs/common';
import { BackendUnavailableError } from '../../../../src/core/errors.js';
import type { SectionIndex } from '../../../../src/core/ports/section-index.port.js';
import { Draining } from '../../../../src/mcp/http/draining.js';
import { HealthController } from '../../../../src/mcp/http/health.controller.js';

type Answer = () => void;

/** An index that answers when it is told to. */
function anIndex() {
  const waiting: { readonly answer: Answer; readonly fail: Answer }[] = [];
  const gone = new BackendUnavailableError('Gone.', { reason: 'index_missing', hint: 'Index it.' });
  const stamp = () =>
    new Promise<void>((resolve, reject) =>
      waiting.push({ answer: () => resolve(), fail: () => reject(gone) }),
    );
  return { index: { stamp } as unknown as SectionIndex, waiting };
}

describe('HealthController', () => {
  it('waits for the first answer of the index', async () => {
    const { index, waiting } = anIndex();
    const asked = new HealthController(index, new Draining()).check();
    await after(60);
    waiting[0]?.fail();
    await expect(asked).rejects.toMatchObject({
      response: { status: 'unavailable', reason: 'index_missing' },
    });
  });

  it('does not wait long for a busy index that has answered before, and asks it once for all checks', async () => {
    const { index, waiting } = anIndex();
    const health = new HealthController(index, new Draining());
    const first = health.ready();
    waiting[0]?.answer();
    await first;
    expect(await Promise.all([health.check(), health.ready(), health.check()])).toEqual([
      { status: 'ok' },
      { status: 'ok' },
      { status: 'ok' },
    ]);
    expect(waiting).toHaveLength(2);
  });

  it('reports a failure that comes late to the next check, and the recovery at once', async () => {
    const { index, waiting } = anIndex();
    const health = new HealthController(index, new Draining());
    const first = health.ready();
    waiting[0]?.answer();
    await first;
    await health.ready();
    waiting[1]?.fail();
    await after(0);
    const failing = health.ready();
    await after(60);
    waiting[2]?.fail();
    await expect(failing).rejects.toThrow(ServiceUnavailableException);
    const recovered = health.ready();
    waiting[3]?.answer();
    expect(await recovered).toEqual({ status: 'ok' });
  });
});
