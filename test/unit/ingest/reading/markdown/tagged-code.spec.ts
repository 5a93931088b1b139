import { readMarkdown } from '../../../../../src/ingest/reading/markdown/read-markdown.js';
import { fenceTaggedCode } from '../../../../../src/ingest/reading/markdown/tagged-code.js';

const blocksOf = (text: string) => readMarkdown(text).blocks;

describe('code between tags', () => {
  it.each([
    ['Jekyll', '{% highlight sh linenos %}', '{% endhighlight %}', 'sh'],
    ['Hexo', '{% codeblock lang:sh line_number:false %}', '{% endcodeblock %}', 'sh'],
    ['Hexo, in short', '{% code lang:sh %}', '{% endcode %}', 'sh'],
    [
      'Hexo, with a file',
      '{% codeblock a.sh lang:sh https://a.example %}',
      '{% endcodeblock %}',
      'sh title="a.sh"',
    ],
    ['Hugo', '{{< highlight sh "linenos=table" >}}', '{{< /highlight >}}', 'sh'],
    ['Hugo, with percent signs', '{{% highlight sh %}}', '{{% /highlight %}}', 'sh'],
    ['Liquid that trims', '{%- highlight sh -%}', '{%- endhighlight -%}', 'sh'],
  ])('is code as a fence is: %s', (_, start, end, info) => {
    const code = '# Fill the lock\npump --all\n\n- <!-- kept -->';
    expect(blocksOf(`Run:\n${start}\n${code}\n${end}\n\n## Next\n\nGo.`)).toMatchObject([
      { kind: 'text', text: 'Run:' },
      { kind: 'fence', text: `\`\`\`${info}\n${code}\n\`\`\``, line: 2 },
      { kind: 'heading', title: 'Next', line: 9 },
      { kind: 'text', text: 'Go.' },
    ]);
  });

  it.each(['', '  ', '   '])('may be less indented than its tags: %j', (indent) => {
    const text = `1. Do:\n\n${indent}{% highlight bash %}\nnpm install\n\n  # now\n${indent}{% endhighlight %}\n\n## Next`;
    const blocks = blocksOf(text);
    expect(blocks.at(-1)).toMatchObject({ kind: 'heading', title: 'Next', line: 9 });
    const code = ['```bash', 'npm install', '', '  # now', '```'].map((line) => line && indent + line);
    expect(blocks.map((block) => ('text' in block ? block.text : '')).join('\n\n')).toContain(
      code.join('\n'),
    );
  });

  it('stays within a quotation', () => {
    expect(blocksOf('> {% highlight sh %}\n> a\n>\n>b\n> {% endhighlight %}\n\n## Next')).toMatchObject([
      { text: '> ```sh\n> a\n>\n>b\n> ```' },
      { kind: 'heading', title: 'Next' },
    ]);
  });

  it('stays as it is on one line, so that the lines below keep their numbers', () => {
    const text = 'Run:\n\n{% highlight sh %}ls{% endhighlight %}\n\n## Next';
    expect(blocksOf(text)).toMatchObject([
      { text: 'Run:' },
      { text: '{% highlight sh %}ls{% endhighlight %}' },
      { kind: 'heading', title: 'Next', line: 5 },
    ]);
  });

  it('reads each line a few times only', () => {
    let tests = 0;
    const { test } = RegExp.prototype;
    const counter = jest.spyOn(RegExp.prototype, 'test').mockImplementation(function (this: RegExp, line) {
      tests++;
      return test.call(this, line);
    });
    const unclosed = fenceTaggedCode('{% code %}\n'.repeat(500));
    const held = fenceTaggedCode(`${'{% code %}\n'.repeat(500)}\`\`\`sh\nls\n\`\`\`\n{% endcode %}`);
    counter.mockRestore();
    expect([unclosed.split('\n').length, held.split('\n').length]).toEqual([501, 504]);
    expect(tests).toBeLessThan(10_000);
  });

  it('may have very many backticks in it', () => {
    const code = '`a '.repeat(200_000);
    expect(fenceTaggedCode(`{% highlight sh %}\n${code}\n{% endhighlight %}`)).toBe(
      `\`\`\`sh\n${code}\n\`\`\``,
    );
  });

  it.each([
    ['{% code title="a.yml" lineNumbers="true" %}', ' title="a.yml"'],
    ['{% codeblock A `b` "c" lang:sh mark:1,2 %}', `sh title="A 'b' 'c'"`],
  ])('has the title and the language of its tag: %s', (tag, info) => {
    const end = tag.includes('codeblock') ? '{% endcodeblock %}' : '{% endcode %}';
    expect(blocksOf(`${tag}\na: 1\n${end}`)).toMatchObject([{ text: `\`\`\`${info}\na: 1\n\`\`\`` }]);
  });

  it('may stand in lists and quotations, and have fences in it', () => {
    expect(blocksOf('- Run:\n\n  {% highlight sh %}\n  # no\n  {% endhighlight %}\n\n- End')).toMatchObject([
      { kind: 'item', text: '- Run:\n\n  ```sh\n  # no\n  ```' },
      { kind: 'item', text: '- End' },
    ]);
    expect(blocksOf('> {% highlight sh %}\n> # no\n> {% endhighlight %}')).toMatchObject([
      { text: '> ```sh\n> # no\n> ```' },
    ]);
    expect(blocksOf('{% highlight md %}\n```js\n1\n```\n{% endhighlight %}')).toMatchObject([
      { kind: 'fence', text: '````md\n```js\n1\n```\n````' },
    ]);
  });

  it.each([
    ['a fence', '```liquid\n{% highlight sh %}\n# a\n{% endhighlight %}\n```'],
    ['a block of GitBook', '{% code title="a.yml" %}\n\n```yaml\na: 1\n```\n\n{% endcode %}'],
    ['a tag that nothing ends', '{% highlight sh %}\nls'],
    ['a tag with a longer name', '{% highlight-note %}\nls\n{% endhighlight-note %}'],
  ])('leaves %s as it is', (_, text) => {
    expect(
      blocksOf(text)
        .map((block) => (block.kind === 'heading' ? '' : block.text))
        .join('\n\n'),
    ).toBe(text);
  });
});
