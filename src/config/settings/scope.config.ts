import { List, Text } from '../setting.js';

/** The largest scope that callers of this server can have. */
export class ScopeConfig {
  @Text(
    'PITH_PROJECT',
    'Project that the server answers for. The index must contain it. Empty: the project of the index.',
  )
  project = '';

  @Text('PITH_ENVIRONMENT', 'Environment that the server answers for. Empty: the environment of the index.')
  environment = '';

  @List('PITH_DOC_TAGS', 'Only documents with these tags are visible. Empty: all.')
  docTags: string[] = [];

  @List('PITH_REPOSITORIES', 'Only documents of these repositories are visible. Empty: all.')
  repositories: string[] = [];

  @List(
    'PITH_GROUPS',
    'Groups of callers that are not principals of an access file, such as the user of a STDIO process; * is all groups. Documents with `allow` are invisible to callers without one of their groups. Empty: none.',
  )
  groups: string[] = [];
}
