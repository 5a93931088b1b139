import { convertInline } from '../../../../../src/ingest/reading/rst/inline/convert-inline.js';
import { References } from '../../../../../src/ingest/reading/rst/inline/references.js';
import { toSourceLines } from '../../../../../src/ingest/reading/rst/source-line.js';

const inline = (text: string, definitions = ''): string =>
  convertInline(text, new References(toSourceLines(definitions)));

describe('convertInline', () => {
  it.each([
    ['a literal', 'Use ``a_b`` here.', 'Use `a_b` here.'],
    ['a literal over two lines', '``a\nb``', '`a b`'],
    ['a literal with a backtick', '``a`b``', '`` a`b ``'],
    ['backslashes in a literal', '``C:\\new``', '`C:\\new`'],
    ['emphasis', '*one* and **two**', '*one* and **two**'],
    ['the default role', '`name`', '`name`'],
    ['a role', ':func:`open`', '`open`'],
    ['a role of a domain', ':py:meth:`~pkg.Valve.turn`', '`turn`'],
    ['a role with title', ':ref:`the valve <valve-label>`', 'the valve'],
    ['a title of two lines', ':ref:`the\nvalve <valve-label>`', 'the\nvalve'],
    ['a name that ends with brackets', ':variable:`VALVE_<SIZE>`', '`VALVE_<SIZE>`'],
    ['a title before such a name', ':variable:`VALVE_A <VALVE_<SIZE>>`', '`VALVE_A`'],
    ['a role after the text', '`open`:func:', '`open`'],
    ['a page', ':doc:`the guide </guides/valves>`', '[the guide](/guides/valves)'],
    ['a page without title', ':doc:`guides/big-valves`', '[big valves](guides/big-valves)'],
    ['numbered documents', ':pep:`8`, :rfc:`2822`', 'PEP 8, RFC 2822'],
    ['an address', '`text <https://a.example/x_y>`_', '[text](https://a.example/x_y)'],
    ['an address over two lines', '`text\n<https://a.example/\nx>`__', '[text](https://a.example/x)'],
    ['escapes', '\\*args, a\\ s and a\\\\b', '*args, as and a\\b'],
    ['raised and lowered text', '10\\ :sup:`6` and H\\ :sub:`2`\\ O', '10<sup>6</sup> and H<sub>2</sub>O'],
    ['keys', ':kbd:`Ctrl+C`', '<kbd>Ctrl+C</kbd>'],
    ['a formula with its backslashes', ':math:`\\alpha_1`', '$\\alpha_1$'],
    ['a footnote', 'so it is [1]_ or [#note]_.', 'so it is [1] or [#note].'],
    ['an unknown link', 'the `lost link`_ and id_ too', 'the lost link and id_ too'],
    ['names with underscores', 'a_b __init__ _c', 'a_b __init__ _c'],
    ['an inline target', '_`here` it is', 'here it is'],
    ['spans that are not closed', '``a `b |c *d', '``a `b |c *d'],
  ])('converts %s', (_, text, markdown) => {
    expect(inline(text)).toBe(markdown);
  });

  it.each([
    ['`the site`_', '.. _the site: https://a.example/', '[the site](https://a.example/)'],
    ['The_ link', '.. _the: https://a.example/', '[The](https://a.example/) link'],
    ['`two hops`_', '.. _two hops: one_\n.. _one: https://a.example', '[two hops](https://a.example)'],
    ['circle_', '.. _circle: round_\n.. _round: circle_', 'circle_'],
    [
      '`one`__ `two`__',
      '__ https://a.example/1\n.. __: https://a.example/2',
      '[one](https://a.example/1) [two](https://a.example/2)',
    ],
    ['see :ref:`here <part>`', '.. _part:', 'see [here](#part)'],
    ['see :ref:`big-part`', '.. _big-part:\n\nBig valves\n==========', 'see [Big valves](#big-part)'],
    ['see :ref:`other-page`', '', 'see other page'],
    ['see :any:`np.array_split`', '', 'see np.array_split'],
    [
      'see :ref:`a`',
      '.. _a:\n\n.. index:: x\n\n:mod:`os` --- Misc\n================',
      'see [os --- Misc](#a)',
    ],
    ['`one`_', '.. _one:\n\n.. _two: https://a.example/2', '[one](https://a.example/2)'],
    ['a_', '.. _a:\n.. _b:\n.. _c:\n.. _d:\n.. _e:\n.. _f:\n.. _g:\n\nT\n=', '[a](#g)'],
    ['`one`_', '1. So::\n\n     code\n\n   .. _one: https://a.example/1\n', '[one](https://a.example/1)'],
    ['see `The part`_', '.. _The part:', 'see [The part](#the-part)'],
    ['`one`_', '.. _one:\n.. _two: https://a.example/2', '[one](https://a.example/2)'],
    ['`one`_', '.. _one: `Big valves`_\n\nBig valves\n==========', '[one](#big-valves)'],
    ['`one`__', '__ two_\n\n.. _two: https://a.example/2', '[one](https://a.example/2)'],
    [
      '`one`__',
      'So::\n\n  __ https://a.example/code\n\n__ https://a.example/1',
      '[one](https://a.example/1)',
    ],
    [
      '`one`__',
      '.. code-block:: rst\n\n   __ https://a.example/code\n\n__ https://a.example/1',
      '[one](https://a.example/1)',
    ],
    ['see `Big valves`_', 'Big valves\n==========', 'see [Big valves](#big-valves)'],
    ['|name| |when|', '.. |name| replace:: the *valve*', 'the *valve* when'],
    ['2 |--| 3', '.. |--| unicode:: U+2013', '2 – 3'],
    ['|a|', '.. |a| replace:: |a|', '|a|'],
  ])('finds what %j refers to', (text, definitions, markdown) => {
    expect(inline(text, definitions)).toBe(markdown);
  });

  it('limits what substitutions add', () => {
    const text = inline('|a|'.repeat(100_000), `.. |a| replace:: ${'x'.repeat(400)}`);
    expect(text.length).toBeLessThan(2_000_000);
  });
});
