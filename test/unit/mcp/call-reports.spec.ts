import type { LoggingLevel, ServerContext } from '@modelcontextprotocol/server';
import { CallReports, LOG_LEVELS } from '../../../src/mcp/call-reports.js';

interface Sent {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

function reporting(level: LoggingLevel | null, meta: object = {}, envelope: object = {}) {
  const sent: Sent[] = [];
  const notify = async (notification: Sent): Promise<void> => void sent.push(notification);
  const sdkContext = { mcpReq: { notify, envelope } } as unknown as ServerContext;
  return { reports: new CallReports({ sdkContext, level, meta }), sent };
}

describe('progress of a call', () => {
  it('is reported with the token of the request, and only if it has one', () => {
    const { reports, sent } = reporting(null, { progressToken: 7 });
    reports.progress({ progress: 1, total: 2, message: `half\n${'x'.repeat(300)}` });
    expect(sent).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 7, progress: 1, total: 2 } },
    ]);
    expect(String(sent[0]?.params['message'])).toHaveLength(200);
    const silent = reporting(null);
    silent.reports.progress({ progress: 1 });
    expect([silent.sent, silent.reports.wantsProgress]).toEqual([[], false]);
  });

  it('grows, and does not come faster than a client can use', () => {
    const { reports, sent } = reporting(null, { progressToken: 't' });
    for (const progress of [1, 1, 0, 2, 3, 10]) reports.progress({ progress, total: 10 });
    expect(sent.map(({ params }) => params['progress'])).toEqual([1, 10]);
  });

  it('is not reported with a very long token, or after the answer', () => {
    const long = reporting(null, { progressToken: 'x'.repeat(257) });
    long.reports.progress({ progress: 1 });
    const ended = reporting('debug', { progressToken: 't' });
    ended.reports.end();
    ended.reports.progress({ progress: 1 });
    ended.reports.log('error', 'late');
    expect([long.sent, ended.sent]).toEqual([[], []]);
  });
});

describe('log messages of a call', () => {
  it('are sent from the level on that the client has set, and none if it has set none', () => {
    const { reports, sent } = reporting('warning');
    const quiet = reporting(null);
    for (const level of LOG_LEVELS) {
      reports.log(level, level);
      quiet.reports.log(level, level);
    }
    expect(sent.map(({ params }) => params['level'])).toEqual(LOG_LEVELS.slice(3));
    expect(quiet.sent).toEqual([]);
  });

  it('follow the level in the request of a client of 2026-07-28', () => {
    const { reports, sent } = reporting(null, {}, { 'io.modelcontextprotocol/logLevel': 'error' });
    reports.log('warning', 'less');
    reports.log('error', 'more', { code: 'TIMEOUT' });
    expect(sent).toEqual([
      {
        method: 'notifications/message',
        params: { level: 'error', logger: 'pith', data: { message: 'more', code: 'TIMEOUT' } },
      },
    ]);
  });

  it('are at most 20', () => {
    const { reports, sent } = reporting('debug');
    for (let i = 0; i < 30; i++) reports.log('info', String(i));
    expect(sent).toHaveLength(20);
  });
});
