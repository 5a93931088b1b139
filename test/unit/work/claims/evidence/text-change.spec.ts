import { closestText } from '../../../../../src/work/claims/evidence/closest-text';
import { textChange } from '../../../../../src/work/claims/evidence/quote-verifier.service.js';

describe('textChange', () => {
  it('shows short texts whole', () => {
    expect(textChange('It waits 5 s.', 'It waits 50 s.')).toEqual({
      old_text: 'It waits 5 s.',
      new_text: 'It waits 50 s.',
      only_white_space: false,
    });
  });

  it('says if only white space differs', () => {
    expect(textChange('a b\nc', 'a\nb c').only_white_space).toBe(true);
  });

  it('shows long texts around the difference, bounded', () => {
    const { old_text, new_text } = textChange(
      `${'x '.repeat(500)}old end`,
      `${'x '.repeat(500)}${'new '.repeat(500)}`,
    );
    expect(old_text).toMatch(/^…(?:x ){30}old end$/);
    expect(new_text).toMatch(/^…(?:x ){30}new /);
    expect(new_text.length).toBeLessThanOrEqual(402);
  });
});

describe('closestText', () => {
  const text = 'Sails are set in calm air. The timeout is now 50 seconds by default. Other words.';

  it('finds the sentence that shares most words', () => {
    const found = closestText(text, 'The timeout is 5 seconds.');
    expect(found && text.slice(found.start, found.end)).toBe('The timeout is now 50 seconds by default.');
    expect(found?.likeness).toBe(0.6);
  });

  it('counts a repeated word as often as the quote has it', () => {
    expect(closestText('a a a b', 'a b')?.likeness).toBe(1);
    expect(closestText('a a a', 'a b')?.likeness).toBe(0.5);
  });

  it.each(['', '--', 'Nothing of it'])('finds nothing like %j', (quote) => {
    expect(closestText(text, quote)).toBeNull();
  });
});
