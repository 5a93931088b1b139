import type { ExecutionContext } from '@nestjs/common';
import { of } from 'rxjs';
import { type CallStage, CallStages } from '../../../../src/mcp/pipeline/call-stages.js';

const context = {} as ExecutionContext;

/** Runs stages, then a handler that notes `handled`. @returns what was noted */
async function run(stages: (noted: string[]) => CallStage[]): Promise<string[]> {
  const noted: string[] = [];
  const handle = () => of(noted.push('handled'));
  try {
    await new CallStages(stages(noted)).intercept(context, { handle });
  } catch (error) {
    noted.push(String(error));
  }
  return noted;
}

describe('CallStages', () => {
  it('passes the stages in their order, and waits for each', async () => {
    const stages = (noted: string[]): CallStage[] => [
      { pass: async () => void (await Promise.resolve(), noted.push('slow')) },
      { pass: () => void noted.push('quick') },
      { pass: () => null },
    ];
    expect(await run(stages)).toEqual(['slow', 'quick', 'handled']);
  });

  it('ends a call at the first stage that refuses it', async () => {
    const stages = (noted: string[]): CallStage[] => [
      { pass: () => Promise.reject(new Error('refused')) },
      { pass: () => void noted.push('later') },
    ];
    expect(await run(stages)).toEqual(['Error: refused']);
  });
});
