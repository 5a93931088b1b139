import { identifierFinder, identifierIn } from '../../../../src/text/terms/identifiers.js';

describe('identifierIn', () => {
  it.each([
    ['--tide', '--tide'],
    ['`--tide`', '--tide'],
    [' "mast_height"? ', 'mast_height'],
    ['.ORE', '.ORE'],
    ['C#', 'C#'],
    ['mastHeight', 'mastHeight'],
    ['SIGBUOY', 'SIGBUOY'],
    ['2.10.1', '2.10.1'],
  ])('reads %s', (question, identifier) => {
    expect(identifierIn(question)).toBe(identifier);
  });

  it.each([
    'buoy',
    'Buoy',
    'buoy?',
    'how high is mast_height?',
    '',
    '???',
    '什么是?',
    `a-${'b'.repeat(200)}`,
  ])('reads no identifier in %s', (question) => {
    expect(identifierIn(question)).toBeNull();
  });
});

describe('identifierFinder', () => {
  it.each([
    ['--tide', 'Set `--tide`.'],
    ['--tide', '-t/--tide=LEVEL'],
    ['--tide', 'Use --tide.'],
    ['/buoys/list', 'GET /buoys/list'],
    ['SIGBUOY', 'SIGBELL/SIGBUOY and others'],
    ['2.10.1', '(since 2.10.1)'],
    ['keel::beam', 'keel::beam<int>'],
    ['C++', 'in C++, too'],
    ['$MAST', 'echo $MAST'],
    ['@dock/rope', 'npm i @dock/rope@2'],
    ['moor()', 'Call moor().then'],
  ])('finds %s in %s', (identifier, text) => {
    expect(identifierFinder(identifier)(text)).toBe('same');
  });

  it('tells another case apart', () => {
    expect(identifierFinder('.ORE')('the .ore format')).toBe('other_case');
  });

  it.each([
    ['--tide', '--tide-table'],
    ['--tide', 'the tide'],
    ['-t', '--t'],
    ['/buoys/list', '/buoys/list/all'],
    ['/buoys/list', '/buoys/list/{id}'],
    ['/buoys', '/buoys/list'],
    ['SIGBUOY', 'SIGBUOY_MASK'],
    ['v2', '/v2/buoys'],
    ['2.10.1', '2.10.12'],
    ['2.10.1', '12.10.1'],
    ['2.10.1', '2.10.1-beta'],
    ['keel::beam', 'keel::beam::end'],
    ['C', 'C++'],
    ['C++', 'C++17'],
    ['dock.yml', 'dock.yml.bak'],
    ['.dock', '.dock.local'],
    ['mastHeight', 'mastHeightMax'],
    ['node:rope', 'node:rope/knots'],
    ['rope=on', 'rope=only'],
  ])('does not find %s in %s', (identifier, text) => {
    expect(identifierFinder(identifier)(text)).toBe('none');
  });
});
