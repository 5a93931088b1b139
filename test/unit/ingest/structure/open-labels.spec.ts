import { splitUnits } from '../../../../src/ingest/structure/split-units.js';

/** Each unit with the titles around it. */
const labelled = (text: string): [string, string | undefined][] =>
  splitUnits(text).map(({ start, end, label }) => [text.slice(start, end), label]);

describe('labels of units', () => {
  it.each<[string, string]>([
    ['MkDocs', '!!! note "Ruby"\n\n    Inside.\n\nAfter.'],
    ['MkDocs, collapsible', '??? note "Ruby"\n    Inside.\n\nAfter.'],
    ['tabs of MkDocs', '=== "Ruby"\n\n    Inside.\n\nAfter.'],
    ['PyMdown', '/// note | Ruby\n\nInside.\n\n///\n\nAfter.'],
    ['Docusaurus', ':::note[Ruby]\n\nInside.\n\n:::\n\nAfter.'],
    ['VitePress', '::: tip Ruby\nInside.\n:::\nAfter.'],
    ['Hugo', '{{< tab "Ruby" >}}\nInside.\n{{< /tab >}}\n\nAfter.'],
    ['Hugo with a name', '{{% alert color="red" title="Ruby" %}}\nInside.\n{{% /alert %}}\nAfter.'],
    ['JSX', '<TabItem value="rb" label="Ruby">\n\nInside.\n\n</TabItem>\n\nAfter.'],
  ])('are the titles of %s', (_, text) => {
    expect(labelled(text)).toEqual([
      ['Inside.', 'Ruby'],
      ['After.', undefined],
    ]);
  });

  it('belong to code too, and change from tab to tab', () => {
    const text =
      '=== "Ruby"\n\n    ```sh\n    gem install x\n    ```\n\n=== "Go"\n\n    ```sh\n    go get x\n    ```\n';
    expect(labelled(text)).toEqual([
      ['gem install x', 'Ruby'],
      ['go get x', 'Go'],
    ]);
  });

  it('are joined from the outermost inward', () => {
    expect(labelled('::: tabs\n:::: tip Linux\n::: note Ruby\nInside.\n:::\n::::\n:::\nAfter.')).toEqual([
      ['Inside.', 'Linux\nRuby'],
      ['After.', undefined],
    ]);
  });

  it.each([
    ['a kind without a title', '/// tip\nInside.\n///'],
    ['a shortcode that is not closed', '{{< tab "Ruby" >}}\nInside.'],
    ['a shortcode of another kind', '{{< figure title="Ruby" >}}\nInside.\n{{< /figure >}}'],
    ['a mark in code', '```\n=== "Ruby"\n```\n\nInside.'],
  ])('are not made from %s', (_, text) => {
    expect(labelled(text).at(-1)).toEqual(['Inside.', undefined]);
  });
});
