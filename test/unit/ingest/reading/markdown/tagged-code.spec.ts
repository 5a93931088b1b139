import { readMarkdown } from '../../../../../src/ingest/reading/markdown/read-markdown.js';

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

  it('may stand on the lines of its tags, in lists and quotations, and have fences in it', () => {
    expect(blocksOf('{% highlight sh %}ls{% endhighlight %} Done.')).toMatchObject([
      { text: '```sh\nls\n```' },
      { text: 'Done.' },
    ]);
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
