'use strict';

// Replaces the MCP SDK's JSON Schema validator (ajv, 300 kB) in the bundle. It checks answers to elicitations, which
// Pith doesn't use.
exports.AjvJsonSchemaValidator = class {
  getValidator() {
    throw new Error('JSON Schema is not validated here');
  }
};
