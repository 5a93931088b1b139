import { textMarkup } from '../../../../src/ingest/reading/text-markup.js';

describe('textMarkup', () => {
  it.each<[string, 'rst' | 'adoc' | null]>([
    ['Models\n======\n\n.. module:: a.b\n\nText.', 'rst'],
    ['.. _models:\n\n======\nModels\n======\n\nText.', 'rst'],
    ['Models\n------\n\nSee :doc:`/ref/models`.', 'rst'],
    ['git-add(1)\n==========\n\n[verse]\n____\ngit add\n____', 'adoc'],
    ['= Guide\n\n[source,sh]\n----\nrun\n----', 'adoc'],
    ['Notes\n=====\n\nSee linkgit:git-add[1].', 'adoc'],
    ['Models\n======\n\nText: see the note.', null],
    ['Dear all,\n\n.. note:: below\n\nText.', null],
    ['At 10:30:`now`\n\n----\n', null],
    ['', null],
  ])('finds the markup of %j', (text, markup) => {
    expect(textMarkup(text)).toBe(markup);
  });

  it.each(['-:a', ':', '.. a', '[[a', 'a\n', '= ', '[source,', '=\n'])(
    'takes linear time for many %j',
    (piece) => {
      expect(() => textMarkup(piece.repeat(300_000))).not.toThrow();
    },
  );
});
