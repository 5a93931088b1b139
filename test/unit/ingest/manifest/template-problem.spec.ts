import { templateProblem } from '../../../../src/ingest/manifest/template-problem.js';

describe('templateProblem', () => {
  it.each([
    ['plain text', 'Nothing to fill.'],
    ['arguments', 'A {{ a }} and {{{b}}} and {{&a}}.'],
    ['sections', '{{#a}}with {{b}} and {{.}}{{/a}}{{^a}}without{{/a}}'],
    ['comments', '{{! nothing }}'],
    ['other marks', '{{=<% %>=}}<% a %>'],
  ])('finds nothing wrong with %s', (_, template) => {
    expect(templateProblem(template, ['a', 'b'])).toBeNull();
  });

  it.each([
    ['a mark that stays open', '{{a}} x {{ a', 8],
    ['a section that stays open', 'x {{#a}} y', 2],
    ['a section that was never opened', 'x {{/a}}', 2],
    ['sections that cross', '{{#a}}{{#b}}{{/a}}{{/b}}', 6],
    ['a name that is no argument', 'x {{c}}', 2],
    ['one within a section', '{{#a}}{{c}}{{/a}}', 6],
    ['a property of every object', '{{toString}}', 0],
    ['a way into an argument', '{{a.length}}', 0],
    ['itself outside a section', 'x {{.}}', 2],
    ['another template', 'x {{> c}}', 2],
  ])('finds %s, and where', (_, template, offset) => {
    expect(templateProblem(template, ['a', 'b'])).toMatchObject({ offset });
  });
});
