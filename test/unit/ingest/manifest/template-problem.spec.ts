import { templateProblem } from '../../../../src/ingest/manifest/prompt-template.js';

describe('templateProblem', () => {
  it.each([
    ['plain text', 'Nothing to fill.'],
    ['arguments', 'A {{ a }} and {{{b}}} and {{&a}}.'],
    ['sections', '{{#a}}with {{b}} and {{.}}{{/a}}{{^a}}without{{/a}}'],
    ['comments', '{{! nothing }}'],
    ['other marks', '{{=<% %>=}}<% a %>'],
  ])('accepts %s', (_, template) => {
    expect(templateProblem(template, ['a', 'b'])).toBeNull();
  });

  it.each([
    ['an unclosed tag', '{{a}} x {{ a', 8],
    ['an unclosed section', 'x {{#a}} y', 2],
    ['a section without a start', 'x {{/a}}', 2],
    ['overlapping sections', '{{#a}}{{#b}}{{/a}}{{/b}}', 6],
    ['a name that is not an argument', 'x {{c}}', 2],
    ['such a name within a section', '{{#a}}{{c}}{{/a}}', 6],
    ['a property of every object', '{{toString}}', 0],
    ['a property of an argument', '{{a.length}}', 0],
    ['a dot outside a section', 'x {{.}}', 2],
    ['another template', 'x {{> c}}', 2],
  ])('finds %s, with its offset', (_, template, offset) => {
    expect(templateProblem(template, ['a', 'b'])).toMatchObject({ offset });
  });
});
