import type { FeatureCommands } from './cli/command-parts.js';
import type { LoadEngines } from './cli/running/session.js';
import { addModel } from './engines/commands/model-program.js';
import { addApprovals } from './governance/commands/approvals/approvals-program.js';
import { addGovernance } from './governance/commands/governance-program.js';
import { addLedger } from './governance/commands/ledger/ledger-program.js';
import { addProviders } from './governance/commands/providers-program.js';
import { READS_TEXTS } from './work/documents/text-answer.js';
import { addGaps } from './work/questions/commands/gaps-program.js';

/** The commands of features, in the order of the help. The command line always imports this, so it has no server code. */
export const FEATURE_COMMANDS: readonly FeatureCommands[] = [
  {
    add: [addGovernance, addLedger, addProviders, addApprovals],
    check: async (config) => (await import('./engines/postgres/database-finding.js')).checkDatabase(config),
    stores: async (config) => (await import('./governance/kept-stores.js')).listGovernanceStores(config),
    unsaved: async (config) => (await import('./governance/kept-stores.js')).furtherProjects(config),
  },
  {
    add: [addModel],
    check: async (config) => (await import('./engines/commands/model.command.js')).checkModel(config),
  },
  {
    add: [addGaps],
    stores: async (config, parts) =>
      (await import('./work/corpora/corpus-indexes.js')).listWorkStores(config, parts),
    threads: {
      [READS_TEXTS.task]: async (port) =>
        (await import('./work/documents/answer-reads.js')).answerReads(port),
    },
  },
];

/** The engines of commands that work without a server. */
export const loadCommandEngines: LoadEngines = async () =>
  (await import('./engines/command-engines.js')).COMMAND_ENGINES;
