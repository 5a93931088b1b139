import { createHmac } from 'node:crypto';
import { bindCall, bindingKey, type BoundCall } from '../../../../src/governance/approvals/bind-call.js';
import { aBoundCall } from '../../../support/an-approval.js';
import { SECRET } from '../../../support/builders.js';

const KEY = bindingKey(SECRET);
const binding = (overrides: Partial<BoundCall> = {}): string => bindCall(aBoundCall(overrides), KEY);
const scope = aBoundCall().scope;

describe('bindCall', () => {
  it('is the same for equal calls, whatever the order of fields and of the scope', () => {
    const tags = (docTags: readonly string[]) => binding({ scope: { ...scope, docTags } });
    expect(binding({ args: { a: 1, b: 2 } })).toBe(binding({ args: { b: 2, a: 1 } }));
    expect(tags(['x', 'y'])).toBe(tags(['y', 'x', 'x']));
  });

  it.each<[string, Partial<BoundCall>]>([
    ['method', { method: 'resources/read' }],
    ['tool', { tool: 'kb.read_excerpt' }],
    ['version', { version: '2' }],
    ['schema', { schemaHash: 'other' }],
    ['argument', { args: { query: 'sails' } }],
    ['argument type', { args: { query: ['sail'] } }],
    ['further argument', { args: { query: 'sail', top_k: 5 } }],
    ['principal', { principal: 'other' }],
    ['agent', { agent: 'other' }],
    ['project', { scope: { ...scope, projectId: 'other' } }],
    ['environment', { scope: { ...scope, environment: 'other' } }],
    ['tags', { scope: { ...scope, docTags: [] } }],
    ['repositories', { scope: { ...scope, repositories: null } }],
    ['policy', { policyVersion: 'other' }],
    ['rule', { rule: 'other' }],
    ['effect', { effect: 'review' }],
    ['approver', { approver: 'caller' }],
  ])('differs for another %s', (_, change) => {
    expect(binding(change)).not.toBe(binding());
  });

  it.each(['docTags', 'repositories'] as const)('differs for other values of %s', (field) => {
    const of = (...values: string[]) => binding({ scope: { ...scope, [field]: values } });
    expect(new Set([of('x'), of('y'), of('x', 'y'), of()]).size).toBe(4);
  });

  it('differs for another secret', () => {
    expect(bindCall(aBoundCall(), bindingKey(`${SECRET}!`))).not.toBe(binding());
  });
});

describe('bindingKey', () => {
  it('is derived as RFC 5869 says, for this use only, so that requests outlive an update', () => {
    const hmac = (key: Uint8Array, data: string): Buffer => createHmac('sha256', key).update(data).digest();
    const extracted = hmac(Buffer.alloc(32), SECRET);
    expect(Buffer.from(KEY).equals(hmac(extracted, 'pith approvals binding\x01'))).toBe(true);
  });
});
