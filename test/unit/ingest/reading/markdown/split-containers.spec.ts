import { splitContainers } from '../../../../../src/ingest/reading/markdown/split-containers.js';

const split = (text: string): string => {
  const block = splitContainers({ kind: 'text', text, line: 1 });
  return 'text' in block ? block.text : '';
};

describe('splitContainers', () => {
  it.each([
    ['<Tab title="Mac">Run it.</Tab>', '<Tab title="Mac">\nRun it.\n</Tab>'],
    ['  <Intro>Run `it`.</Intro>', '  <Intro>\n  Run `it`.\n  </Intro>'],
    ['{{% tab name="Mac" %}}Run it.{{% /tab %}}', '{{% tab name="Mac" %}}\nRun it.\n{{% /tab %}}'],
    ['{{< tab >}}Run *it*.{{< /tab >}}', '{{< tab >}}\nRun *it*.\n{{< /tab >}}'],
    ['<Tabs><Tab>A</Tab><Tab>B</Tab></Tabs>', '<Tabs>\n<Tab>\nA\n</Tab>\n<Tab>\nB\n</Tab>\n</Tabs>'],
    ['<Tip>Use <Icon name="x" /> now.</Tip>', '<Tip>\nUse <Icon name="x" /> now.\n</Tip>'],
    ['One.\n<Tip>Two.</Tip>\nThree.', 'One.\n<Tip>\nTwo.\n</Tip>\nThree.'],
  ])('puts the tags of %j on lines of their own', (text, expected) => {
    expect(split(text)).toBe(expected);
  });

  it.each([
    'Press <Key>Enter</Key> now.',
    'A List<String> and a Map</String>.',
    '<Tab>\nRun it.\n</Tab>',
    '<b>Bold</b>',
    '```\n<Tab>Run it.</Tab>\n```',
    '<Tab>Run it.</Other>',
  ])('leaves %j as it is', (text) => {
    expect(split(text)).toBe(text);
  });
});
