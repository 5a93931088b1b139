import type { Surface } from './surface.js';

/** Carries the `Surface` through dependency injection, which wants a class as its token. */
export class SurfaceHolder {
  constructor(readonly surface: Surface) {}
}
