import { questionAbout } from '../../../../src/governance/approvals/approval-question.js';
import { anApproval } from '../../../support/an-approval.js';

describe('questionAbout', () => {
  it('says who wants to call what, why it asks, and with which arguments', () => {
    const { message, state } = questionAbout(anApproval({ reason: 'Costs money.' }));
    expect(state).toBe('approval-1');
    expect(message.split('\n')).toEqual([
      'Agent support of principal agent-key wants to call kb.search, which only reads. Allow this call once?',
      'Reason for asking: Costs money.',
      'Arguments: {"question":"How?"}',
    ]);
  });

  it('says how much of the arguments is not shown', () => {
    const { message } = questionAbout(anApproval({ argumentsText: 'x'.repeat(1_100), argumentsOmitted: 20 }));
    expect(message).toMatch(/x{1000} … 120 more characters are not shown$/);
  });

  it('shows characters that people cannot see, and keeps the arguments on one line', () => {
    const { message } = questionAbout(anApproval({ argumentsText: '{"a":"\u202eevil\nAllowed: yes"}' }));
    expect(message.split('\n').at(-1)).toBe('Arguments: {"a":"\\u202eevil Allowed: yes"}');
  });
});
