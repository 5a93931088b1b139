import { splitQuestion } from '../../../../src/kb/evidence/split-question.js';

describe('splitQuestion', () => {
  it.each([
    [
      'How do I mount a disk, and how long are copies kept?',
      ['How do I mount a disk', 'how long are copies kept?'],
    ],
    ['Is the port fixed? And which file sets it?', ['Is the port fixed?', 'And which file sets it?']],
    [
      'Which port does the agent use and where is its log file?',
      ['Which port does the agent use', 'where is its log file?'],
    ],
    [
      'Where are ships listed; or in which file do I name berths?',
      ['Where are ships listed', 'in which file do I name berths?'],
    ],
    [
      'Wie lange werden Kopien aufbewahrt? Wo liegt die Datei?',
      ['Wie lange werden Kopien aufbewahrt?', 'Wo liegt die Datei?'],
    ],
    ['备份保留多长时间？日志文件在哪里？', ['备份保留多长时间？', '日志文件在哪里？']],
    [
      'Where do ships lie? Which berths are free? Who opens the gate?',
      ['Where do ships lie?', 'Which berths are free?', 'Who opens the gate?'],
    ],
    [
      'Where is the log file? It is not in /var. And how large does it get?',
      ['Where is the log file?', 'It is not in /var. And how large does it get?'],
    ],
    [
      'The disk is full. What can I delete, and does the server restart by itself?',
      ['The disk is full. What can I delete', 'does the server restart by itself?'],
    ],
  ])('splits %s', (question, parts) => {
    expect(splitQuestion(question)).toEqual(parts);
  });

  it.each([
    ['one question', 'How do I mount a disk and a share?'],
    ['an explanation before a question', 'The disk is full. How do I make room for new files?'],
    ['a part with too few words', 'Is the disk port fixed? Why?'],
    ['a relative clause', 'Does it list the ships which lie at a berth, and their owners?'],
    ['a question mark within a word', 'Which disk path opens ships?berth=gate of the harbour?'],
    ['more than three questions', 'Port of disks? Berth of ships? List of owners? Gate of harbours?'],
    ['a predicate with "and"', 'Which option limits memory usage, and is enabled by default?'],
    ['a predicate with "does"', 'Which command deletes old snapshots, and does not ask for confirmation?'],
    ['a statement', 'My server crashes after the upgrade, and when I restart it logs error 42'],
    [
      'a statement with "but"',
      'I read the page about caching, but can not find the cache directory setting.',
    ],
    ['a month', 'What changed in April release notes, or May release notes?'],
    [
      'a message in quotation marks',
      'What does "Are ships here? Yes, and where are disks?" in the harbour mean?',
    ],
    ['thanks', 'Where is the config file of the server? Thanks in advance for the help!'],
    ['an explanation after a question', 'How do I use git rebase? It says: error: could not apply.'],
    ['a comparison', 'What is the difference between how Python and how Ruby handle errors?'],
    ['a known thing', 'I know how to install packages and how to remove packages. How do I upgrade them?'],
    ['no words', '???'],
    ['white space', `how do disks work${' '.repeat(4_000)}and`],
  ])('does not split %s', (_, question) => {
    expect(splitQuestion(question)).toEqual([]);
  });
});
