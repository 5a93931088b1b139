import { nearbyInflections, nearestInflection } from '../../../../src/kb/search/nearest-term.js';

/** Finds the other form of a word among terms, given with their numbers of sections. */
function nearest(term: string, sections: Readonly<Record<string, number>>): string | null {
  const { start, shortest, longest } = nearbyInflections(term);
  const known = Object.entries(sections)
    .map(([known, count]) => ({ term: known, sections: count }))
    .filter(
      ({ term: { length }, term: known }) =>
        known.startsWith(start) && length >= shortest && length <= longest,
    );
  return nearestInflection(term, known, () => true);
}

describe('nearestInflection', () => {
  it.each([
    ['a plural', 'rechnung', { rechnungen: 1 }, 'rechnungen'],
    ['a singular', 'rechnungen', { rechnung: 1 }, 'rechnung'],
    ['another ending', 'kundigen', { kundigung: 1 }, 'kundigung'],
    ['the form with the longest common start', 'kundigen', { kundigung: 9, kundiger: 1 }, 'kundiger'],
    ['of two such forms, the most frequent', 'journal', { journaux: 1, journaliste: 5 }, 'journaliste'],
    ['nothing in a word with a longer ending', 'kopien', { kopiergerate: 1 }, null],
    ['nothing in a word with a shorter common start', 'lauft', { laufend: 1 }, null],
    ['nothing in a word with a digit', 'seiten', { seiten2: 1 }, null],
  ])('finds %s', (_, term, sections, found) => {
    expect(nearest(term, sections)).toBe(found);
  });

  it('finds no form that is out of sight', () => {
    expect(nearestInflection('rechnung', [{ term: 'rechnungen', sections: 1 }], () => false)).toBeNull();
  });
});
