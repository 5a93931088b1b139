import { warnSeldom } from '../../../src/telemetry/start-telemetry.js';

describe('warnSeldom', () => {
  function aLogger() {
    const said: string[] = [];
    const clock = { now: 0 };
    return {
      said,
      clock,
      logger: warnSeldom(
        (message) => said.push(message),
        () => clock.now,
      ),
    };
  }

  it('warns once a minute, with the number of suppressed warnings', () => {
    const { said, clock, logger } = aLogger();
    logger.error('refused');
    logger.error('refused');
    logger.warn('refused');
    clock.now = 60_000;
    logger.error('refused again');
    expect(said).toEqual([
      'telemetry: refused',
      'telemetry: refused again (and 2 more since the last warning)',
    ]);
  });

  it.each([
    ['the message of an error with its stack', '{"stack":"at x","message":"ECONNREFUSED"}', 'ECONNREFUSED'],
    ['text that only looks like JSON', '{broken', '{broken'],
    ['several lines', 'a\n  b', 'a b'],
    ['a long text', 'x'.repeat(300), 'x'.repeat(200)],
  ])('shortens %s', (_, message, short) => {
    const { said, logger } = aLogger();
    logger.error(message);
    expect(said).toEqual([`telemetry: ${short}`]);
  });

  it('drops messages that are not failures', () => {
    const { said, logger } = aLogger();
    logger.info('a');
    logger.debug('b');
    logger.verbose('c');
    expect(said).toEqual([]);
  });
});
