import { BudgetExceededError } from '../../core/errors.js';
import { MAX_DECISIONS } from './claim-store.port.js';

/** A claim has all the decisions that it can have. */
export function decisionsFull(): BudgetExceededError {
  return new BudgetExceededError(`A claim can be decided at most ${MAX_DECISIONS} times.`, {
    reason: 'decisions_full',
    hint: 'Make another claim.',
  });
}
