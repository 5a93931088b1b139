import { aDecision } from './an-approval.js';
import { detailsOf } from './call-results.js';
import { approvalsIn } from './governance-stores.js';
import type { CallResult } from './mcp-clients.js';

/** Approves a call that waits for an approval, as the command of an operator does. @param file  of governance */
export async function approveCall(file: string, asked: CallResult): Promise<void> {
  const store = approvalsIn({ file, creates: false, now: Date.now });
  await store.decide(String(detailsOf(asked).approval_id), aDecision({ by: 'ann' }));
  await store.close();
}
