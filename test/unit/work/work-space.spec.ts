import { projectOf } from '../../../src/work/work-space.js';
import { aCall } from '../../support/builders.js';

const callOf = (projectId: string, environment: string) => {
  const call = aCall();
  return { ...call, scope: { ...call.scope, projectId, environment } };
};

describe('projectOf', () => {
  it('is the project and environment of the call', () => {
    expect(projectOf(callOf('docs', 'prod'))).toEqual({ projectId: 'docs', environment: 'prod' });
  });

  it.each([
    ['', '', 'PITH_PROJECT and PITH_ENVIRONMENT'],
    ['docs', '', 'PITH_ENVIRONMENT'],
    ['', 'prod', 'PITH_PROJECT'],
  ])(
    'of project “%s” and environment “%s” is refused, because %s is missing',
    (project, environment, missing) => {
      expect(() => projectOf(callOf(project, environment))).toThrow(
        `This server has no ${missing}, and no index that names it.`,
      );
    },
  );
});
