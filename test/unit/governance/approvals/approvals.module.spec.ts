import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { LedgerConfig } from '../../../../src/config/settings/ledger.config.js';
import { parseGovernance } from '../../../../src/governance/agents/read-governance.js';
import { ApprovalStore } from '../../../../src/governance/approvals/approval-store.js';
import { ApprovalsModule, checkSecret } from '../../../../src/governance/approvals/approvals.module.js';
import { GovernanceService } from '../../../../src/governance/governance.service.js';
import { ownRegistry } from '../../../../src/governance/registry/tool-registry.js';
import { toolDefinitions } from '../../../support/all-tools.js';
import { aRequest } from '../../../support/an-approval.js';
import { SECRET } from '../../../support/builders.js';
import { approvalsIn } from '../../../support/governance-stores.js';
import { type TestFolder, testFolder } from '../../../support/test-folder.js';

let folder: TestFolder;
let store: ApprovalStore;
beforeEach(() => {
  folder = testFolder();
  store = approvalsIn({ file: folder.file('g.sqlite'), creates: true, now: () => 0 });
});
afterEach(async () => {
  await store.close();
  folder.remove();
});

const NONE = 'version: 1';
const IN_RULES = 'version: 1\npolicy: { rules: [{ name: a, effect: approve }] }';
const IN_TEMPLATE = 'version: 1\npolicy: { templates: { careful: [{ name: a, effect: review }] } }';

function governanceOf(text: string): GovernanceService {
  const file = parseGovernance(text, 'g.yaml', toolDefinitions());
  return new GovernanceService(file, ownRegistry(toolDefinitions(), file), 'default');
}

const aModule = (text: string): ApprovalsModule =>
  new ApprovalsModule(store, governanceOf(text), new LedgerConfig(), null);

describe('ApprovalsModule', () => {
  it.each([IN_RULES, IN_TEMPLATE])('does not start without a lasting secret: %s', (text) => {
    expect(() => checkSecret(governanceOf(text), { secret: SECRET, isLasting: false })).toThrow(
      /need a server secret that lasts/,
    );
  });

  it('needs neither a secret nor a file without such rules', () => {
    checkSecret(governanceOf(NONE), { secret: SECRET, isLasting: false });
    aModule(NONE).onApplicationBootstrap();
    expect(existsSync(folder.file('g.sqlite'))).toBe(false);
  });

  it('removes requests that expired long ago', async () => {
    await store.request(aRequest());
    aModule(IN_RULES).onApplicationBootstrap();
    await pause(20);
    expect(await store.list({ limit: 1 })).toEqual([]);
  });

  it('removes them again every day, until it stops', async () => {
    jest.useFakeTimers({ now: Date.now(), doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    const settled = (): Promise<void> => new Promise(setImmediate);
    const module = aModule(IN_RULES);
    module.onApplicationBootstrap();
    await settled();
    await store.request(aRequest());
    jest.advanceTimersByTime(86_400_000);
    await settled();
    expect(await store.list({ limit: 1 })).toEqual([]);
    module.onApplicationShutdown();
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });
});
