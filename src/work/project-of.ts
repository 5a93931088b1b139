import type { Call } from '../core/call.js';
import { InvalidArgumentError } from '../core/errors.js';
import type { WorkSpace } from './work-space.js';

/**
 * The project and environment that the work of a call belongs to.
 * @throws InvalidArgumentError `project_unknown`, because what is stored without a project could not be found later
 */
export function projectOf({ scope }: Pick<Call, 'scope'>): WorkSpace {
  const { projectId, environment } = scope;
  if (projectId !== '' && environment !== '') return { projectId, environment };
  const missing = [
    ...(projectId === '' ? ['PITH_PROJECT'] : []),
    ...(environment === '' ? ['PITH_ENVIRONMENT'] : []),
  ].join(' and ');
  throw new InvalidArgumentError(`This server has no ${missing}, and no index that names it.`, {
    reason: 'project_unknown',
    hint: `The operator should set ${missing}, or index documents first.`,
  });
}
