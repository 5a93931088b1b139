const LONG_WORDS = 'valve pressure kestrel '.repeat(2_300);

/** A normal page. */
function plainPage(i: number): string {
  return `# Page ${i}\n\nThe valve of page ${i} holds the pressure. See [the index](index.md).\n\n## Use ${i}\n\nTurn the valve.\n`;
}

const front = (fields: Readonly<Record<string, string>>): string =>
  `---\n${Object.entries(fields)
    .map(([key, value]) => `${key}: ${value}`)
    .join('\n')}\n---\n`;

const METADATA = Array.from({ length: 60 }, (_, i) => `  key${i}: ${'v'.repeat(55)}${i}`).join('\n');
/** 900 characters, which paths may have. */
const DEEP = Array.from({ length: 6 }, (_, i) => `${'d'.repeat(149)}${i}`).join('/');

/** Documents with one field of maximum length each, between normal ones; the index page links to all of them. */
export function oversizedDocuments(): Record<string, string> {
  const odd: Record<string, string> = {
    'heading.md': `# Heading\n\n## ${LONG_WORDS}\n\nThe valve under a heading of 50 KB.\n\n### Below\n\nA valve below it.\n`,
    'cjk.md': `# CJK\n\n## ${'漢字'.repeat(8_000)}\n\nThe valve under a heading of CJK.\n`,
    'title.md': `${front({ title: LONG_WORDS })}The valve of a page with a long title.\n`,
    'tag.md': `${front({ doc_tag: LONG_WORDS, repository: LONG_WORDS })}# Tag\n\nThe valve of a long tag.\n`,
    'url.md': `${front({ url: `https://example.com/${'u'.repeat(60_000)}` })}# URL\n\nThe valve of a long URL.\n`,
    'metadata.md': `---\nmetadata:\n${METADATA}\n---\n# Metadata\n\nThe valve of a page with much metadata.\n`,
    'entity.md': `# Entity\n\nCall \`${'valve'.repeat(2_000)}()\` and \`turnValve()\` for the valve.\n`,
    'steps.md': `# Steps\n\n1. Turn the valve ${LONG_WORDS}.\n2. Close the valve.\n`,
    [`${DEEP}/deep.md`]: '# Deep\n\nThe valve of a long path.\n\n## Deeper\n\nAnother valve.\n',
    [`${DEEP}/${'漢'.repeat(40)}.md`]: '# Deep CJK\n\nThe valve of a long path.\n',
  };
  const plain = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`page-${i}.md`, plainPage(i)]));
  const paths = [...Object.keys(odd), ...Object.keys(plain)];
  const links = paths.map((path, i) => `- [page ${i}](<${path}>) has a valve`).join('\n');
  const below = paths
    .map((_, i) => `## Part ${i}${i % 4 === 1 ? ` ${LONG_WORDS}` : ''}\n\nA valve.\n`)
    .join('\n');
  return { ...odd, ...plain, 'index.md': `# Index\n\n${links}\n`, 'parts.md': `# Parts\n\n${below}` };
}
