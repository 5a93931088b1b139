import { readableText, withoutPadding } from '../../../../src/text/quotable/readable-text.js';

describe('readableText', () => {
  it.each<[string, string, string]>([
    ['components', 'Use it.\n\n<AppOnly>\n\nHere.\n\n</AppOnly>', 'Use it.\n\nHere.'],
    ['layout tags with attributes', 'Run:\n\n<div class="termy">\n\nGo.\n</div>', 'Run:\n\nGo.'],
    ['several tags on a line', 'One.\n</td></tr>\nTwo.', 'One.\nTwo.'],
    [
      'cells of tables in HTML',
      'These are all the options that boats take:\n<tr class="odd">\n<td><p><code>--all</code></p></td>\n<td colspan="2">Moors <b>all</b> boats.</td><td>Since 1.2</td>\n</tr>',
      'These are all the options that boats take:\n`--all`\nMoors **all** boats. | Since 1.2',
    ],
    ['a row in HTML', 'All.\n<tr><th>Berth</th> <td>North quay</td></tr>', 'All.\nBerth | North quay'],
    ['the end of a cell', 'All that is left is the last boat.</td>', 'All that is left is the last boat.'],
    [
      'tags of Hexo around titles',
      "{% post_link new-pier 'The new pier' true %} and {% asset_link map.pdf a map %} tell more.",
      'The new pier and a map tell more.',
    ],
    ['tags of cells in code', 'Write `<td>a</td><td>b</td>` here.', 'Write `<td>a</td><td>b</td>` here.'],
    ['ends of blocks', 'One.\n\n///\n\nTwo.\n:::', 'One.\n\nTwo.'],
    ['tags in a quotation', '> One.\n> </Note>\n> Two.', '> One.\n> Two.'],
    ['images', 'One.\n\n![The page](a.png)\n\nTwo.', 'One.\n\nTwo.'],
    ['includes', 'One.\n\n{* ../a.py hl[8] *}\n\nTwo.', 'One.\n\nTwo.'],
    ['template tags and comments', 'One.\n{% include a.md %}\n<!-- two -->\nTwo.', 'One.\nTwo.'],
    ['tags in a list', '- One.\n\n    <div>\n\n    Two.\n\n    </div>', '- One.\n\n    Two.'],
    ['tags in a component', '<Tabs>\n\n    <div>\n    Two.\n    </div>\n</Tabs>', '    Two.'],
    ['markup after code', 'Run:\n\n<pre>\na\n</pre>\n<div>\nGo.', 'Run:\n\n<pre>\na\n</pre>\nGo.'],
    ['layout tags that are not closed', 'One.\n\n<Tabs>\n\nTwo.\n<br/>\nThree.', 'One.\n\nTwo.\nThree.'],
    ...[
      'export default function Ship() {',
      'export default {',
      'export default ship;',
      'export default class Ship extends Boat {',
      'export const ships = [1];',
      'export const { ship } = ships;',
      'export const ship: Ship = {};',
      'export async function sail() {}',
    ].map((line): [string, string, string] => [`\`${line}\``, `One.\n\n${line}\n\nTwo.`, 'One.\n\nTwo.']),
    ['link definitions', 'One [a].\n\n[a]: https://example.org/a', 'One [a].'],
    [
      'padding of tables',
      '| A    | B   |\n| ---- |:-----|\n|  1   | 2   |',
      '| A | B |\n| --- |:---|\n| 1 | 2 |',
    ],
  ])('leaves out %s', (_, text, shown) => {
    expect(readableText(text)).toBe(shown);
  });

  it.each([
    ['code', '```html\n<div>\n\n\n</div>\n```'],
    ['code that looks like a table', '```\n| a    |\n```'],
    ['spaces within a cell', '| `a  b` | c |'],
    ['code without its start', '<div>\n```\n\nDone.'],
    ['tags within a sentence', 'Press <kbd>A</kbd>.'],
    ['a generic type', 'A `List<T>`\nis one.'],
    ['a part of a block of code', '  <div>\n  <Card title="A">\n  </div>'],
    ['lines of code without fences', "import a from 'a';\n<Tabs>\nrun({{ a }});"],
    ['a block of code that is cut', 'Run:\n\n```html\n<div>\n<Tabs>'],
    ['a text with an end of code', 'run();\n```\n\n!!! note\n```js\nrun();\n```'],
    ['templates in inline code', 'Write `{{< ref "a" >}}` or `{: .note }` here.'],
    ['templates in prose', 'Write {{ name }} here.'],
    ['attributes in other braces', 'A set {{: .a }} here.'],
    [
      'indented code',
      "Put it in the page:\n\n    import foo from 'foo'\n    export default foo\n\n\n    ---\n\n    {% if x %}\n    a\n    {% endif %}\n\nThen reload it.",
    ],
    ['indented Apache code', 'Deny it:\n\n    <Directory "/x">\n    Deny all\n    </Directory>'],
    ['code indented by a tab', 'Use it:\n\n\t<div>\n\t</div>'],
    ['indented code in a quotation', '> Use it:\n>\n>     <div>\n>     </div>'],
    ['code after the end of a list', '- One.\n\nUse it:\n\n    <div>\n    </div>'],
    ['code of Jekyll', 'Run:\n\n{% highlight html %}\n<div>\n---\n{% endhighlight %}\n\nDone.'],
    ['code of Hugo', 'Run:\n\n{{< highlight html >}}\n<div>\n{{< /highlight >}}\n\nDone.'],
    ['code of HTML', 'Run:\n\n<pre class="a">\n<div>\n!!! a\n</pre>\n\nDone.'],
    ['code of Jekyll that is cut', 'Run:\n\n{% highlight html %}\n<div>'],
    ['code of Jekyll without its start', '<div>\n{% endhighlight %}\n\nThe end is here.'],
    ['a warning with exclamation marks', '!!! Do not turn this off\n    !!! Never, ever.\n      Stop.'],
    ['a question', '??? What is this'],
    ['a heading of another format', 'One.\n\n=== Heading text here\n\nTwo.'],
    ['a wrapped line about exports', 'It can\nexport default settings of the server.'],
    ['a wrapped line about classes', 'It can\nexport class and rank of the ship'],
    ['a key', 'Then press\n\n<Enter>\n\nand wait.'],
    ['a placeholder', 'The type is\n\n<string>\n\nor a number.'],
    ['a placeholder of words', 'Enter it:\n\n<name of the ship>'],
    ['a hash of Ruby', 'Pass `x` {:name => 1} to the next call of it.'],
  ])('keeps %s', (_, text) => {
    expect(readableText(text)).toBe(text);
  });
});

describe('blocks in readableText', () => {
  it.each<[string, string, string]>([
    ['Docusaurus', ':::danger[Mind the gap]\n\nStop.\n\n:::', '**Danger: Mind the gap**\n\nStop.'],
    ['PyMdown', '/// warning | Mind the gap\n\nStop.\n\n///', '**Warning: Mind the gap**\n\nStop.'],
    ['MkDocs', '!!! note\n    Stop.\n\n    Wait.\n\nGo.', '**Note**\nStop.\n\nWait.\n\nGo.'],
    [
      'MkDocs in a list',
      '1. Stop.\n\n    !!! tip "Gap"\n        Mind it.',
      '1. Stop.\n\n    **Tip: Gap**\n    Mind it.',
    ],
    [
      'nested ones',
      '!!! note\n    === "Go"\n        Run it.\n    === "C"\n        Stop.',
      '**Note**\n**Go**\nRun it.\n**C**\nStop.',
    ],
    [
      'code in a tab',
      '=== "Go"\n\n    ```go\n    if a {\n        b()\n    ```\n\nDone.',
      '**Go**\n\n```go\nif a {\n    b()\n```\n\nDone.',
    ],
    [
      'code in an admonition',
      '!!! note\n    Run:\n\n        <div>\n\nGo.',
      '**Note**\nRun:\n\n    <div>\n\nGo.',
    ],
    ['GitHub', '> [!NOTE]\n> Mind the gap.', '> **Note**\n> Mind the gap.'],
    ['DocFX', '> [!div class="checklist"]\n> - Mind the gap.', '> - Mind the gap.'],
    [
      'Hugo',
      '{{% alert title="Gap" color="warning" %}}\nMind it.\n{{% /alert %}}',
      '**Warning: Gap**\nMind it.',
    ],
    ['Jekyll', 'Stop.\n\n{: .warning }\nMind the gap.', 'Stop.\n\n**Warning**\nMind the gap.'],
    [
      'components',
      '<Tabs>\n<TabItem value="go" label="Go">\n\nMind the gap.\n\n</TabItem>\n</Tabs>',
      '**Go**\n\nMind the gap.',
    ],
    ['a cut block of code', '!!! note\n    Run:\n\n    ```sh\n    go', '**Note**\nRun:\n\n```sh\ngo'],
  ])('shows the kind and title of %s', (_, text, shown) => {
    expect(readableText(text)).toBe(shown);
    expect(readableText(shown)).toBe(shown);
  });

  it.each<[string, string, string]>([
    ['a class after a paragraph', 'The title. {: .subtitle }', 'The title.'],
    ['a class below a paragraph', 'The title.\n{: .subtitle }', 'The title.'],
    ['a class of a link', 'Read [it](a.md){: .button } now.', 'Read [it](a.md) now.'],
    ['a reference of Hugo', 'Read [it]({{< ref "a#b" >}}) now.', 'Read [it](a#b) now.'],
    ['a link of Jekyll', 'Read [it]({% link a.md %}) now.', 'Read [it](a.md) now.'],
    ['a base address', 'Read [it]({{ site.baseurl }}/a) now.', 'Read [it](/a) now.'],
    [
      'a shortcode with text',
      'A {{< glossary_tooltip text="ship" term_id="s" >}} is here.',
      'A ship is here.',
    ],
    ['an include within a sentence', 'In [!INCLUDE [ship](../ship.md)] one.', 'In ship one.'],
    ['line breaks in a cell', '| a<br/>b<br> `<br>` | c |', '| a b `<br>` | c |'],
    ['line breaks in a row', '| a <br> <br/> b | c |', '| a  b | c |'],
    ['tags of a styled text', 'Moor <span class="port">left</span> of `<span>`.', 'Moor left of `<span>`.'],
    ['an image within a sentence', 'Press the ![gear](a.png) mark.', 'Press the gear mark.'],
    ['an image without a text', '- ![](a.gif) [Ship](#ship) and more', '- [Ship](#ship) and more'],
    ['a line break', '*name*<br/>\nThe name of it.', '*name*\nThe name of it.'],
    ['a link definition in two lines', 'One [a].\n\n[a]:\n  https://example.org/a', 'One [a].'],
    ['an include of a file', 'One.\n{{ usage.inc }}\nTwo.', 'One.\nTwo.'],
    ['a mark for a table of contents', '# Ships\n\nContents {:toc}\n{:toc}', '# Ships\n\nContents'],
    ['an attribute with a value', 'Read [it](a.md) {:target="_blank"} now.', 'Read [it](a.md) now.'],
    ['a class without a space', 'The *ship*{:.big} is here.', 'The *ship* is here.'],
    [
      'extensions of kramdown',
      '{::comment}\nMoor {::nomarkdown}left{:/} here.\n{:/comment}',
      'Moor left here.',
    ],
    ['tags of emphasis', 'The <em>old</em> <B>red</B> <i class="a">ship</i>.', 'The *old* **red** *ship*.'],
    ['tags of emphasis in each other', 'The <strong><em>old</em></strong> ship.', 'The ***old*** ship.'],
    ['tags of emphasis around other marks', 'The <em>`old` *red*</em> ship.', 'The `old` *red* ship.'],
    ['tags of code', 'Run <code>a_b</code>, <tt>c</tt> and <samp>`d`</samp>.', 'Run `a_b`, `c` and `d`.'],
    ['tags of style', 'Moor <small>left</small> of <u>it</u>, <mark>now</mark>.', 'Moor left of it, now.'],
    [
      'tags of links',
      'First, <a name="x"></a>see <a class="b" href="a.md">it</a> now.',
      'First, see [it](a.md) now.',
    ],
    [
      'a title with quotes or a percent sign of a link of Hexo',
      '{% post_link my-post "It\'s 5% here" %}, {% post_link a It\'s it true %}, {% post_link b \'A "b"\' false -%}.',
      'It\'s 5% here, It\'s it, A "b".',
    ],
    ['tags of a link without an address', 'See <a id="x">it</a> now.', 'See it now.'],
    [
      'tags of terms',
      '<dl>\n<dt>Ship</dt>\n<dd>It <em>sails</em> over all of the seas.</dd>\n</dl>',
      '**Ship**\nIt *sails* over all of the seas.',
    ],
    [
      'tags of terms on a line',
      '<dt>Ship</dt><dd>It sails over all of the seas.</dd>',
      '**Ship** It sails over all of the seas.',
    ],
    [
      'tags of a quote that begins in a term',
      'Ship</dt>\n<dd>It sails over all of the seas.',
      'Ship\nIt sails over all of the seas.',
    ],
    ['tags of paragraphs', '> <p>One.</p>', '> One.'],
    ['tags in a row', '| <em>a</em> | <p>b</p> |', '| *a* | b |'],
  ])('leaves out %s', (_, text, shown) => {
    expect(readableText(text)).toBe(shown);
    expect(readableText(shown)).toBe(shown);
  });

  it.each([
    ['in inline code', 'Write `<em>a</em>`, `{:toc}` or `<dd>a`.'],
    ['in a block of code', 'Write:\n\n```html\n<dt>a</dt>\n{:toc}\n```'],
    ['without an end', 'The <em> element and <p> are here.'],
    ['at the start of a sentence', '<p> and <dd> are elements.'],
    ['of a type', 'A Map<I> of <i> is here.'],
    ['that mean something', '10<sup>6</sup> of <kbd>A</kbd>.'],
    ['of Elixir', 'It returns {:ok, a} or {:error, b}.'],
  ])('keeps tags %s', (_, text) => {
    expect(readableText(text)).toBe(text);
  });

  it.each([
    '<em>a',
    '<dt>',
    '</dd>',
    '<a href="',
    '!!! a\n ',
    ':::note ',
    '{{< a ',
    '<a ',
    '<br ',
    '<span ',
    '[!INCLUDE [',
    '| a ',
    '`',
    '](',
    '{: .a',
  ])('reads %j many times, for which quadratic time would be too long', (part) => {
    const text = part.repeat(100_000);
    expect(readableText(text).length).toBeLessThan(3 * text.length);
  });

  it.each([
    '<dd>',
    '<em>a',
    '<a href="a"',
    '| a',
    '| a <br>',
    'a',
    '](',
    ']({{< ref',
    '](a)\n[b]:',
    '[b]: /a',
    ':::note',
    '!!! a',
    '{% post_link a',
    '{: .a',
    '<br',
  ])('reads %j and many spaces, for which quadratic time would be too long', (start) => {
    const text = `${start}${' '.repeat(200_000)}x |`;
    expect(readableText(text).length).toBeLessThan(text.length + 10);
  });
});

describe('fences in readableText', () => {
  it('are found in long runs of marks, for which quadratic time would be too long', () => {
    const text = `${'`'.repeat(1_000_000)}a\``;
    expect(readableText(text)).toBe(text);
  });
});

describe('withoutPadding', () => {
  it('keeps the alignment marks of a separator', () => {
    expect(withoutPadding('| :----- | -----: | :---: |')).toBe('| :--- | ---: | :---: |');
  });

  it('does not shorten dashes in other rows', () => {
    expect(withoutPadding('| a ------ b |   c |')).toBe('| a ------ b | c |');
  });
});

describe('readableText of documentation systems', () => {
  it.each<[string, string, string]>([
    ['ends of shortcodes', '**Owls** eat.{{< /tab >}} Herons too.{{% /x %}}', '**Owls** eat. Herons too.'],
    ['tags of Liquid', 'Owls eat {% include a.html %} voles.', 'Owls eat voles.'],
    ['variables of VitePress', 'Owls eat {{ $frontmatter.food }} at night.', 'Owls eat at night.'],
    ['icons of Material', 'The :material-owl:{ .big } owl eats **voles**.', 'The owl eats **voles**.'],
    ['attributes after text', '**Owls** eat at night { .annotate }', '**Owls** eat at night'],
    ['attributes after a link', '[Owls](a.md){ .md-button } eat.', '[Owls](a.md) eat.'],
    ['badges', 'Owls eat <Badge type="tip" text="at night" />.', 'Owls eat at night.'],
    ['icons of components', 'Owls <Icon name="moon" />eat.', 'Owls eat.'],
    [
      'captions within a line',
      'Owls {{< figure src="/a.png" caption="at night" >}} eat.',
      'Owls at night eat.',
    ],
    ['captions on a line', '{{< figure src="/a.png" title="Owl" caption="At night" >}}', 'Owl: At night'],
    [
      'second titles of notices',
      '{{% notice note "Owls" %}}\nThey eat.\n{{% /notice %}}',
      '**Note: Owls**\nThey eat.',
    ],
  ])('shows the text of %s', (_name, text, shown) => {
    expect(readableText(text)).toBe(shown);
  });

  it.each([
    'The version is {{< param version >}}.',
    'Write `{{< /tab >}}` and `:material-owl:`.',
    'A set { .a, .b } of classes, and {% raw',
    'Use {{ page.title }} and a Box<Owl />.',
  ])('leaves %j as it is', (text) => {
    expect(readableText(text)).toBe(text);
  });
});
