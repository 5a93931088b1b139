import { boundedFetch } from '../../../../../src/governance/providers/link/provider-connection.js';

/** The text that is read of a response with a limit of 10 bytes. */
const read = async (text: string, contentType: string): Promise<string> => {
  const answer = new Response(text, { headers: { 'content-type': contentType } });
  return (await boundedFetch(async () => answer, 10)('http://test')).text();
};

describe('boundedFetch', () => {
  it.each([
    ['a short body', 'application/json', '0123456789'],
    ['many short events', 'text/event-stream', 'data: a\n\ndata: b\n\ndata: c\n\n'],
    ['events with carriage returns', 'text/event-stream', 'data: a\r\n\r\ndata: b\r\n\r\n'],
    ['events with carriage returns only', 'text/event-stream', 'data: a\r\rdata: b\r\r'],
    ['an empty body', 'application/json', ''],
  ])('passes on %s', async (_, type, text) => {
    expect(await read(text, type)).toBe(text);
  });

  it.each([
    ['a long body', 'application/json', '0123456789a'],
    ['a long body with empty lines', 'application/json', '1\n\n2\n\n3\n\n4\n\n'],
    ['a long event', 'text/event-stream', 'data: a\n\ndata: 0123456789\n\n'],
    ['an event of many lines', 'text/event-stream', 'data: a\ndata: b\ndata: c\n'],
  ])('fails on %s', async (_, type, text) => {
    await expect(read(text, type)).rejects.toThrow('more than 10 bytes');
  });

  it.each(['\n', '\r\n', '\r'])('gives others a turn while it passes on many events: %j', async (lineEnd) => {
    let turns = 0;
    let isRead = false;
    const take = (): void => {
      turns++;
      if (!isRead) setImmediate(take);
    };
    setImmediate(take);
    const events = `data: a${lineEnd}${lineEnd}`.repeat(1_000);
    expect(await read(events, 'text/event-stream')).toBe(events);
    isRead = true;
    expect(turns).toBeGreaterThan(90);
  });
});
