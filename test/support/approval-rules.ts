import { writeFileSync } from 'node:fs';
import type { ApprovalRequest } from '../../src/governance/approvals/approval.js';
import { ApprovalStore } from '../../src/governance/approvals/approval-store.js';
import { aRequest } from './an-approval.js';
import { approvalsIn } from './governance-stores.js';
import { type OperatorsServer, startOperatorsServer } from './operators-server.js';
import { testFolder } from './test-folder.js';

/** Searches wait for one operator, evidence for two. */
const RULES = `version: 1
policy:
  rules:
    - { name: search-needs-approval, tools: [kb.search], effect: approve }
    - { name: evidence-needs-review, tools: [kb.retrieve_evidence], effect: review }
`;

/** A server whose calls wait for approval, and its store, which this process writes to as another server would. */
export interface ApprovingServer extends OperatorsServer {
  readonly store: ApprovalStore;
  /** Stores a pending request. @returns its id */
  readonly ask: (request?: Partial<ApprovalRequest>) => Promise<string>;
}

/** Starts such a server, with the admin console. */
export async function startApprovingServer(env: Record<string, string> = {}): Promise<ApprovingServer> {
  const folder = testFolder();
  const rules = folder.file('governance.yaml');
  writeFileSync(rules, RULES);
  const server = await startOperatorsServer({ PITH_GOVERNANCE_FILE: rules, ...env });
  const file = server.file('index.governance.sqlite');
  const store = approvalsIn({ file, creates: true, now: Date.now });
  let asked = 0;
  return {
    ...server,
    store,
    ask: async (request = {}) => {
      const id = `approval-${++asked}`;
      await store.request(aRequest({ id, binding: id, callId: `call-${asked}`, ...request }));
      return id;
    },
    stop: async () => {
      await store.close();
      await server.stop();
      folder.remove();
    },
  };
}
