import { ListScratchService } from '../../../src/scratch/list-scratch.service.js';
import { aCall, aCandidate } from '../../support/builders.js';
import { keepPassage, somePassages } from '../../support/some-passages.js';

async function listOf(ids: readonly string[], most: number) {
  const passages = somePassages();
  for (const id of ids) await keepPassage(passages, aCandidate({ section: { id } }));
  return new ListScratchService(passages).list(aCall(), most);
}

describe('list', () => {
  it('lists the passages of the session, latest first, without their text', async () => {
    const { output } = await listOf(['a.md', 'b.md'], 50);
    expect(output).toMatchObject({
      passages: [{ section_id: 'b.md' }, { section_id: 'a.md' }],
      partial: false,
      limit_reason: 'none',
    });
    expect(output.passages[0]).toEqual({
      passage_id: expect.any(String),
      section_id: 'b.md',
      title: 'Guide > Use',
      size_bytes: 7,
      expires_in_s: 1_800,
    });
  });

  it('reports that there are more passages than it lists', async () => {
    expect((await listOf(['a.md', 'b.md', 'c.md'], 2)).output).toMatchObject({
      passages: [{}, {}],
      partial: true,
    });
  });

  it('drops the oldest passages first if the reply exceeds its budget', async () => {
    const reply = await listOf(['a.md', 'b.md'], 50);
    expect(reply.build({ ...reply, count: reply.count - 1, reason: 'byte_cap' })).toMatchObject({
      passages: [{ section_id: 'b.md' }],
      partial: true,
    });
  });

  it('lists nothing for a session without passages', async () => {
    expect((await listOf([], 50)).output).toEqual({ passages: [], partial: false, limit_reason: 'none' });
  });
});
