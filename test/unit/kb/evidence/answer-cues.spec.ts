import {
  askedQuantity,
  countInstructions,
  namesCode,
  questionShape,
  statesConstraint,
} from '../../../../src/kb/evidence/answer-cues.js';

describe('questionShape', () => {
  it.each([
    ['How do I mount a disk?', { asksHow: true, asksWhetherOrWhy: false, asksForCode: true }],
    ['My ship is gone. How do I get it back?', { asksHow: true, asksWhetherOrWhy: false, asksForCode: true }],
    ['Can a ship have two berths?', { asksHow: false, asksWhetherOrWhy: true, asksForCode: false }],
    ['Why is the harbour closed?', { asksHow: false, asksWhetherOrWhy: true, asksForCode: false }],
    ['Mounting fails with ENOENT', { asksHow: false, asksWhetherOrWhy: true, asksForCode: false }],
    ['Which berth is the largest?', { asksHow: false, asksWhetherOrWhy: false, asksForCode: false }],
    ['Which flag empties the disk?', { asksHow: false, asksWhetherOrWhy: false, asksForCode: true }],
    ['Which settings do I need?', { asksHow: false, asksWhetherOrWhy: false, asksForCode: true }],
    ['How many berths are there?', { asksHow: true, asksWhetherOrWhy: false, asksForCode: false }],
    ['How long does it take?', { asksHow: true, asksWhetherOrWhy: false, asksForCode: false }],
    ['What do I type to leave?', { asksHow: false, asksWhetherOrWhy: false, asksForCode: true }],
    ['Wie lege ich an?', { asksHow: false, asksWhetherOrWhy: false, asksForCode: false }],
    ['', { asksHow: false, asksWhetherOrWhy: false, asksForCode: false }],
  ])('reads %j', (question, shape) => {
    expect(questionShape(question)).toEqual(shape);
  });
});

describe('askedQuantity', () => {
  it.each([
    ['What does a berth cost?', 'A berth costs 12 euros.', true],
    ['What does a berth cost?', 'Berths are free.', true],
    ['What does a berth cost?', 'Pricing', false],
    ['What does a berth cost?', 'See the pricing page.', false],
    ['How long is a berth kept?', 'It is kept for two hours.', true],
    ['How long is a berth kept?', 'It is kept for a ship.', false],
  ])('tells for %j if %j states it: %s', (question, sentence, expected) => {
    expect(askedQuantity(question)?.(sentence)).toBe(expected);
  });

  it('is null for questions that ask for no quantity', () => {
    expect(askedQuantity('Where is the berth?')).toBeNull();
  });
});

describe('the cues of a sentence', () => {
  it.each([
    ['Use the crane.', 2],
    ['To mount a disk, call `mount`.', 1],
    ['- **Set** the berth first.', 1],
    ['Here you can set the berth.', 1],
    ['It is done by calling the harbour.', 1],
    ['Ships are large.', 0],
    ['The user is away.', 0],
  ])('counts the signs of an instruction in %j', (sentence, instructions) => {
    expect(countInstructions(sentence)).toBe(instructions);
  });

  it.each([
    ['A ship cannot have two berths.', true],
    ['It is off by default.', true],
    ['Only pilots enter.', true],
    ['The harbour is large.', false],
  ])('decides whether %j states a constraint: %s', (sentence, isConstraint) => {
    expect(statesConstraint(sentence)).toBe(isConstraint);
  });

  it('recognises code marks', () => {
    expect(namesCode('Call `mount` for that.')).toBe(true);
    expect(namesCode('Call the harbour.')).toBe(false);
  });
});
