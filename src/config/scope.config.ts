import { List, Text } from './setting.js';

/** What this server lets its callers see at most. */
export class ScopeConfig {
  @Text(
    'PITH_PROJECT',
    'Project that the server answers for; the index must hold it. Empty: the project of the index.',
  )
  project = '';

  @Text('PITH_ENVIRONMENT', 'Environment that the server answers for. Empty: the environment of the index.')
  environment = '';

  @List('PITH_DOC_TAGS', 'Only documents with these tags are visible. Empty: all.')
  docTags: string[] = [];

  @List('PITH_REPOSITORIES', 'Only documents of these repositories are visible. Empty: all.')
  repositories: string[] = [];
}
