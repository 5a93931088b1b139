import { remoteParent } from '../../../src/telemetry/watch-calls.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('remoteParent', () => {
  it('reads the ids and the sampling flag, and marks the span as remote', () => {
    expect(remoteParent({ traceparent: `00-${TRACE}-${SPAN}-01` })).toEqual({
      traceId: TRACE,
      spanId: SPAN,
      traceFlags: 1,
      isRemote: true,
    });
  });

  it('ignores tracestate, which is text of a caller', () => {
    const parent = remoteParent({ traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: 'rojo=1,congo=t61' });
    expect(parent?.traceState).toBeUndefined();
  });

  it.each([
    ['unknown flags', `00-${TRACE}-${SPAN}-fe`, 0],
    ['the known fields of a later version', `cc-${TRACE}-${SPAN}-01-what-the-future-holds`, 1],
  ])('reads %s', (_, traceparent, traceFlags) => {
    expect(remoteParent({ traceparent })).toMatchObject({ traceId: TRACE, traceFlags });
  });

  it.each([
    ['a missing value', undefined],
    ['a number', 7],
    ['several headers', [`00-${TRACE}-${SPAN}-01`]],
    ['an empty text', ''],
    ['capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a span id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['a version that is forbidden', `ff-${TRACE}-${SPAN}-01`],
    ['more than version 00 has', `00-${TRACE}-${SPAN}-01-more`],
    ['a later version with a tail of its own kind', `01-${TRACE}-${SPAN}-01more`],
    ['too few digits', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['a line break after it', `00-${TRACE}-${SPAN}-01\n`],
    ['spaces around it', ` 00-${TRACE}-${SPAN}-01 `],
    ['one joined with another', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
  ])('ignores %s', (_, traceparent) => {
    expect(remoteParent({ traceparent })).toBeNull();
  });
});
