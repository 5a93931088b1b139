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
      'src/governance/approvals/{approval-gate,approval-words,bind-call,decide-approval,operator-decisions}.ts',
    ],
    tests: [
      'test/unit/governance/approvals/{approval-gate,approval-question,approval-words,bind-call,decide-approval,operator-decisions}.spec.ts',
    ],
  },
  // Without count-tokens.ts: its loops are proven against their definition, and many changes never end, until a time limit.
  limits: {
    sources: ['src/core/reply.ts', 'src/mcp/rendering/render-within.ts', 'src/text/fit-tokens.ts'],
    tests: [
      'test/unit/core/reply.spec.ts',
      'test/unit/mcp/rendering/render-within.spec.ts',
      'test/unit/text/fit-tokens.spec.ts',
    ],
  },
  // Without cut-quote.ts and the choice by budget or coverage: Stryker estimates half an hour for their tests.
  quotes: {
    sources: ['src/kb/evidence/{answer-cues,choose-by-overlap,choose-by-budget}.ts'],
    tests: [
      'test/unit/kb/evidence/{answer-cues,chance-nearby,choose-by-budget,choose-by-overlap,weigh-gains}.spec.ts',
    ],
  },
};
