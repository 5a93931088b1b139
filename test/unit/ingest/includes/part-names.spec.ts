import { hasStatements } from '../../../../src/ingest/includes/part-names.js';

describe('statements of templates', () => {
  it.each(['<pre>', '<code>', '<!--', '<script>', '{{', '{#', '<', '{% ', '\n'])(
    'are not searched for again after each %j',
    (mark) => {
      expect(hasStatements(`{% raw %}a${mark.repeat(200_000)}`)).toBe(false);
    },
  );
});
