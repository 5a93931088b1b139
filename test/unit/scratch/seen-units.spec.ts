import { splitUnits } from '../../../src/ingest/structure/split-units.js';
import { SeenUnits } from '../../../src/scratch/seen-units.js';
import { aCall } from '../../support/builders.js';

const LONG = 'A ship lies at the second berth of the northern quay.';
const aSection = (text: string, id = 'guide.md') => ({ id, text, units: splitUnits(text) });
const ALL = [{ start: 0, end: 1_000 }];
const REMOTE = { isLocal: false } as const;

/** The units of a text that a second call is not shown again, after a first call was shown all of a text. */
function seenAfter(
  [first, shown]: readonly [Parameters<typeof aCall>[0], ReturnType<typeof aSection>],
  [second, asked]: readonly [Parameters<typeof aCall>[0], ReturnType<typeof aSection>],
) {
  const seen = new SeenUnits(100);
  seen.note(aCall(first), shown, ALL);
  return seen.testFor(aCall(second))?.(asked) ?? null;
}

describe('SeenUnits', () => {
  it('knows the units that overlap what was shown', () => {
    const seen = new SeenUnits(100);
    const section = aSection('One ship. Two ships. Three ships.');
    seen.note(aCall(), section, [{ start: 12, end: 15 }]);
    expect(seen.testFor(aCall())?.(section)).toEqual([false, true, false]);
  });

  it.each([
    ['another session', { sessionId: 'other' }],
    ['another run', { run: 'second' }],
    ['another project', { scope: { projectId: 'other' } }],
    ['another environment', { scope: { environment: 'test' } }],
  ])('knows nothing of %s', (_, call) => {
    expect(seenAfter([{}, aSection(LONG)], [call, aSection(LONG)])).toEqual([false]);
  });

  it('knows nothing of the run of another principal with the same name', () => {
    const [first, second] = ['a', 'b'].map((sessionId) => ({ sessionId, run: 'chat', caller: REMOTE }));
    expect(seenAfter([first, aSection(LONG)], [second, aSection(LONG)])).toEqual([false]);
  });

  it('knows the run of a principal over HTTP', () => {
    const call = { run: 'chat', caller: REMOTE };
    expect(seenAfter([call, aSection(LONG)], [call, aSection(LONG)])).toEqual([true]);
  });

  it('has no test for a call over HTTP without a run', () => {
    expect(seenAfter([{}, aSection(LONG)], [{ caller: REMOTE }, aSection(LONG)])).toBeNull();
  });

  it.each([
    ['a sentence in another section', LONG, true],
    ['a short text in another section', 'Example:', false],
  ])('%s: %s is seen: %s', (_, text, isSeen) => {
    expect(seenAfter([{}, aSection(text)], [{}, aSection(text, 'other.md')])).toEqual([isSeen]);
  });

  it('forgets first what was shown longest ago', () => {
    const seen = new SeenUnits(2);
    for (const id of ['a.md', 'b.md', 'a.md', 'c.md']) seen.note(aCall(), aSection('One.', id), ALL);
    const test = seen.testFor(aCall());
    expect(['a.md', 'b.md', 'c.md'].map((id) => test?.(aSection('One.', id)))).toEqual([
      [true],
      [false],
      [true],
    ]);
  });
});
