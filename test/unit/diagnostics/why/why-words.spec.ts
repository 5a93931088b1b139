import { RETRIEVAL_TOOLS } from '../../../../src/diagnostics/record/replay-request';
import { type Cause, CAUSES, type Loss } from '../../../../src/diagnostics/why/why-missing';
import { named, sayLoss } from '../../../../src/diagnostics/why/why-words';
import { aScope } from '../../../support/builders';
import { whyFacts } from '../../../support/why-facts';

const aLoss = (cause: Cause, parts: Partial<Loss> = {}): Loss => ({
  cause,
  rank: 7,
  of: 90,
  listed: 5,
  others: ['other.md'],
  ...parts,
});

describe('sayLoss', () => {
  it.each(RETRIEVAL_TOOLS.flatMap((tool) => CAUSES.map((cause) => [cause, tool] as const)))(
    'explains %s in %s and gives a next step, in complete sentences',
    (cause, tool) => {
      const { said, next } = sayLoss(aLoss(cause), whyFacts({ scope: aScope({ docTags: ['api'] }) }), tool);
      expect(said).toMatch(/^[A-Z].*[.]$/);
      expect(next).toMatch(/^(?:[A-Z]|search_docs).*[.]$/);
      expect(said + next).not.toMatch(/undefined|null|\[object/);
    },
  );

  it('names the query words that the section lacks', () => {
    const { next } = sayLoss(aLoss('below_list'), whyFacts(), 'kb.search');
    expect(next).toBe(
      'Raise top_k (at most 50), or send keywords that occur in this section and in few others (its headings are “Guide > Use”; it does not contain source).',
    );
  });

  it('has the lexical rank only if it is known', () => {
    const say = (rank: number | null) =>
      sayLoss(aLoss('not_compared', { rank }), whyFacts(), 'kb.search').said;
    expect(say(85)).toContain('By words it ranks 85 of 90');
    expect(say(null)).toContain('not among the 90 best matches');
  });

  it('names the list of the scope that excludes the section', () => {
    const scope = aScope({ docTags: ['guides'], repositories: ['left', 'right'] });
    const { said } = sayLoss(aLoss('outside_scope'), whyFacts({ scope }), 'kb.search');
    expect(said).toContain('its repository is "repo"; the scope allows left, right');
    expect(said).not.toContain('doc_tag');
  });
});

describe('named', () => {
  it('names five and counts the others', () => {
    expect(named(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toBe('a, b, c, d, e, and 2 more');
    expect(named([])).toBe('');
  });
});
