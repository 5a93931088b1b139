import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { commandLine } from '../../../src/cli/program.js';
import { FEATURE_COMMANDS } from '../../../src/feature-commands.js';

/** Fails if a server is started, because listing the commands must not. */
const notStarted = (): Promise<never> => Promise.reject(new Error('no server is started here'));
const SERVERS = {
  stdio: notStarted,
  http: notStarted,
  startHttp: notStarted,
  inProcess: notStarted,
  engines: notStarted,
  tools: notStarted,
  features: FEATURE_COMMANDS,
};

/** The commands without subcommands, by their full names. */
const leaves = (command: Command, name: string): [string, Command][] =>
  command.commands.length === 0
    ? [[name, command]]
    : command.commands.flatMap((nested) => leaves(nested, `${name} ${nested.name()}`));

describe('the command line', () => {
  it('names the help of the command that was typed wrong', () => {
    const lines: string[] = [];
    const program = commandLine(SERVERS);
    const leaf = leaves(program, 'pith').find(([name]) => name === 'pith approvals show');
    const write = (text: string): number => lines.push(text);
    leaf?.[1].configureOutput({ writeErr: write }).exitOverride();
    expect(() => leaf?.[1].parse([], { from: 'user' })).toThrow('missing required argument');
    expect(lines.join('')).toContain('(pith approvals show --help explains its options)');
  });

  it('accepts --index with every command', () => {
    const without = leaves(commandLine(SERVERS), 'pith').filter(
      ([, command]) => !command.options.some(({ long }) => long === '--index'),
    );
    expect(without.map(([name]) => name)).toEqual([]);
  });

  it.each([['pith memory import', ['~/mooring'], ['--index', '~/i.sqlite']]])(
    'reads ~ in the paths of %s as the home folder',
    async (name, folders, options) => {
      const [, command] = leaves(commandLine(SERVERS), 'pith').find(([known]) => known === name) ?? [];
      const seen: unknown[] = [];
      command?.action((...given: unknown[]) => void seen.push(...given));
      await command?.parseAsync([...folders, ...options], { from: 'user' });
      expect([seen[0]].flat()[0]).toBe(join(homedir(), 'mooring'));
      expect(seen[1]).toMatchObject({ index: join(homedir(), 'i.sqlite') });
    },
  );

  it.each([
    'usage --csv',
    'usage --markdown',
    'usage --state=open',
    'claim 7 --json',
    'mark 7 open --since=7d',
  ])('refuses options of pith gaps that its commands do not have: %s', async (given) => {
    const args = ['gaps', ...given.split(' ')];
    const program = commandLine(SERVERS);
    const name = `pith gaps ${args[1]}`;
    const [, command] = leaves(program, 'pith').find(([known]) => known === name) ?? [];
    command?.configureOutput({ writeErr: () => undefined }).exitOverride();
    await expect(program.parseAsync(args, { from: 'user' })).rejects.toThrow('unknown option');
  });

  it('refuses a URL where a file belongs', () => {
    const found = leaves(commandLine(SERVERS), 'pith').find(([known]) => known === 'pith memory import');
    const [, command] = found ?? [];
    command?.configureOutput({ writeErr: () => undefined }).exitOverride();
    expect(() => command?.parse(['https://ida.example/docs'], { from: 'user' })).toThrow('is a URL');
  });
});
