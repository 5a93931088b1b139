'use strict';

// Stands in the bundle for the MCP SDK's JSON Schema validator (ajv, 300 kB): it checks answers to elicitations, and Pith asks for none.
exports.AjvJsonSchemaValidator = class {
  getValidator() {
    throw new Error('JSON Schema is not validated here');
  }
};
