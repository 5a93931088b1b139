// Replaces modules of libraries that are not bundled (`lean.mjs`).
'use strict';
