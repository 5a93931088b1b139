import { retrieveInput } from '../../../../src/kb/evidence.schemas.js';
import { SHOWS_ANSWER } from '../../../../src/mcp/pipeline/call-watch.js';
import { QuestionRecorder, readQuestion } from '../../../../src/work/questions/question-recorder.js';
import type { SeenInConversations } from '../../../../src/work/questions/question-store.js';
import { aFinishedCall } from '../../../support/a-finished-call.js';
import { aCall, aCandidate, aRanking, aScope } from '../../../support/builders.js';

const plain = (text: string): string => text;
const answerable = { verdict: 'unsure', confidence: 0.61 };
const aQuestionCall = (parts: Parameters<typeof aFinishedCall>[0] = {}) =>
  aFinishedCall({
    decisions: { input: { question: 'Where are the moorings?', keywords: ['mooring'] } },
    ...parts,
    retrieval: { answerable, ...parts?.retrieval },
  });

describe('readQuestion', () => {
  it('reads the question, the verdict and what was quoted', () => {
    expect(readQuestion(aQuestionCall({ retrieval: { shown: ['a.md#b'] } }), plain)).toMatchObject({
      text: 'Where are the moorings?',
      keywords: ['mooring'],
      verdict: 'unsure',
      confidence: 0.61,
      quoted: ['a.md#b'],
    });
  });

  it.each([
    ['a call without a verdict', aQuestionCall({ retrieval: { answerable: null } })],
    ['a named corpus', aQuestionCall({ trace: { corpus: 'other', retrieval: null } })],
    ['a call that retrieved nothing', aQuestionCall({ trace: { retrieval: null } })],
  ])('reads none from %s', (_, call) => {
    expect(readQuestion(call, plain)).toBeNull();
  });

  it('replaces what must not be kept, in keywords and terms too', () => {
    const input = { question: 'Where is Falcon?', keywords: ['Falcon'] };
    const hide = (text: string): string => text.replaceAll('Falcon', '[redacted]');
    const kept = JSON.stringify(readQuestion(aQuestionCall({ decisions: { input } }), hide));
    expect(kept).toContain('[redacted]');
    expect(kept).not.toMatch(/falcon/i);
  });

  it('keeps keywords that can be asked again, whatever was replaced in them', () => {
    const input = { question: 'Where?', keywords: ['a a a', ...Array.from('bcdefghi')] };
    const hide = (text: string): string => text.replaceAll('a', '[redacted] '.repeat(4));
    const { keywords = [] } = readQuestion(aQuestionCall({ decisions: { input } }), hide) ?? {};
    expect(retrieveInput.parse({ question: 'Where?', keywords }).keywords).toHaveLength(8);
    expect(keywords[0]).toMatch(/^\[redacted\] .*…$/);
  });

  it('reads none of visitors without a key', () => {
    const call = { caller: { ...aCall().caller, principal: 'visitor' } };
    expect(readQuestion(aQuestionCall({ call }), plain)).toBeNull();
  });

  it('names only sections within the scope as near', () => {
    const scope = aScope({ docTags: ['guides'] });
    const [own, other] = ['guides', 'secret'].map((docTag) =>
      aCandidate({ document: { docTag }, section: { id: `${docTag}.md` } }),
    );
    const rankings = [aRanking({ candidates: [other, own].flatMap((each) => each ?? []) })];
    const question = readQuestion(
      aQuestionCall({ call: { scope }, retrieval: { rankings, answers: [] } }),
      plain,
    );
    expect(question?.profile.near.map(([id]) => id)).toEqual(['guides.md']);
    expect(question?.nearestId).toBe('guides.md');
  });

  it('names the conversation without the id of the session', () => {
    const question = readQuestion(aQuestionCall(), plain);
    expect(JSON.stringify(question)).not.toContain(aCall().caller.sessionId);
  });

  it('gives the questions of one run one conversation', () => {
    const inRun = (namedRun: string | null) =>
      readQuestion(aQuestionCall({ call: { namedRun } }), plain)?.conversation;
    expect(inRun('a')).toBe(inRun('a'));
    expect(inRun('a')).not.toBe(inRun('b'));
    expect(inRun('a')).not.toBe(inRun(null));
  });
});

describe('QuestionRecorder', () => {
  const recording = (record?: (seen: SeenInConversations) => Promise<void>) => {
    const seen: SeenInConversations[] = [];
    const lost: number[] = [];
    const keep = async (each: SeenInConversations): Promise<void> => void seen.push(each);
    const recorder = new QuestionRecorder({
      record: record ?? keep,
      hide: plain,
      onLost: (count) => lost.push(count),
    });
    return { recorder, seen, lost };
  };

  it('writes the questions that wait together', async () => {
    const { recorder, seen } = recording();
    recorder.observe(aQuestionCall());
    recorder.observe(aQuestionCall());
    expect(seen).toEqual([]);
    await recorder.flush();
    expect(seen.map(({ questions }) => questions.length)).toEqual([2]);
  });

  it.each([...['kb.read_excerpt', 'kb.expand_excerpt', 'kb.extract_evidence', 'get_doc', 'fetch']])(
    'notes what a caller reads on with %s',
    async (tool) => {
      const { recorder, seen } = recording();
      const refs = [
        { type: 'section', id: 'a.md' },
        { type: 'passage', id: 'p' },
      ] as const;
      recorder.observe(
        aFinishedCall({
          start: { tool },
          trace: { refs, retrieval: null, isRetrieval: false },
        }),
      );
      await recorder.flush();
      expect(seen[0]?.readings).toMatchObject([{ handles: ['a.md', 'p'] }]);
    },
  );

  it('does not note what a page reads to show an answer', async () => {
    const { recorder, seen } = recording();
    const trace = { refs: [{ type: 'section', id: 'a.md' }], retrieval: null, isRetrieval: false } as const;
    recorder.observe(aFinishedCall({ start: { tool: 'get_doc', meta: { [SHOWS_ANSWER]: true } }, trace }));
    await recorder.flush();
    expect(seen).toEqual([]);
  });

  it('keeps nothing of calls that failed or were cancelled', async () => {
    const { recorder, seen } = recording();
    const error = { code: 'INTERNAL_ERROR', reason: 'x', message: '' } as const;
    recorder.observe(aQuestionCall({ error }));
    recorder.observe(aQuestionCall({ isCancelled: true }));
    await recorder.flush();
    expect(seen).toEqual([]);
  });

  it('goes on when the store fails, and says how many were lost', async () => {
    const { recorder, lost } = recording(() => Promise.reject(new Error('locked')));
    recorder.observe(aQuestionCall());
    await recorder.flush();
    recorder.observe(aQuestionCall());
    await recorder.flush();
    expect(lost).toEqual([1, 1]);
  });

  it('drops questions when too many wait', async () => {
    const { recorder, lost } = recording();
    const call = aQuestionCall();
    for (let i = 0; i < 1_001; i++) recorder.observe(call);
    expect(lost).toEqual([1]);
    await recorder.flush();
  });

  it('drops questions while too many are being written', async () => {
    let end: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => (end = resolve));
    const { recorder, lost } = recording(() => slow);
    const call = aQuestionCall();
    for (let i = 0; i < 1_000; i++) {
      recorder.observe(call);
      if (i % 100 === 0) void recorder.flush();
    }
    recorder.observe(call);
    expect(lost).toEqual([1]);
    end();
    await recorder.flush();
    recorder.observe(call);
    expect(lost).toEqual([1]);
    await recorder.flush();
  });
});
