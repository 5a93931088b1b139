import { WordPiece } from '../../../../../src/engines/models/onnx/word-piece.js';

const VOCABULARY = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  'the',
  'harbour',
  'ship',
  '##s',
  '##yard',
  ',',
  '.',
  'cafe',
  '中',
  'ab',
  '##c',
];

function tokenizer(type = 'WordPiece', lowercase = true): WordPiece {
  const vocab = Object.fromEntries(VOCABULARY.map((token, id) => [token, id]));
  return new WordPiece(JSON.stringify({ normalizer: { lowercase }, model: { type, vocab } }));
}

const words = (ids: readonly number[]) => ids.map((id) => VOCABULARY[id]).join(' ');

describe('WordPiece', () => {
  it.each([
    ['puts a text between two marks', 'the harbour', '[CLS] the harbour [SEP]'],
    ['splits a word into its longest known pieces', 'shipyards', '[CLS] ship ##yard ##s [SEP]'],
    ['takes a word that it can’t spell for unknown', 'the anchor', '[CLS] the [UNK] [SEP]'],
    ['takes a very long word for unknown', `ab${'c'.repeat(99)}`, '[CLS] [UNK] [SEP]'],
    ['reads a word of 100 characters', `ab${'c'.repeat(98)}`, `[CLS] ab ${'##c '.repeat(98)}[SEP]`],
    [
      'takes each mark and each Chinese character for a word',
      'ships,中中.',
      '[CLS] ship ##s , 中 中 . [SEP]',
    ],
    ['ignores case and accents', 'THE Café', '[CLS] the cafe [SEP]'],
    ['ignores characters that can’t be seen', 'sh\u200bip\u0000s\tthe', '[CLS] ship ##s the [SEP]'],
    ['encodes an empty text', '', '[CLS] [SEP]'],
  ])('%s', (_, text, tokens) => {
    expect(words(tokenizer().encode(text, 200))).toBe(tokens);
  });

  it('cuts a text to the limit, marks included', () => {
    expect(words(tokenizer().encode('the ships, the harbour', 4))).toBe('[CLS] the ship [SEP]');
  });

  it('keeps case if the model knows it', () => {
    expect(words(tokenizer('WordPiece', false).encode('The ship', 9))).toBe('[CLS] [UNK] ship [SEP]');
  });

  it('encodes a pair, says where the second text begins, and cuts the second text', () => {
    const { ids, second } = tokenizer().encodePair('the ship', 'the harbour, the harbour', 8);
    expect(words(ids)).toBe('[CLS] the ship [SEP] the harbour , [SEP]');
    expect(second).toBe(4);
  });

  it('leaves a quarter to the second text if the first is too long', () => {
    const { ids } = tokenizer().encodePair('the the the the the the the the', 'harbour', 8);
    expect(words(ids)).toBe('[CLS] the the the the [SEP] harbour [SEP]');
  });

  it.each(['BPE', 'Unigram'])('refuses a tokenizer of another kind: %s', (type) => {
    expect(() => tokenizer(type)).toThrow(`the tokenizer is ${type}; only WordPiece is supported`);
  });
});
