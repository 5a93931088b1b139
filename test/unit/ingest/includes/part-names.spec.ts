import { hasStatements } from '../../../../src/ingest/includes/part-names.js';

describe('statements of templates', () => {
  it.each<[string, boolean]>([
    ['<!-- Base -->\n<div class="a">{%- if page %}A kestrel.{% endif -%}</div>', true],
    ['<style>p { margin: 0 }</style>{{ header }}{# Menu #}{% include "menu.html" %}', true],
    ['{% load menus %}<p>A kestrel.</p>', true],
    ['<title>Yard</title>\n<body>\n  {% block main %}{% endblock %}\n</body>', true],
    ['<p>To fill a hole,\n{% block main %} is written there.</p>', false],
    ['<p>Write {% if user %} and {% block main %}.</p>', false],
    ['<td>{% extends %}</td>', false],
    ['<pre>\n{% block main %}\n</pre>', false],
    ['<code>{% extends "a" %}</code>', false],
    ['---\nlayout: a\n---\n{% include menu.html %}', false],
    ['<p>A kestrel.</p>', false],
  ])('are told from examples: %j', (html, expected) => {
    expect(hasStatements(html)).toBe(expected);
  });

  it.each(['<pre>', '<code>', '<!--', '<script>', '{{', '{#', '<', '{% ', '\n'])(
    'are not searched for again after each %j',
    (mark) => {
      expect(hasStatements(`{% raw %}a${mark.repeat(200_000)}`)).toBe(false);
    },
  );
});
