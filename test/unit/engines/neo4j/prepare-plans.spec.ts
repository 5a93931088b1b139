import { preparePlans } from '../../../../src/engines/neo4j/neo4j-graph-store.js';
import { sentWithin } from '../../../support/sent-to-neo4j.js';

const OWNER = { projectId: 'docs', environment: 'prod' };

/** The texts that are sent in each transaction. */
async function prepared(): Promise<string[][]> {
  const transactions: string[][] = [];
  await preparePlans(OWNER, (reading) => {
    const texts: string[] = [];
    transactions.push(texts);
    return reading(async (cypher) => {
      texts.push(cypher);
      return [];
    });
  });
  return transactions;
}

describe('preparePlans', () => {
  it.each([
    ['everything', {}],
    ['doc tags', { docTags: ['guide'] }],
    ['repositories', { repositories: ['docs'] }],
  ])('sends every statement for %s', async (_, scope) => {
    const wanted = (await sentWithin(scope)).map(({ cypher }) => cypher);
    expect(wanted.length).toBeGreaterThan(10);
    expect((await prepared()).flat()).toEqual(expect.arrayContaining(wanted));
  });

  it('uses a transaction for each part, so that none takes long', async () => {
    expect(Math.max(...(await prepared()).map((texts) => texts.length))).toBeLessThanOrEqual(4);
  });

  it('ends at the first failure', async () => {
    let count = 0;
    const fail = async () => {
      if (++count === 3) throw new Error('gone');
    };
    await expect(preparePlans(OWNER, fail)).rejects.toThrow('gone');
    expect(count).toBe(3);
  });
});
