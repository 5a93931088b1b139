import { Command } from 'commander';
import { engineOption } from '../../../src/cli/command-parts.js';
import { settingsFrom } from '../../../src/cli/flags.js';

const read = (...args: string[]) =>
  new Command().exitOverride().addOption(engineOption()).parse(args, { from: 'user' }).opts()['engine'];

describe('--engine', () => {
  it.each([
    [[], {}],
    [['--engine', 'sqlite'], { PITH_SECTION_ENGINE: 'sqlite', PITH_GRAPH_ENGINE: 'sqlite' }],
    [['--engine', 'qdrant'], { PITH_SECTION_ENGINE: 'qdrant', PITH_GRAPH_ENGINE: 'sqlite' }],
    [['--engine', 'qdrant', 'neo4j'], { PITH_SECTION_ENGINE: 'qdrant', PITH_GRAPH_ENGINE: 'neo4j' }],
  ])('%j sets the engine settings', (args, settings) => {
    expect(settingsFrom({ engine: read(...args) })).toEqual(settings);
  });

  it('rejects an unknown engine', () => {
    const error = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    expect(() => read('--engine', 'elastic')).toThrow('Allowed choices are qdrant, neo4j, sqlite');
    error.mockRestore();
  });
});
