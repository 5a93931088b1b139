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

  describe('after the index has answered', () => {
    let ms = 0;
    beforeEach(() => jest.spyOn(performance, 'now').mockImplementation(() => ms));
    afterEach(() => jest.restoreAllMocks());

    async function answered() {
      const { index, waiting } = anIndex();
      const health = new HealthController(index, new Draining());
      const first = health.ready();
      waiting[0]?.answer();
      await first;
      return { health, waiting };
    }

    it('does not wait within a second, but asks the index again, once for all checks', async () => {
      const { health, waiting } = await answered();
      ms += 999;
      expect(await Promise.all([health.check(), health.ready(), health.check()])).toEqual([
        { status: 'ok' },
        { status: 'ok' },
        { status: 'ok' },
      ]);
      expect(waiting).toHaveLength(2);
    });

    it('reports a failure within that second to the next check', async () => {
      const { health, waiting } = await answered();
      expect(await health.check()).toEqual({ status: 'ok' });
      waiting[1]?.fail();
      await after(0);
      const failing = health.check();
      waiting[2]?.fail();
      await expect(failing).rejects.toThrow(ServiceUnavailableException);
    });

    it('reports a failure at once after a second', async () => {
      const { health, waiting } = await answered();
      ms += 1_000;
      const failing = health.check();
      waiting[1]?.fail();
      await expect(failing).rejects.toThrow(ServiceUnavailableException);
    });

    it('does not wait long for a busy index, reports its failure to the next check, and the recovery at once', async () => {
      const { health, waiting } = await answered();
      ms += 1_000;
      expect(await health.ready()).toEqual({ status: 'ok' });
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
});
