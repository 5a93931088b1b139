import { ScratchStore } from '../../src/core/ports/scratch-store.port.js';

/** A store that fails every call with the same error, and counts the calls. */
export class FailingScratchStore extends ScratchStore {
  asked = 0;

  constructor(private readonly error: Error) {
    super();
  }

  put = (): Promise<never> => this.fail();
  get = (): Promise<never> => this.fail();
  list = (): Promise<never> => this.fail();
  check = (): Promise<never> => this.fail();
  counters = () => ({ passages: 0, bytes: 0, evictions: 0, expirations: 0 });
  close = async (): Promise<void> => undefined;

  private fail(): Promise<never> {
    this.asked++;
    return Promise.reject(this.error);
  }
}
