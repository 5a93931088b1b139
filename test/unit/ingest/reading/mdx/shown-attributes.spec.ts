import { readMdx } from '../../../../../src/ingest/reading/mdx/read-mdx.js';

const textsOf = (text: string) =>
  readMdx(text).blocks.map((block) =>
    block.kind === 'heading' ? `h${block.level} ${block.title} ${block.anchor ?? '-'}` : block.text,
  );

describe('attributes of MDX', () => {
  it.each([
    [
      '<Param path="berth_id" type="string" required>\n  The berth.\n</Param>',
      ['`berth_id` (string, required)', 'The berth.'],
    ],
    ['<Param query="rows" type="integer" default={25} />', ['`rows` (integer, default: 25)']],
    [
      '<Field name="state" required={false} type="enum" enum={["in", "out"]} />',
      ['`state` (enum, enum: in, out)'],
    ],
    [
      '<Field name="state" type="text" description="Where it is" icon="ship" />',
      ['`state` (text): Where it is'],
    ],
    [
      '<Field name="open" type="boolean" default={false} defaultShown />',
      ['`open` (boolean, default: false)'],
    ],
    ['<Field name="state">\n  Where it is.\n</Field>', ['`state`', 'Where it is.']],
  ])('describe what has a name: %s', (text, texts) => {
    expect(textsOf(text)).toEqual(texts);
  });

  it.each([
    ['<Folder name="berths" defaultOpen>\n  <File name="moor.ts" />\n</Folder>', ['`berths`', 'moor.ts']],
    ['<Frame caption="The berth" src="/a.png" />', ['The berth']],
    ['<Card title="Moor" cta="go" href="/moor" icon="ship" className="a b" />', ['Moor', 'go']],
    [
      '<Hero headline="Sails" primaryText={`Set them`} data-x="A b" onClick="Go on" />',
      ['Sails', 'Set them'],
    ],
    ['<Tabs.List items={["bow", "stern"]} groupId="A side" syncKey="B side" />', ['bow, stern']],
    ['<Tab value="bow">\n  Text.\n</Tab>', ['bow', 'Text.']],
  ])('are text if readers see them: %s', (text, texts) => {
    expect(textsOf(text)).toEqual(texts);
  });

  it.each([
    '<Icon name="ship" size="lg" color="Navy blue" />',
    '<Callout type="warning" variant="Wide one" />',
    '<Embed url="https://example.org/a b" ratio="16/9" width="10 px" wide />',
    '<div title="Moor" />',
  ])('are left out if they are for programs: %s', (text) => {
    expect(textsOf(text)).toEqual([]);
  });
});

describe('attributes of MDX within a sentence', () => {
  const TIP = '<Tooltip tip="A place for a ship.">berth</Tooltip>';
  const NOTE = 'berth: A place for a ship.';

  it.each([
    [`The ${TIP} is\nfree.\n\nMoor.`, ['The berth is\nfree.', NOTE, 'Moor.']],
    [`The ${TIP} is free.`, ['The berth is free.', NOTE]],
    [`- the ${TIP}\n- a buoy\n\nMoor.`, ['- the berth', '- a buoy', NOTE, 'Moor.']],
    [`| a | b |\n|---|---|\n| the ${TIP} | x |`, ['| a | b |\n|---|---|\n| the berth | x |', NOTE]],
    [`## The ${TIP}\n\nMoor.`, ['h2 The berth -', NOTE, 'Moor.']],
    [`The ${TIP}\n\`\`\`\na\n\nb\n\`\`\`\n\nMoor.`, ['The berth', '```\na\n\nb\n```', NOTE, 'Moor.']],
    ['The <Tip tip="Free.">berth\nhere</Tip> is old.', ['The berth\nhere is old.', 'Free.']],
    [`Is this\n${TIP} free?\n\nMoor.`, ['Is this\nberth free?', NOTE, 'Moor.']],
    [`A ship has\n${TIP}.`, ['A ship has\nberth.', NOTE]],
    ['Moor.\n<Card title="Bow">Go on</Card>\nHere.', ['Moor.', 'Bow', 'Go on\nHere.']],
    ['Is it <Badge text="new" />?', ['Is it new?']],
    ['- <Tab label="bow">Moor.</Tab>', ['- bow Moor.']],
  ])('leave the sentence whole: %j', (text, texts) => {
    expect(textsOf(text)).toEqual(texts);
  });
});

describe('expressions and headings of MDX', () => {
  it('shows texts in braces', () => {
    expect(textsOf('A {"berth"} and {`a buoy`}{" "}here.')).toEqual(['A berth and a buoy here.']);
  });

  it.each([
    ['## Moor {/* #berth */}', ['h2 Moor berth']],
    ['## Moor {/*berth*/}', ['h2 Moor berth']],
    ['## Moor {/* a remark */}', ['h2 Moor -']],
    ['<h2 id="berth">Moor <b>here</b></h2>\n\nText.', ['h2 Moor here berth', 'Text.']],
    ['<Card>\n  <h3>\n    Moor_a_ship\n  </h3>\n  Text.\n</Card>', ['h3 Moor_a_ship -', 'Text.']],
  ])('reads the heading %s', (text, texts) => {
    expect(textsOf(text)).toEqual(texts);
  });
});
