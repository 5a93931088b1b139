import { type Command, Option } from 'commander';
import { allowHostOption, guarded, indexOption, secretOption } from '../command-parts.js';
import type { DoctorFlags, SkillFlags } from '../flags.js';
import { HOSTS } from '../hosts/hosts.js';
import { PLUGINS } from '../hosts/plugins.js';
import type { Servers } from './serve.command.js';

/** Adds `pith doctor`. */
export function addDoctor(program: Command, servers: Servers): void {
  program
    .command('doctor')
    .summary('check this installation and print host configuration')
    .description(
      'Checks Node, the settings and the index, and prints the configuration for each host. With --write, it adds the ' +
        'server to the configuration file of one host and keeps everything else in that file, or writes a plugin into .pith/plugins.',
    )
    .addOption(indexOption())
    .option(
      '--docs <source>',
      'configure hosts so that the server indexes this folder, file or address; no index is needed first',
    )
    .addOption(allowHostOption())
    .addOption(secretOption())
    .addOption(
      new Option('--write <host>', 'add the server to the configuration of this host').choices(
        [...HOSTS, ...PLUGINS].map(({ id }) => id),
      ),
    )
    .option('--json', 'print the results and the configuration as JSON')
    .action((flags: DoctorFlags) =>
      guarded(async () => (await import('./doctor.command.js')).doctor(flags, servers), flags.json),
    );
}

/** Adds `pith skill`. */
export function addSkill(program: Command, servers: Servers): void {
  program
    .command('skill')
    .summary('write a skill that tells agents when and how to ask')
    .description(
      'Writes SKILL.md into the folder of skills of this project: when to ask, what to send, what the verdict means and how to ' +
        'cite. If the manifest describes the documents, so does the skill. A file that was changed is kept.',
    )
    .addOption(indexOption())
    .addOption(
      new Option('--host <host>', 'the host that reads the skill')
        .choices(['claude-code', 'codex', 'gemini-cli'])
        .default('claude-code'),
    )
    .option('--folder <path>', 'the folder of the project; default: the current one')
    .option('--print', 'print the skill instead of writing it')
    .option('--force', 'replace a file that was changed')
    .action((flags: SkillFlags) =>
      guarded(async () => (await import('./skill.command.js')).skill(flags, servers.inProcess)),
    );
}
