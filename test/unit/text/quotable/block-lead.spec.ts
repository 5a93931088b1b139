import { blockLead, isAdmonition } from '../../../../src/text/quotable/block-lead.js';

describe('blockLead', () => {
  it.each<[string, string]>([
    [':::danger Mind the gap', '**Danger: Mind the gap**'],
    [':::tip[Mind the `gap`]', '**Tip: Mind the `gap`**'],
    ['::: warning Mind the gap {#gap}', '**Warning: Mind the gap**'],
    [':::note', '**Note**'],
    [':::{note} Mind the gap', '**Note: Mind the gap**'],
    ['::: {.callout-note title="Mind the gap"}', '**Note: Mind the gap**'],
    [':::tip Set NODE_ENV=production', '**Tip: Set NODE_ENV=production**'],
    [':::tip NODE_ENV=production', '**Tip: NODE_ENV=production**'],
    ['::: {.callout-note collapse=true}', '**Note**'],
    [':::note{collapse=true}', '**Note**'],
    ['::: details Mind the gap', '**Mind the gap**'],
    ['::: theorem Of Thales', '**Theorem Of Thales**'],
    ['!!! note', '**Note**'],
    ['!!! note inline end "Mind the gap"', '**Note: Mind the gap**'],
    ['!!! note inline end', '**Note**'],
    ['!!! harbour', '**Harbour**'],
    ['??? tip "Mind the gap"', '**Tip: Mind the gap**'],
    ['???+ quote ""', '**Quote**'],
    ['!!! harbour "Mind the gap"', '**Mind the gap**'],
    ['=== "Go"', '**Go**'],
    ['=== ":octicons-file-code-16: hatch.toml"', '**hatch.toml**'],
    ['=== "Vec<u8>"', '**Vec<u8>**'],
    ['!!! note "std::vec::new"', '**Note: std::vec::new**'],
    ['!!! note ":ship: <kbd>A</kbd> :anchor-two:"', '**Note: A**'],
    ['/// warning | Mind the gap', '**Warning: Mind the gap**'],
    ['/// note', '**Note**'],
    ['//// tab | Go', '**Go**'],
    ['[!NOTE]', '**Note**'],
    ['[!tip]- Mind the gap', '**Tip: Mind the gap**'],
    ['[!NOTE] Mind the gap.', '**Note** Mind the gap.'],
    ['@tab:active Go', '**Go**'],
    ['<TabItem value="go" label="Go">', '**Go**'],
    ['<Tab title="Go" default={() => 1}>', '**Go**'],
    ['<Card title="Go" href="/go" />', '**Go**'],
    ['<Aside type="caution" title="Gap">', '**Caution: Gap**'],
    ['<Callout type="info">', '**Info**'],
    ['<Warning>', '**Warning**'],
    ['<details><summary>The <b>gap</b></summary>', '**The gap**'],
    ['{{< tab header="Go" >}}', '**Go**'],
    ['{{< tab "Go" >}}', '**Go**'],
    ['{{% alert title="Mind the gap" color="warning" %}}', '**Warning: Mind the gap**'],
    ['{{% alert title="Tip" color="primary" %}} Mind the gap.', '**Note: Tip** Mind the gap.'],
    ['{{< hint info >}}', '**Info**'],
    ['{{< caution >}}', '**Caution**'],
    ['{% hint style="danger" %}', '**Danger**'],
    ['{% tab title="Go" %}', '**Go**'],
  ])('shows the kind and title of %s', (line, shown) => {
    expect(blockLead(line)).toBe(shown);
  });

  it.each([
    ':::row:::',
    '::: moniker range=">=msvc-170"',
    '::: harbour.ships.Ship',
    ':::image type="content" source="a.png" alt-text="A ship":::',
    '[!div class="checklist"]',
    '[!INCLUDE [ship](../ship.md)]',
    '/// html | div.result',
    '//// tab',
    '{{< tabpane >}}',
    '{% tab %}',
    '{% endtab %}',
  ])('shows nothing of %s', (line) => {
    expect(blockLead(line)).toBeNull();
  });

  it.each([
    '!!! Stop, all of you!',
    '!!! Do not turn this off',
    '!!! Do not turn this off, ever.',
    '!!! Note that it is off',
    '??? What is this',
    '=== Ships',
    '/// Gets the ship',
    '/// todo',
    '[!] A ship',
    '@Tab',
    '{ship}',
    '{{ ship }}',
    '{{< ref "ship" >}} is a ship',
    '<T>',
    '<div title="A">',
    '<https://example.org>',
  ])('does not read %s', (line) => {
    expect(blockLead(line)).toBeUndefined();
  });

  it.each([':::', '!!! ', '{{< ', '<A ', '[!', ':::a['])('is fast for long lines of %s', (part) => {
    expect(() => blockLead(part.repeat(20_000))).not.toThrow();
  });
});

describe('isAdmonition', () => {
  it.each([':::danger[Mind the gap]', '!!! note', '[!TIP]', '{{% alert color="warning" %}}', '<Warning>'])(
    'is true for %s',
    (line) => {
      expect(isAdmonition(line)).toBe(true);
    },
  );

  it.each([
    '=== "Go"',
    '=== "Info"',
    '//// tab | Info',
    '{{< tab "Note" >}}',
    '<TabItem label="Note">',
    '<summary>Note</summary>',
    ':::',
    '::: details More',
    '**Note**',
    'Note: the gap.',
  ])('is false for %s', (line) => {
    expect(isAdmonition(line)).toBe(false);
  });
});
