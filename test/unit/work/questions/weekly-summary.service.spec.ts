import { ApprovalWebhookConfig } from '../../../../src/config/settings/approval-webhook.config.js';
import { isSignedWebhook } from '../../../../src/governance/approvals/webhook/webhook-signature.js';
import type { SqlDatabase } from '../../../../src/sqlite/stores/sql-database.port.js';
import { GapsService } from '../../../../src/work/questions/gaps.service.js';
import { QuestionStore } from '../../../../src/work/questions/question-store.js';
import { summaryMessage, WeeklySummary } from '../../../../src/work/questions/weekly-summary.service.js';
import { openWorkFile } from '../../../../src/work/work-databases.js';
import { aGap, aNewQuestion, answering, aQuestion } from '../../../support/a-question.js';
import { aScope, FixedIndex } from '../../../support/builders.js';
import { type TestFolder, testFolder } from '../../../support/test-folder.js';
import { startReceiver, type WebhookReceiver } from '../../../support/webhook-receiver.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const SERVER = aScope({ groups: null });
const MONDAY = Date.parse('2026-11-30T00:00:00Z');
const HOUR = 3_600_000;

describe('the summary of a week', () => {
  const [before, within, after] = [
    aQuestion({ id: 'before', askedAt: MONDAY - 168 * HOUR - 1 }),
    aQuestion({ id: 'within', askedAt: MONDAY - HOUR, gap: 'within', text: 'Who reefs?' }),
    aQuestion({ id: 'after', askedAt: MONDAY }),
  ];
  const views = [
    { gap: aGap({ id: 'within' }), needs: [{ root: within, asks: [within] }] },
    { gap: aGap({ id: 'b', state: 'answered' as const, changedAt: MONDAY - 1 }), needs: [] },
    { gap: aGap({ id: 'c', state: 'answered' as const, changedAt: MONDAY }), needs: [] },
  ];
  const bodyWith = (linkBase: string) =>
    JSON.parse(
      summaryMessage({ space: SERVER, monday: MONDAY, views, questions: [before, within, after] }, linkBase)
        .body,
    );

  it('counts what was asked, answered and closed in it, and names the gaps that are open', () => {
    expect(bodyWith('')).toEqual({
      type: 'gaps.weekly',
      timestamp: '2026-11-30T00:00:00.000Z',
      data: {
        ...{ project_id: 'docs', environment: 'prod', week: '2026-11-23' },
        ...{ asked: 1, answered: 0, closed: 1, open: 1 },
        gaps: [
          {
            ...{ gap_id: 'within', state: 'open', asked: 1, since: '2026-11-29T23:00:00.000Z' },
            question: 'Who reefs?',
          },
        ],
      },
    });
  });

  it('has links if the address of the server is known', () => {
    expect(bodyWith('https://pith.example.com/').data).toMatchObject({
      link: 'https://pith.example.com/admin/gaps',
      gaps: [{ link: 'https://pith.example.com/admin/gaps/within' }],
    });
  });
});

describe('servers with one store', () => {
  let folder: TestFolder;
  let receiver: WebhookReceiver;
  let database: SqlDatabase;
  let store: QuestionStore;
  beforeEach(async () => {
    folder = testFolder();
    receiver = await startReceiver(500, 204);
    database = openWorkFile(folder.file('w.sqlite'));
    store = new QuestionStore(database);
    await store.record({ questions: [aNewQuestion({ askedAt: MONDAY - HOUR })], readings: [] });
  });
  afterEach(async () => {
    await database.close();
    await receiver.close();
    folder.remove();
  });

  const failures: string[] = [];
  const open = (): WeeklySummary => {
    const config = Object.assign(new ApprovalWebhookConfig(), { url: receiver.url, secret: SECRET });
    const gaps = new GapsService(
      store,
      answering(() => ({})),
      new FixedIndex([]),
    );
    return new WeeklySummary(config, {
      ...{ store, gaps, now: () => MONDAY },
      onFailure: (message) => void failures.push(message),
    });
  };
  beforeEach(() => {
    failures.length = 0;
  });
  const MINUTE = 60_000;
  const idAt = (at: number) => receiver.requests[at]?.headers['webhook-id'];

  it('send one signed summary of each week, also if another server failed', async () => {
    const [one, two] = [open(), open()];
    await one.sendDue(SERVER, MONDAY);
    await two.sendDue(SERVER, MONDAY + MINUTE);
    await one.sendDue(SERVER, MONDAY + 2 * MINUTE);
    await two.sendDue(SERVER, MONDAY + 2 * HOUR);
    expect(receiver.requests).toHaveLength(2);
    expect(idAt(1)).toBe(idAt(0));
    const { headers, body = '' } = receiver.requests[1] ?? {};
    const [id, timestamp] = [String(headers?.['webhook-id']), Number(headers?.['webhook-timestamp'])];
    const signature = String(headers?.['webhook-signature']);
    expect(isSignedWebhook({ id, timestamp, body }, signature, SECRET)).toBe(true);
    await two.sendDue(SERVER, MONDAY + 168 * HOUR);
    expect(receiver.requests).toHaveLength(3);
    expect(idAt(2)).not.toBe(idAt(1));
    expect(failures).toEqual(['the summary of gaps was not delivered: the receiver answered 500']);
  });

  it('try again after 30 s, 10 min and each hour, until the week is over', async () => {
    await receiver.close();
    receiver = await startReceiver(500);
    const one = open();
    const times = [0, 29_999, 30_000, 629_999, 630_000, 630_000 + HOUR - 1, 630_000 + HOUR, 168 * HOUR];
    const counts = [];
    for (const time of times) {
      await one.sendDue(SERVER, MONDAY + time);
      counts.push(receiver.requests.length);
    }
    expect(counts).toEqual([1, 1, 2, 2, 3, 3, 4, 5]);
    expect(idAt(4)).not.toBe(idAt(3));
  });

  it('send nothing more of a week to a receiver that answers 410', async () => {
    await receiver.close();
    receiver = await startReceiver(410);
    await open().sendDue(SERVER, MONDAY);
    await open().sendDue(SERVER, MONDAY + HOUR);
    expect(receiver.requests).toHaveLength(1);
  });

  it('give a summary back if they are stopped while it is sent', async () => {
    await receiver.close();
    receiver = await startReceiver('silence', 204);
    const one = open();
    const sending = one.sendDue(SERVER, MONDAY);
    while (receiver.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await one.close();
    await sending;
    await one.sendDue(SERVER, MONDAY + HOUR);
    expect(receiver.requests).toHaveLength(1);
    await open().sendDue(SERVER, MONDAY + HOUR);
    expect(receiver.requests).toHaveLength(2);
    expect(failures).toEqual([]);
  });

  it('send a summary that could not be given back, and report the store once', async () => {
    const one = open();
    jest.spyOn(store, 'returnWeek').mockRejectedValueOnce(new Error('the store is lost'));
    await expect(one.sendDue(SERVER, MONDAY)).rejects.toThrow('the store is lost');
    await one.sendDue(SERVER, MONDAY + MINUTE / 3);
    expect(receiver.requests).toHaveLength(1);
    await one.sendDue(SERVER, MONDAY + MINUTE);
    expect([receiver.requests.length, idAt(1)]).toEqual([2, idAt(0)]);
    await open().sendDue(SERVER, MONDAY + HOUR);
    expect(receiver.requests).toHaveLength(2);
  });

  it('give a summary that could not be given back to others when they stop', async () => {
    const one = open();
    jest.spyOn(store, 'returnWeek').mockRejectedValueOnce(new Error('the store is lost'));
    await expect(one.sendDue(SERVER, MONDAY)).rejects.toThrow('the store is lost');
    await one.close();
    await open().sendDue(SERVER, MONDAY + MINUTE);
    expect(receiver.requests).toHaveLength(2);
  });

  it('send a summary that could not be read at first', async () => {
    const one = open();
    jest.spyOn(store, 'list').mockRejectedValueOnce(new Error('the store is lost'));
    await expect(one.sendDue(SERVER, MONDAY)).rejects.toThrow('the store is lost');
    await one.sendDue(SERVER, MONDAY + MINUTE);
    expect(receiver.requests).toHaveLength(1);
  });

  it('send no week before one that was given back, even if a clock is late', async () => {
    await open().sendDue(SERVER, MONDAY);
    await open().sendDue(SERVER, MONDAY - MINUTE);
    expect(receiver.requests).toHaveLength(1);
  });

  it('read nothing of a week that another server took', async () => {
    await receiver.close();
    receiver = await startReceiver(204);
    await open().sendDue(SERVER, MONDAY);
    const read = jest.spyOn(store, 'list');
    await open().sendDue(SERVER, MONDAY + HOUR);
    expect(read).not.toHaveBeenCalled();
  });
});
