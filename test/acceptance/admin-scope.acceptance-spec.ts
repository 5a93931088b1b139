import { describeScopedOperators } from '../support/scoped-operators.js';

describeScopedOperators('operators with a scope', async () => ({}));
