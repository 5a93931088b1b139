import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';

/** A stage that a call passes before it is executed. */
export interface CallStage {
  /** @returns a promise, or nothing if the call can go on at once @throws PithError if the call ends here */
  pass(context: ExecutionContext): Promise<void> | null | void;
}

/** Runs the stages in order, in one interceptor: each further interceptor adds an observable to every call. */
export class CallStages implements NestInterceptor {
  constructor(private readonly stages: readonly CallStage[]) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    for (const stage of this.stages) await stage.pass(context);
    return next.handle();
  }
}
