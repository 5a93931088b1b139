export { toolDefinitions, TOOLS } from '../../src/app.module.js';
