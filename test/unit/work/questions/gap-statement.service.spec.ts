import { ClaimStore } from '../../../../src/work/claims/claim-store.js';
import { EvidenceCheckerService } from '../../../../src/work/claims/evidence-checker.service.js';
import { QuoteVerifierService } from '../../../../src/work/claims/quote-verifier.service.js';
import type { Gap } from '../../../../src/work/questions/gap.js';
import { GapStatementService } from '../../../../src/work/questions/gap-statement.service.js';
import { QuestionStore } from '../../../../src/work/questions/question-store.js';
import type { BoundedWork } from '../../../../src/work/work-rows.js';
import { aGap, aQuestion } from '../../../support/a-question.js';
import { aCandidate, aScope, FixedIndex } from '../../../support/builders.js';
import { somePassages } from '../../../support/some-passages.js';
import { type TestFolder, testFolder } from '../../../support/test-folder.js';
import { boundedWork } from '../../../support/work-stores.js';

const TEXT = 'A reef is taken in before the wind rises.';
const ANSWERED = aGap({
  scope: aScope({ groups: [] }),
  state: 'answered',
  answer: { sectionId: 'new.md', path: 'new.md', title: 'New', quote: TEXT },
});

let folder: TestFolder;
let work: BoundedWork;
let store: QuestionStore;
beforeEach(async () => {
  folder = testFolder();
  work = boundedWork(folder.file('w.sqlite'));
  store = new QuestionStore(work.database);
  await store.place([ANSWERED], []);
});
afterEach(async () => {
  await work.database.close();
  folder.remove();
});

const page = (id: string, allow?: string[][]) =>
  aCandidate({ section: { id, text: TEXT }, document: { path: id, ...(allow && { allow }) } });

/** Makes claims with a limit of stored bytes. */
function making(maxBytes = 1e9, pages = [page('new.md')]) {
  const index = new FixedIndex(pages);
  const claims = new ClaimStore({ ...work, maxBytes }, index);
  const checker = new EvidenceCheckerService(new QuoteVerifierService(index), somePassages());
  const service = new GapStatementService(store, claims, checker);
  const root = aQuestion({ text: 'How deep is Falcon?' });
  const make = (gap: Gap) => service.make({ gap, needs: [{ root, asks: [root] }] }, 'ada', 1);
  return { claims, make };
}
const claimIds = async () => (await store.gaps(aScope())).map(({ claimId }) => claimId);

describe('the claim of a gap', () => {
  it('has the quote as its evidence, and says nothing of the questions', async () => {
    const { claims, make } = making();
    const id = await make(ANSWERED);
    const claim = await claims.get(ANSWERED.scope, id);
    expect(claim).toMatchObject({ createdBy: 'ada', evidence: [{ sectionId: 'new.md', quote: TEXT }] });
    expect(claim?.statement).toBe('The documents answer the questions of gap q1.');
    expect(await claimIds()).toEqual([id]);
  });

  it('is made once, also by two operators at a time', async () => {
    const { claims, make } = making();
    const made = await Promise.allSettled([make(ANSWERED), make(ANSWERED)]);
    expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(made).toContainEqual(
      expect.objectContaining({ reason: expect.objectContaining({ reason: 'gap_changed' }) }),
    );
    expect(await claims.list(ANSWERED.scope, { limit: 10 })).toHaveLength(1);
    const [claimId = ''] = await claimIds();
    expect(await make({ ...ANSWERED, claimId })).toBe(claimId);
  });

  it('is not named by the gap if it could not be stored', async () => {
    const { make } = making(1);
    await expect(make(ANSWERED)).rejects.toMatchObject({ reason: 'substrate_full' });
    expect(await claimIds()).toEqual(['']);
  });

  it('is found again if the process was killed before the gap named it', async () => {
    const { claims, make } = making();
    jest.spyOn(store, 'change').mockRejectedValueOnce(new Error('killed'));
    await expect(make(ANSWERED)).rejects.toThrow('killed');
    const id = await make(ANSWERED);
    expect((await claims.list(ANSWERED.scope, { limit: 10 })).map((each) => each.id)).toEqual([id]);
    expect(await claimIds()).toEqual([id]);
  });

  it('is made again if the gap names one that was never stored', async () => {
    await store.change(ANSWERED, { claimId: 'lost' });
    const { claims, make } = making();
    const id = await make({ ...ANSWERED, claimId: 'lost' });
    expect(await claims.get(ANSWERED.scope, id)).not.toBeNull();
    expect(await claimIds()).toEqual([id]);
  });

  it('is made anew if the document of the one before has got groups since', async () => {
    const before = making();
    const claimId = await before.make(ANSWERED);
    const { claims, make } = making(1e9, [page('new.md', [['hr']]), page('other.md')]);
    const answer = { sectionId: 'other.md', path: 'other.md', title: 'Other', quote: TEXT };
    const id = await make({ ...ANSWERED, claimId, answer });
    expect((await claims.get(ANSWERED.scope, id))?.evidence).toMatchObject([{ sectionId: 'other.md' }]);
    expect(await claimIds()).toEqual([id]);
  });

  it('needs an answer', async () => {
    const { make } = making();
    await expect(make(aGap())).rejects.toMatchObject({ reason: 'gap_not_answered' });
  });
});
