const page = (title: string, ...paragraphs: readonly string[]): string =>
  [`# ${title}`, ...paragraphs].join('\n\n') + '\n';

/** Pages with a link from one other page. */
export const LINKED_PAGES = Array.from(
  { length: 40 },
  (_, i) => `list/page-${String(i).padStart(2, '0')}.md`,
);

/** Two pages with links to fifty others each, which all link to the same page. */
const MANY_WAYS_TO_ONE_PAGE = Object.fromEntries(
  ['first', 'second'].flatMap((folder) => {
    const names = Array.from({ length: 50 }, (_, i) => `a-page-with-a-name-as-long-as-most-are-${i}.md`);
    const list = names.map((name) => `- [one](${name})`).join('\n');
    const pages = names.map(
      (name) => [`ways/${folder}/${name}`, page('One', 'To [all](../common.md).')] as const,
    );
    return [[`ways/${folder}/list.md`, page('List', list)] as const, ...pages];
  }),
);

/** A small corpus with every kind of link, heading and step. */
export const GRAPH_CORPUS: Readonly<Record<string, string>> = {
  'guides/start.md': page(
    'Getting started',
    'Read about [the port](../reference/config.md#port) and [disks](disk.md), then call `startServer`.',
    '## Install',
    '### Linux',
    'Run `startServer` as in the [reference](/reference/config).',
    '1. Stop the old one. It may take long.\n2. Copy the **files**.\n3. Start the new one.',
    '### Windows',
    'Set `SERVER_PORT` and read [how to mount][mount].',
    '## See also',
    '- [Disks][disks]',
    '[mount]: disk.md#mount\n[disks]: ./disk.md',
  ),
  'guides/disk.md': page(
    'Disks',
    'A full disk stops it.',
    '## Mount',
    'Mount it with `startServer()`. Back to the [start](./start.md#linux).',
  ),
  'reference/config.md': page(
    'Configuration',
    'As on [our site](https://docs.example.com/guides/disk#mount), but not [there](https://example.com/guides/disk).',
    '## Port',
    'The variable `SERVER_PORT` holds it. It is not [here](gone.md).',
    '## Tools',
    'There are `kb.search` and `KB.Search`.',
  ),
  'reference/search.md': page('Searching', 'Call `KB.Search` or `kb.search()`.'),
  'setup.md': page('Setting up', 'Nothing but a page whose name others write as code.'),
  'setting/later.md': page('Later', 'Edit `setup.md` first.'),
  'list/all.md': page('All pages', LINKED_PAGES.map((path) => `- [one](${path.slice(5)})`).join('\n')),
  ...Object.fromEntries(LINKED_PAGES.map((path) => [path, page(`Number ${path.slice(10, 12)}`, 'Nothing.')])),
  ...MANY_WAYS_TO_ONE_PAGE,
  'ways/common.md': page('Common', 'Nothing.'),
  'long.md': page(
    'Long',
    ...Array.from({ length: 60 }, (_, i) => `## Part ${String(i).padStart(2, '0')}\n\nText ${i}.`),
  ),
};
