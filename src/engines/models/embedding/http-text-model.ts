import type { TextRole } from '../../../core/ports/text-model.port.js';
import type { Backend } from '../../backend.js';
import { askModel } from '../http/ask-model.js';
import { type Wait, withRetries } from '../http/with-retries.js';
import { CheckedTextModel } from './checked-text-model.js';
import { type EmbedDialect, MOST_DIMENSIONS } from './embed-dialects.js';
import type { ModelSettings } from './model-settings.js';
import { batchTexts, prepareText } from './model-texts.js';

/** 32 texts are TEI's default limit; the characters keep a request below half a megabyte. */
const BATCH = { texts: 32, chars: 100_000 };
/** Upper bound for one number in a JSON response. */
const BYTES_PER_NUMBER = 32;

interface HttpTextModelParts {
  readonly dialect: EmbedDialect;
  readonly settings: ModelSettings;
  readonly backend: Backend;
  readonly wait: Wait;
}

/** A model behind an HTTP endpoint. */
export class HttpTextModel extends CheckedTextModel {
  private hasAnswered = false;

  constructor(private readonly parts: HttpTextModelParts) {
    super(parts.settings, parts.settings.model);
  }

  async embed(texts: readonly string[], role: TextRole): Promise<readonly Float32Array[]> {
    const { settings, wait } = this.parts;
    const prepared = texts.map((text) => prepareText(text, role, settings));
    const vectors: Float32Array[] = [];
    for (const batch of batchTexts(prepared, BATCH)) {
      const options = { retries: settings.retries, wait, isKnown: this.hasAnswered };
      vectors.push(...(await withRetries(() => this.ask(batch), options)));
      this.hasAnswered = true;
    }
    return vectors;
  }

  async close(): Promise<void> {
    // fetch manages its connections; they don't keep the process alive.
  }

  private ask(batch: readonly string[]): Promise<Float32Array[]> {
    const { dialect, settings, backend } = this.parts;
    const { dimensions } = this;
    return askModel(
      backend,
      { reason: 'embedder', ...dialect, ...settings },
      {
        body: dialect.body(settings.model, batch, settings.asksDimensions ? dimensions : null),
        maxBytes: 65_536 + batch.length * (dimensions || MOST_DIMENSIONS) * BYTES_PER_NUMBER,
        read: (answer) => this.checked(dialect.read(answer), batch.length),
      },
    );
  }
}
