import { planQuery } from '../../../src/kb/plan-query.js';
import type { Question } from '../../../src/kb/plan-query.js';

const plan = (text: string, overrides: Partial<Question> = {}) =>
  planQuery({ text, keywords: [], parts: [], rewrite: true, ...overrides });
const terms = (text: string, overrides: Partial<Question> = {}) => plan(text, overrides).parts[0]?.terms;

describe('planQuery', () => {
  it('asks for the words that tell something, once each, in order', () => {
    expect(terms('What is the disk of the ship, and which disk?')).toEqual(['disk', 'ship']);
  });

  it('takes the wrapping of a question off', () => {
    expect(terms('Can you tell me how to mount a disk?')).toEqual(['mount', 'disk']);
  });

  it('leaves the wrapping on when rewriting is off', () => {
    expect(terms('how should I mount a disk', { rewrite: false })).toEqual(
      expect.arrayContaining(['how', 'mount', 'disk']),
    );
  });

  it.each([
    ['a command in backticks', 'What does `make install` do?', ['make', 'instal']],
    ['quoted text', 'What does "get ready" mean?', ['get', 'readi']],
    ['a path', 'What is in docs/how-to/get.md?', ['doc', 'how', 'howto', 'get', 'md', 'getmd']],
    ['an identifier', 'What does getThing do?', ['get', 'thing', 'getth']],
    ['a flag', 'What is --way-of-making?', ['wai', 'make']],
    ['a version', 'What changed in 4.4.5?', ['4', '5', '445']],
  ])('never rewrites %s', (_, text, kept) => {
    expect(terms(text)).toEqual(expect.arrayContaining(kept));
  });

  it.each([
    ['what is it', ['what', 'is', 'it']],
    ['how can I make it happen', ['how', 'can', 'make', 'happen']],
    ['?!', []],
    ['', []],
  ])('never prunes %j to nothing', (text, kept) => {
    expect(terms(text)).toEqual(kept);
  });

  it('adds keywords as terms like those of the question', () => {
    expect(terms('other domains refused', { keywords: ['CORS', 'Access-Control'] })).toEqual(
      expect.arrayContaining(['domain', 'refus', 'cor', 'access', 'control']),
    );
  });

  it('adds nothing twice', () => {
    expect(terms('mount disk', { keywords: ['disk', 'mounting'] })).toEqual(['mount', 'disk']);
  });

  it('is content with keywords alone when the question has only function words', () => {
    expect(terms('what is it', { keywords: ['disk'] })).toEqual(['disk']);
  });

  it('searches the parts apart, each with the keywords, instead of the question', () => {
    expect(plan('Both?', { parts: ['Mount a disk', 'Sink a ship'], keywords: ['port'] }).parts).toEqual([
      { text: 'Mount a disk port', terms: ['mount', 'disk', 'port'] },
      { text: 'Sink a ship port', terms: ['sink', 'ship', 'port'] },
    ]);
  });

  it('scores spans by the words of the question and the keywords', () => {
    expect(plan('How?', { keywords: ['disk'] }).parts[0]?.text).toBe('How? disk');
  });
});
