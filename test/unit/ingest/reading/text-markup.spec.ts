import { textMarkup } from '../../../../src/ingest/reading/text-markup.js';

describe('textMarkup', () => {
  it.each<[string, 'rst' | 'adoc' | null]>([
    ['Models\n======\n\n.. module:: a.b\n\nText.', 'rst'],
    ['.. _models:\n\n======\nModels\n======\n\nText.', 'rst'],
    ['Models\n------\n\nSee :doc:`/ref/models` and :ref:`a`.', 'rst'],
    ['API\n===\n\n.. note:: Stop.', 'rst'],
    ['git-add(1)\n==========\n\n[verse]\ngit add', 'adoc'],
    ['git-add(1)\n==========\n\nifdef::git[]\nText.\nendif::git[]', 'adoc'],
    ['= Guide\n\n[source,sh]\n----\nrun\n----', 'adoc'],
    ['Notes\n=====\n\nSee linkgit:git-add[1].', 'adoc'],
    ['Models\n======\n\nText: see the note.', null],
    ['Dear all,\n\n.. note:: below\n\nText.', null],
    ['At 10:30:`now`\n\n----\n', null],
    ['===== Links =====\n\n[[apache]]\n\n[[nginx]]', null],
    ['== Usage ==\n\nWrite\n\n[quote id="5"]\n\n// a comment', null],
    ['Configuration\n=============\n\n[[package]]\nname = "x"\n\n// note', null],
    ['pip settings\n------------\n\n[source]\nurl = x', null],
    ['# Sphinx tips\n\nRoles\n-----\n\n.. note:: a\n', null],
    ['Roles\n-----\n\n.. note:: a\n\n```python\nrun()\n```\n', null],
    ['Hello,\n\n:func:`open` failed.\n\nAnn\n---\n.. ok, but\n   this is lost', null],
    ['', null],
  ])('finds the markup of %j', (text, markup) => {
    expect(textMarkup(text)).toBe(markup);
  });

  it.each(['-:a', ':', '.. a', '[[a', 'a\n', '= ', '[source,', '=\n'])(
    'takes linear time for many %j',
    (piece) => {
      expect(() => textMarkup(piece.repeat(1_000_000))).not.toThrow();
    },
  );
});
