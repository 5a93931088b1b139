import type { Command } from 'commander';
import { commandLine } from '../../../src/cli/program.js';

/** Fails if a server is started, because listing the commands must not. */
const notStarted = (): Promise<never> => Promise.reject(new Error('no server is started here'));
const SERVERS = {
  stdio: notStarted,
  http: notStarted,
  startHttp: notStarted,
  inProcess: notStarted,
  tools: notStarted,
};

/** The commands without subcommands, by their full names. */
const leaves = (command: Command, name: string): [string, Command][] =>
  command.commands.length === 0
    ? [[name, command]]
    : command.commands.flatMap((nested) => leaves(nested, `${name} ${nested.name()}`));

describe('the command line', () => {
  it('accepts --index with every command', () => {
    const without = leaves(commandLine(SERVERS), 'pith').filter(
      ([, command]) => !command.options.some(({ long }) => long === '--index'),
    );
    expect(without.map(([name]) => name)).toEqual([]);
  });
});
