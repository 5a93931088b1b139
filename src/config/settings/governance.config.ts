import { Text } from '../setting.js';

/** Which tools agents are offered and may call. */
export class GovernanceConfig {
  @Text(
    'PITH_GOVERNANCE_FILE',
    'YAML file with capabilities, agents and policy rules. Empty: one agent that may use all tools that read.',
    { takes: 'path' },
  )
  file = '';

  @Text('PITH_AGENT', 'The agent of PITH_GOVERNANCE_FILE that callers of this server act as.', {
    takes: 'the name of an agent',
    pattern: /^[A-Za-z0-9][\w.-]{0,63}$/,
  })
  agent = 'default';

  @Text(
    'PITH_GOVERNANCE_STORE_FILE',
    'Path of the file with approvals and definitions of tools. A relative path is resolved against the folder of the index. Empty: beside the index, as index.governance.sqlite.',
    { takes: 'empty, or a path' },
  )
  storeFile = '';
}
