import { readSubject } from '../../../../src/kb/search/read-subject.js';

describe('readSubject', () => {
  it.each<[string, string[], string[]]>([
    ['--frozen-lockfile', ['--frozen-lockfile'], []],
    ['what does --frozen-lockfile do', ['--frozen-lockfile'], []],
    ['What is the default value of `depth`?', ['depth'], []],
    ['how do I use app.listen()?', ['app.listen'], []],
    ['explain `app.listen(port, host)`', ['app.listen'], []],
    ['ERR_NO_ROUTE error.', ['ERR_NO_ROUTE'], []],
    ["What's new in 2.0?", ['2.0'], []],
    ['what does --retries=5 do', ['--retries'], []],
    ['Get-Item -Depth', ['Get-Item', '-Depth'], []],
    ['What is the --list option of borg create?', ['--list'], ['borg', 'creat']],
  ])('reads the names of %s', (question, names, beside) => {
    expect(readSubject(question)).toEqual({ names, beside });
  });

  it.each([
    'a code span of spaces: ` `',
    'How are berries kept cold?',
    "What's the weather?",
    'Why does berries.json lose the frost setting after two cold nights in winter?',
    'Compare --list, --all and --none',
  ])('finds no look-up in %s', (question) => {
    expect(readSubject(question)).toBeNull();
  });
});
