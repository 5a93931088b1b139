const page = (title: string, ...paragraphs: readonly string[]): string =>
  `${[`# ${title}`, ...paragraphs].join('\n\n')}\n`;

/** The manifest of both teams. Only its texts name other teams. */
const manifest = (texts: string): string => `
project: harbour
environment: dev
repository: docs
${texts}
taxonomy:
  kind: { description: "guide or payroll", values: { guide: { resource: true }, payroll: { resource: true } } }
documents:
  - match: ['pilots/**']
    doc_tag: pilots
  - match: ['salaries/**']
    doc_tag: salaries
`;

const TEXTS = `
description: pilots' guides and salary tables
instructions: Ask about pay with the word Zinnwald.
prompts:
  - name: pay
    description: Explains the salary of a pilot.
    messages: [{ role: user, content: Explain the pay of a pilot in Zinnwald. }]`;

const guide = (text: string): string => `---\nkind: guide\n---\n\n${text}`;
const payroll = (text: string): string => `---\nkind: payroll\n---\n\n${text}`;

/** Pages with other words, so that the words of the teams are rare in each index and rank alike. */
const LOG = Object.fromEntries(
  Array.from({ length: 24 }, (_, i) => [
    `pilots/log/day-${i}.md`,
    page(`Day ${i}`, `Fog lifted at ${i} hours. Nothing else happened on watch ${i}.`),
  ]),
);

/** Documents of one team, which link to those of the other and use its words. */
const PILOTS: Readonly<Record<string, string>> = {
  ...LOG,
  'pilots/boarding.md': guide(
    page(
      'Boarding a vessel',
      'The pilot boards at buoy seven, as [the berth plan](berths.md) says. `PILOT_LADDER` must hold.',
      '## Ladder',
      'A pilot ladder is checked before each boarding. Ask [the office](../salaries/bands.md) about pay.',
    ),
  ),
  'pilots/berths.md': guide(
    page(
      'The berth plan',
      'Berths one to nine are given by draught. A pilot reads the plan before boarding.',
      '## Draught',
      'Draught is measured at the bow with `readDraught()`.',
    ),
  ),
  'pilots/weather.md': page(
    'Weather',
    'Above nine knots of wind the pilot waits ashore, whatever the berth plan says.',
  ),
};

/** Documents of the other team. */
const SALARIES: Readonly<Record<string, string>> = {
  'salaries/bands.md': payroll(
    page(
      'Salary bands in Zinnwald',
      'A pilot in Zinnwald is in band seven. `PILOT_LADDER` is also the name of the career ladder.',
      '## Ladder',
      'The ladder of bands for each pilot. See [boarding](../pilots/boarding.md).',
    ),
  ),
  'salaries/bonus.md': payroll(
    page('Boarding a vessel', 'The bonus of a pilot for boarding in Zinnwald, by `readDraught()`.'),
  ),
};

/** The documents of both teams, with a manifest whose texts name both. */
export const BOTH_TEAMS = { '.pith.yaml': manifest(TEXTS), ...PILOTS, ...SALARIES };
/** The documents of one team, with a manifest that has no texts. */
export const ONLY_PILOTS = {
  '.pith.yaml': manifest('').replace('description: "guide or payroll", ', ''),
  ...PILOTS,
};
