import { inputHash, ledgerKeys } from '../../../../src/governance/ledger/ledger-chain.js';
import { SECRET } from '../../../support/builders.js';

describe('ledgerKeys', () => {
  it('derives the same keys from the same secret', () => {
    expect(ledgerKeys(SECRET)).toEqual(ledgerKeys(SECRET));
  });

  it('has different keys for each purpose and secret', () => {
    const [one, other] = [ledgerKeys(SECRET), ledgerKeys(`${SECRET}.`)];
    const keys = [one.chain, one.input, other.chain, other.input].map((key) =>
      Buffer.from(key).toString('hex'),
    );
    expect(new Set([...keys, one.id, other.id]).size).toBe(6);
  });
});

describe('inputHash', () => {
  const hash = (args: unknown, secret = SECRET): string => inputHash(args, ledgerKeys(secret));

  it('does not depend on the order of arguments', () => {
    expect(hash({ query: 'a', top_k: 5 })).toBe(hash({ top_k: 5, query: 'a' }));
  });

  it('changes with each argument and with the secret', () => {
    const hashes = [
      hash({ query: 'a' }),
      hash({ query: 'b' }),
      hash({ query: 'a', top_k: 5 }),
      hash({ query: 'a' }, `${SECRET}.`),
    ];
    expect(new Set(hashes).size).toBe(4);
  });

  it('is 256 bits as base64url', () => {
    expect(hash({})).toMatch(/^[\w-]{43}$/);
  });
});
