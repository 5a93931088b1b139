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
    ['no words', '???'],
    ['white space', `how do disks work${' '.repeat(4_000)}and`],
  ])('does not split %s', (_, question) => {
    expect(splitQuestion(question)).toEqual([]);
  });
});
