import { SentItems } from '../../../src/legacy/legacy.service.js';

const someItems = () => new SentItems({ ttlMs: 100, maxSessions: 2, maxItems: 3 });

describe('SentItems', () => {
  it('remembers the items sent to a session, not to others', () => {
    const sent = someItems();
    sent.add('a', ['x'], 0);
    expect([...sent.of('a', 50)]).toEqual(['x']);
    expect([...sent.of('b', 50)]).toEqual([]);
  });

  it('forgets a session without a call for the configured time', () => {
    const sent = someItems();
    sent.add('a', ['x'], 0);
    sent.add('a', ['y'], 90);
    expect([...sent.of('a', 189)]).toEqual(['x', 'y']);
    expect([...sent.of('a', 190)]).toEqual([]);
  });

  it('forgets the oldest items if there are too many', () => {
    const sent = someItems();
    sent.add('a', ['1', '2', '3', '4'], 0);
    expect([...sent.of('a', 0)]).toEqual(['2', '3', '4']);
  });

  it('forgets the session used longest ago when there are too many', () => {
    const sent = someItems();
    sent.add('a', ['x'], 0);
    sent.add('b', ['x'], 0);
    sent.add('a', [], 1);
    sent.add('c', ['x'], 2);
    expect([sent.of('a', 2).size, sent.of('b', 2).size, sent.of('c', 2).size]).toEqual([1, 0, 1]);
  });
});
