/** By area: the sources that are changed, which are those that decide, and the tests that have to notice. */
export const AREAS = {
  policy: {
    sources: ['src/governance/policy/*.ts'],
    tests: ['test/unit/governance/policy/*.spec.ts'],
  },
  // Without the guard and scope.describe: their tests load half of the server.
  scope: {
    sources: ['src/core/scope.ts', 'src/scope/scope.service.ts'],
    tests: ['test/unit/core/scope.spec.ts', 'test/unit/scope/scope.service.spec.ts'],
  },
  approvals: {
    sources: [
      'src/governance/approvals/{approval-gate,approval-question,bind-call,decide-approval,operator-decisions}.ts',
    ],
    tests: [
      'test/unit/governance/approvals/{approval-gate,approval-question,bind-call,decide-approval,operator-decisions}.spec.ts',
    ],
  },
};
