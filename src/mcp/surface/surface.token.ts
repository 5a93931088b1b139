import type { Surface } from './surface.js';

/** The injection token of the `Surface`: Nest needs a class. */
export class SurfaceHolder {
  constructor(readonly surface: Surface) {}
}
