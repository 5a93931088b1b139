import fc from 'fast-check';

/** Words of the documents and of the questions about them. */
export const MARKED_UP_WORDS = [
  'kestrel',
  'valve',
  'harbour',
  'pressure',
  'berth',
  'crane',
  'tide',
  'signal',
];

const word = fc.constantFrom(...MARKED_UP_WORDS);
const phrase = fc.array(word, { minLength: 2, maxLength: 7 }).map((words) => words.join(' '));
const sentence = phrase.map((words) => `The ${words}.`);
const prose = fc.array(sentence, { minLength: 1, maxLength: 6 }).map((sentences) => sentences.join(' '));

const codeLine = fc.oneof(
  phrase.map((words) => `open('${words}'); // ${words}`),
  fc.tuple(word, phrase).map(([name, words]) => `if (${name}) {\n  ${name}.call("${words}. It ends.");\n}`),
  phrase.map((words) => `<${words.split(' ')[0]}>\n  ${words}\n</${words.split(' ')[0]}>`),
  fc.constantFrom('', '# a comment. And more.', '[kestrel]: not a link', '![kestrel](valve.png)', '});', ']'),
);
const code = fc
  .tuple(
    fc.constantFrom('```js', '```', '~~~sh', '````md', '```ts title="a.ts"'),
    fc.array(codeLine, { minLength: 1, maxLength: 20 }),
    fc.constantFrom('', '> ', '   '),
  )
  .map(([fence, lines, margin]) =>
    [fence, ...lines.flatMap((line) => line.split('\n')), /^[`~]+/.exec(fence)?.[0] ?? '']
      .map((line) => `${margin}${line}`)
      .join('\n'),
  );
const list = fc
  .tuple(fc.constantFrom('-', '*', '1.'), fc.array(prose, { minLength: 1, maxLength: 12 }), fc.boolean())
  .map(([mark, items, isNested]) =>
    items.map((item, i) => `${isNested && i % 3 === 1 ? '    ' : ''}${mark} ${item}`).join('\n'),
  );
const table = fc
  .array(phrase, { minLength: 1, maxLength: 12 })
  .map(
    (rows) => `| Name | Use |\n|------|-----|\n${rows.map((row) => `| ${row} | \`${row}\` |`).join('\n')}`,
  );

/** Syntax that says nothing by itself. */
const syntax = fc
  .tuple(word, phrase)
  .chain(([one, some]) =>
    fc.constantFrom(
      `[${one}]: https://example.org/${one} "${some}"`,
      `![${some}](${one}.png)`,
      `[![${some}](${one}.svg)](https://example.org/${one})`,
      `{{< ${one} "${some}" >}}`,
      `{{% ${one} %}}`,
      `{% include ${one}.html %}`,
      `{* ../${one}.py hl[1] *}`,
      `{: .${one} }`,
      `--8<-- "${one}.md"`,
      `<<< @/${one}.ts`,
      `[!INCLUDE [${one}](../${one}.md)]`,
      `import ${one} from '@site/${one}';`,
      `<Tabs groupId="${one}">`,
      `</${one}>`,
      `:::note ${one}`,
      '///',
      `/// tip | ${some}`,
      `!!! note "${some}"`,
      `=== "${one}"`,
      `{/* ${some} */}`,
      `<!-- ${some} -->`,
      `[${some}](${one}.md)<br/>`,
      `- [${some}](${one}.md)\n- [${one}][1]`,
    ),
  );
const leadIn = phrase.map((words) => `The ${words} as follows:`);

const block = fc.oneof(
  { weight: 3, arbitrary: prose },
  { weight: 2, arbitrary: syntax },
  leadIn,
  code,
  list,
  table,
);

/** A page of Markdown with the syntax of all documentation systems. */
const page = fc
  .array(fc.tuple(phrase, fc.array(block, { minLength: 1, maxLength: 9 })), { minLength: 1, maxLength: 5 })
  .map((sections) => sections.map(([title, blocks]) => `## ${title}\n\n${blocks.join('\n\n')}\n`).join('\n'));

const question = fc.oneof(
  phrase.map((words) => `How does ${words} work?`),
  phrase,
  fc.tuple(word, word).map(([one, two]) => `Which ${one} does the ${two} use?`),
);

export const pages = (count: number, seed: number): string[] => fc.sample(page, { numRuns: count, seed });
export const questions = (count: number, seed: number): string[] =>
  fc.sample(question, { numRuns: count, seed });
