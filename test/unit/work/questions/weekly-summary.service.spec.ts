import { ApprovalWebhookConfig } from '../../../../src/config/settings/approval-webhook.config.js';
import { isSignedWebhook } from '../../../../src/governance/approvals/webhook/webhook-signature.js';
import { GapsService } from '../../../../src/work/questions/gaps.service.js';
import { QuestionStore } from '../../../../src/work/questions/question-store.js';
import { summaryMessage, WeeklySummary } from '../../../../src/work/questions/weekly-summary.service.js';
import { aGap, aNewQuestion, answering, aQuestion } from '../../../support/a-question.js';
import { aScope, FixedIndex } from '../../../support/builders.js';
import { type TestFolder, testFolder } from '../../../support/test-folder.js';
import { startReceiver, type WebhookReceiver } from '../../../support/webhook-receiver.js';
import { workFile } from '../../../support/work-stores.js';

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
  let store: QuestionStore;
  beforeEach(async () => {
    folder = testFolder();
    receiver = await startReceiver(500, 204);
    store = new QuestionStore(workFile(folder.file('w.sqlite')));
    await store.record({ questions: [aNewQuestion({ askedAt: MONDAY - HOUR })], readings: [] });
  });
  afterEach(async () => {
    await store.close();
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
      ...{ store, gaps, now: () => MONDAY, pausesMs: [1, 1, 1] },
      onFailure: (message) => void failures.push(message),
    });
  };
  const sent = async (count: number) => {
    while (receiver.requests.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
    return receiver.requests;
  };

  it('send one signed summary of each week, again if it was not accepted', async () => {
    const [one, two] = [open(), open()];
    await one.sendDue(SERVER, MONDAY + HOUR);
    const [first, second] = await sent(2);
    await two.sendDue(SERVER, MONDAY + 2 * HOUR);
    await one.sendDue(SERVER, MONDAY + 3 * HOUR);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    const message = {
      id: String(second?.headers['webhook-id']),
      timestamp: Number(second?.headers['webhook-timestamp']),
      body: second?.body ?? '',
    };
    expect(isSignedWebhook(message, String(second?.headers['webhook-signature']), SECRET)).toBe(true);
    await two.sendDue(SERVER, MONDAY + 169 * HOUR);
    expect(await sent(3)).toHaveLength(3);
    await Promise.all([one.close(), two.close()]);
    expect(failures).toEqual([]);
  });
});
