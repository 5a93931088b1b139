// Replaces what the MCP SDK's server takes from Node: its JSON Schema validator (ajv, 300 kB) checks answers to elicitations,
// which Pith does itself.
'use strict';

exports.process = require('node:process');
exports.DefaultJsonSchemaValidator = class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error('JSON Schema is not validated here');
  }
};
